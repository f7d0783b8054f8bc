/**
 * All that the user changes is written here, so that it can be undone: the last changes of the
 * account, from this tab. An entity that somebody else has changed since stays as it is. It is
 * loaded with the first change.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { counted, displayCount } from '../display.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { idOf, type EntityKeys } from '../rows/row-query.js';
import type { EntityContent, TypedEntity } from '../typed-entity.js';
import type { Load } from '../ui/load-panel.js';
import { addedBy, type Change, type Step, type Version } from './change.js';
import { AT_ONCE, isConflict, writeSteps } from './write-steps.js';

/** So many changes are kept, and fewer if they are of more entities together. */
const MOST_CHANGES = 50;
const MOST_STEPS = 50_000;

/** Less take no time that is worth a progress. */
const LEAST_TO_SHOW = 1000;

/** An entity as it was read, and as it is to be. */
export interface Edit {
  readonly before: TypedEntity | undefined;
  readonly after: EntityContent | undefined;
}

/** What the user wants to change. */
export interface Order {
  readonly table: TableClient;
  /** What was done to some entities, for people: `rex was saved`. */
  text(count: number): string;
  readonly edits: readonly Edit[];
  readonly verbs?: Load['verbs'];
  /** Whether it creates the table. */
  readonly ofTable?: 'created' | undefined;
  /** Whether an entity that is not as it was read ends the change. */
  readonly isStrict?: boolean;
  /** How to stop it, and who shows its progress; else it does so itself. */
  readonly how?: LoadOptions;
}

/** What has happened, for the page. */
export interface Report {
  readonly way: 'made' | 'undone' | 'redone';
  readonly table: string;
  readonly text: string;
  /** How many entities more there are. */
  readonly added: number;
  /** The entity, if it is one. */
  readonly keys: EntityKeys | undefined;
  readonly ofTable: Change['ofTable'];
}

export interface ChangesOptions {
  table(name: string): TableClient;
  /** Does work that the user sees the progress of, and can stop. */
  whileShown<T>(load: Load, work: (how: LoadOptions) => Promise<T>): Promise<T>;
  onReport(report: Report): void;
}

interface Outcome {
  readonly done: Map<string, Step>;
  readonly kept: Map<string, Step>;
  /** Undefined, but for what a write fails with that nobody else has caused. */
  readonly error: Error | undefined;
}

const VERBS = {
  made: { present: 'Saving', past: 'Saved' },
  undone: { present: 'Undoing', past: 'Undone' },
  redone: { present: 'Doing again', past: 'Done again' },
};

export class Changes {
  readonly #options: ChangesOptions;
  readonly #done: Change[] = [];
  readonly #undone: Change[] = [];
  // One after another, however fast the user is.
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ChangesOptions) {
    this.#options = options;
  }

  /** The texts of what would be undone and done again next. */
  get next(): { readonly undo: string | undefined; readonly redo: string | undefined } {
    return { undo: this.#done.at(-1)?.text, redo: this.#undone.at(-1)?.text };
  }

  /** Forgets all changes. */
  forget(): void {
    this.#done.length = this.#undone.length = 0;
  }

  /**
   * @returns how many entities were changed, even if the user has stopped it.
   * @throws the error of the only entity, or of the first that nobody else has caused.
   */
  make(order: Order): Promise<number> {
    return this.#inTurn(() => this.#make(order));
  }

  /** Deletes a table, whose entities are these. */
  deleteTable(table: TableClient, entities: readonly TypedEntity[]): Promise<void> {
    return this.#inTurn(async () => {
      await table.deleteTable();
      const { tableName } = table;
      const edits = entities.map((before) => ({ before, after: undefined }));
      const text = `The table ${tableName} was deleted`;
      this.#push({
        table: tableName,
        text,
        steps: this.#steps(tableName, edits),
        ofTable: 'deleted',
      });
    });
  }

  /** Undoes the last change; nothing, if there is none. */
  undo(): Promise<void> {
    return this.#inTurn(() => this.#move(this.#done, this.#undone, 'before'));
  }

  /** Does again what was undone last. */
  redo(): Promise<void> {
    return this.#inTurn(() => this.#move(this.#undone, this.#done, 'after'));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #make(order: Order): Promise<number> {
    const { table, edits, ofTable, verbs = VERBS.made, isStrict = edits.length === 1 } = order;
    const { tableName } = table;
    const steps = this.#steps(tableName, edits);
    const { done, kept, error } = await this.#write({
      ...{ ...order, steps, side: 'after', verbs, isStrict },
    });
    const text = order.text(done.size);
    if (done.size > 0 || ofTable) this.#push({ table: tableName, text, steps: done, ofTable });
    if (done.size > 0) this.#report('made', { table: tableName, text, steps: done }, kept.size);
    if (error) throw error;
    if (done.size === 0 && kept.size > 0) throw new Error(keptText('they were read', kept, 0));
    return done.size;
  }

  #push(change: Change): void {
    this.#undone.length = 0;
    this.#done.push(change);
    let steps = this.#done.reduce((sum, one) => sum + one.steps.size, 0);
    while (this.#done.length > 1 && (this.#done.length > MOST_CHANGES || steps > MOST_STEPS)) {
      steps -= this.#done.shift()!.steps.size;
    }
  }

  #steps(table: string, edits: readonly Edit[]): Map<string, Step> {
    const before = this.#done.filter((change) => change.table === table).reverse();
    return new Map(
      edits.map((edit) => {
        const id = idOf(edit.before ?? edit.after!);
        const last = before.find(({ steps }) => steps.has(id))?.steps.get(id)?.after;
        const after = { entity: edit.after, etag: undefined };
        return [id, { before: sameOr(last, edit.before), after }];
      }),
    );
  }

  /** Undoes the last of some changes, or does it again, and moves it to the others. */
  async #move(from: Change[], to: Change[], side: 'before' | 'after'): Promise<void> {
    const change = from.at(-1);
    if (!change) return;
    const table = this.#options.table(change.table);
    const way = side === 'before' ? 'undone' : 'redone';
    const begins = change.ofTable === (side === 'before' ? 'deleted' : 'created');
    if (begins) await table.createTable();
    const { done, kept, error } = await this.#write({
      ...{ table, side, steps: change.steps, verbs: VERBS[way], isStrict: false },
    });
    from.pop();
    const rest = new Map([...change.steps].filter(([id]) => !done.has(id) && !kept.has(id)));
    if (rest.size > 0) from.push({ ...change, steps: rest });
    const isWhole = kept.size === 0 && rest.size === 0;
    if (change.ofTable && !begins && isWhole) await deleteIfEmpty(table);
    if (done.size > 0 || change.ofTable) {
      to.push({ ...change, steps: done });
      this.#report(way, { ...change, steps: done }, kept.size);
    }
    if (error) throw error;
    if (kept.size > 0) throw new Error(keptText(`“${change.text}”`, kept, done.size));
  }

  async #write(options: WriteOptions): Promise<Outcome> {
    const { steps, verbs, how } = options;
    const count = steps.size;
    if (how) return writeAll(options, how);
    const quiet = { signal: new AbortController().signal, onProgress: () => {} };
    if (count <= LEAST_TO_SHOW) return writeAll(options, quiet);
    const load = { count, noun: 'entities', verbs };
    return this.#options.whileShown(load, (shown) => writeAll(options, shown));
  }

  #report(way: Report['way'], change: Change, kept: number): void {
    const { table, steps, ofTable } = change;
    const side = way === 'undone' ? 'before' : 'after';
    const [step] = steps.values();
    const one = steps.size === 1 ? (step!.before.entity ?? step!.after.entity) : undefined;
    const prefix = { made: '', undone: 'Undone: ', redone: 'Done again: ' }[way];
    const note =
      way === 'made' && kept > 0
        ? ` ${counted(kept, 'entities')} changed meanwhile, and ${kept === 1 ? 'stays' : 'stay'}.`
        : '';
    this.#options.onReport({
      ...{ way, table, ofTable, keys: one, added: addedBy(steps.values(), side) },
      text: `${prefix}${change.text}.${note}`,
    });
  }
}

interface WriteOptions {
  readonly table: TableClient;
  readonly steps: ReadonlyMap<string, Step>;
  readonly side: 'before' | 'after';
  readonly verbs: Load['verbs'];
  readonly isStrict: boolean;
  readonly how?: LoadOptions;
}

async function writeAll(
  { table, steps, side, isStrict }: WriteOptions,
  { signal, onProgress }: LoadOptions,
): Promise<Outcome> {
  const start = performance.now();
  const [done, kept] = [new Map<string, Step>(), new Map<string, Step>()];
  const all = [...steps];
  let error: Error | undefined;
  for (let at = 0; at < all.length && !signal.aborted && !error; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const written = await writeSteps(
      table,
      some.map(([, step]) => step),
      side,
    );
    some.forEach(([id, step], index) => {
      const outcome = written[index]!;
      if ('etag' in outcome) {
        step[side].etag = outcome.etag;
        done.set(id, step);
      } else if (isConflict(outcome.error) && !isStrict) kept.set(id, step);
      else error ??= outcome.error as Error;
    });
    const progress: LoadProgress = { loaded: done.size, milliseconds: performance.now() - start };
    onProgress(progress);
  }
  return { done, kept, error };
}

// The version that an earlier change has made, if nobody else has written since.
function sameOr(last: Version | undefined, read: TypedEntity | undefined): Version {
  const isSame = last && last.etag === read?.etag && !last.entity === !read;
  return isSame ? last : { entity: read, etag: read?.etag };
}

// Somebody else may have written into it.
async function deleteIfEmpty(table: TableClient): Promise<void> {
  const first = await table.listEntities().byPage({ maxPageSize: 1 }).next();
  if (!first.done && first.value.length > 0) return;
  await table.deleteTable();
}

function keptText(since: string, kept: ReadonlyMap<string, Step>, done: number): string {
  const [step] = kept.values();
  const { rowKey } = step!.before.entity ?? step!.after.entity!;
  const isOne = kept.size === 1;
  const who = isOne ? `the entity ${rowKey}` : `${displayCount(kept.size)} entities`;
  return (
    `Somebody else has changed ${who} since ${since}, so ` +
    `${isOne ? 'it stays as it is' : 'they stay as they are'}.` +
    (done > 0 ? ` All others (${displayCount(done)}) were changed.` : '')
  );
}
