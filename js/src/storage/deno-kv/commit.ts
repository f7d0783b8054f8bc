/**
 * Commits batches, each at most once.
 *
 * Deno KV checks versionstamps. So a commit needs those of the expected values, and reads them if
 * it does not know them.
 *
 * A database in the network repeats a commit whose answer was lost. It then reports a failed check,
 * though the first attempt was stored. So each commit also stores its number under the key of its
 * writer. After a failed check, this number tells whether the commit was stored.
 *
 * Each commit also checks the versionstamp of that number. So the first number, 0, is stored in a
 * commit of its own. When the writer is closed it removes its number. From then on no repetition of
 * any of its commits is stored. The number of a writer that dies expires.
 *
 * @module
 */

import { isBytes } from '../../base/kinds.js';
import { sameBytes } from '../bytes.js';
import type { Batch, CommitResult, StorageKey } from '../page-storage.js';
import { groupsOf, many, MOST_KEYS, outcomeOf, patiently } from './calls.js';
import { EVERYTHING, removeDoomed, runsOf } from './doomed.js';
import { numberOf, type Run, type StoreKeys } from './keys.js';
import type { DenoKvAtomic, DenoKvEntry, DenoKvKey, DenoKvLike } from './platform.js';

// Deno KV takes 100 checks, 1,000 changes and 80 KiB of keys. The key of a value has at most 100
// bytes. Two checks and three changes are those of the storage itself. So all keys of a commit have
// 66 KB at most, which leaves a margin.
const MOST_EXPECTED = 98;
const MOST_CHANGES = 550;

// The note of what is to be removed has to fit in a value.
const MOST_RUNS = 1000;

// A database repeats a commit for about a quarter of an hour. A writer that lives on without its
// number begins with 0 again.
const NUMBER_LIVES_MS = 3_600_000;

// For how long a closed writer waits for the removal of its number. Without a network, Deno repeats
// it for much longer.
const REMOVAL_MS = 1_000;

interface Check {
  readonly key: DenoKvKey;
  readonly versionstamp: string | null;
}

/** The batch without expectations. */
interface Changes {
  readonly puts: Batch['puts'];
  readonly deletes: readonly StorageKey[];
  /** Deleted with the others, and removed later. */
  readonly doomed: readonly Run[];
}

interface Writer {
  readonly id: string;
  /** Of the last commit; 0, if there was none. */
  number: number;
  /** Of the value that has the number of the last commit that was stored; null, if it has none. */
  versionstamp: string | null;
}

const newWriter = (): Writer => ({ id: crypto.randomUUID(), number: 0, versionstamp: null });

/** Stores batches. The caller waits for each before it begins the next. */
export class Committer {
  readonly #kv: DenoKvLike;
  readonly #keys: StoreKeys;
  #writer = newWriter();
  // The expected values that were read last. Most commits expect the same.
  #known: ReadonlyMap<StorageKey, DenoKvEntry> = new Map();

  constructor(kv: DenoKvLike, keys: StoreKeys) {
    this.#kv = kv;
    this.#keys = keys;
  }

  async commit(batch: Batch): Promise<CommitResult> {
    const changes = changesOf(batch);
    const cause = excessOf(batch.expect, changes);
    if (cause) return { outcome: 'refused', cause };
    const result = await this.#commit(batch.expect, changes);
    if (result.outcome === 'ok' && changes.doomed.length > 0) {
      // The batch is stored. If this fails, the next commit does it.
      await this.#finishDeletion().catch(() => {});
    }
    return result;
  }

  /**
   * Deletes all values at once, and removes them.
   *
   * @throws the reason, if something may be left.
   */
  async deleteAll(): Promise<void> {
    const deletes: StorageKey[] = ['log/base', 'pages/root'];
    const { outcome, cause } = await this.#commit([], { puts: [], deletes, doomed: EVERYTHING });
    if (outcome !== 'ok') throw cause;
    await this.#finishDeletion();
    await this.#removeNotes();
  }

  async #commit(expect: Batch['expect'], changes: Changes): Promise<CommitResult> {
    this.#writer.number++;
    let checks = this.#knownChecks(expect);
    let isInDoubt = false;
    try {
      for (;;) {
        const result = checks && (await this.#store(checks, changes));
        if (result && result.outcome !== 'moved') return result;
        isInDoubt = result !== undefined;
        const found = await this.#findChecks(expect);
        if (typeof found === 'string') return { outcome: found };
        checks = found;
        isInDoubt = false;
      }
    } catch (cause) {
      return { outcome: isInDoubt ? 'unknown' : 'refused', cause };
    }
  }

  /** Undefined, if a versionstamp has to be read first. */
  #knownChecks(expect: Batch['expect']): Check[] | undefined {
    const checks = expect.map(([key, value]): Check | undefined => {
      if (!value) return { key: this.#keys.of(key), versionstamp: null };
      const entry = this.#known.get(key);
      return entry && holds(entry, value) ? checkOf(entry) : undefined;
    });
    return checks.every((check) => check !== undefined) ? checks : undefined;
  }

  /**
   * Reads the expected values.
   *
   * @returns their versionstamps, or the outcome: `ok`, if this very commit is stored.
   */
  async #findChecks(expect: Batch['expect']): Promise<Check[] | 'ok' | 'moved'> {
    const writer = this.#writer;
    const notes = [this.#keys.writer(writer.id), this.#keys.doomed];
    const names = [...notes, ...expect.map(([key]) => this.#keys.of(key))];
    const groups = groupsOf(names, MOST_KEYS).map((group) => many(this.#kv, group));
    const [number, doomed, ...entries] = (await Promise.all(groups)).flat();
    writer.versionstamp = number!.versionstamp;
    if (number!.value === writer.number) return 'ok';
    if (doomed!.versionstamp !== null) {
      await removeDoomed(this.#kv, this.#keys, doomed!);
      return this.#findChecks(expect);
    }
    this.#known = new Map(expect.map(([key], at) => [key, entries[at]!]));
    const isMoved = !expect.every(([, value], at) => holds(entries[at]!, value));
    return isMoved ? 'moved' : entries.map(checkOf);
  }

  /** Removes the number of the writer, if it can. Otherwise the number expires. */
  async close(): Promise<void> {
    const { id, versionstamp } = this.#writer;
    if (versionstamp === null) return;
    this.#writer = newWriter();
    let timer: ReturnType<typeof setTimeout>;
    const isOver = new Promise<void>((resolve) => (timer = setTimeout(resolve, REMOVAL_MS)));
    const key = this.#keys.writer(id);
    const isRemoved = patiently(() => this.#kv.atomic().delete(key).commit()).catch(() => {});
    await Promise.race([isRemoved, isOver]);
    clearTimeout(timer!);
  }

  /** The outcome is `moved` if any check fails. */
  async #store(checks: readonly Check[], changes: Changes): Promise<CommitResult> {
    if (this.#writer.versionstamp === null) {
      const begun = await this.#run(() => this.#begin());
      // Nothing of the batch was stored.
      if (begun.outcome === 'unknown') return { ...begun, outcome: 'refused' };
      if (begun.outcome !== 'ok') return begun;
    }
    return this.#run(() => this.#atomic(checks, changes));
  }

  async #run(made: () => DenoKvAtomic): Promise<CommitResult> {
    const writer = this.#writer;
    try {
      const result = await patiently(() => made().commit());
      if (!result.ok) return { outcome: 'moved' };
      writer.versionstamp = result.versionstamp;
      return { outcome: 'ok' };
    } catch (cause) {
      return { outcome: outcomeOf(cause), cause };
    }
  }

  #begin(): DenoKvAtomic {
    const key = this.#keys.writer(this.#writer.id);
    const check = { key, versionstamp: null };
    return this.#kv.atomic().check(check).set(key, 0, { expireIn: NUMBER_LIVES_MS });
  }

  #atomic(checks: readonly Check[], { puts, deletes, doomed }: Changes): DenoKvAtomic {
    const keys = this.#keys;
    const { id, number, versionstamp } = this.#writer;
    const isDeletion = deletes.length + doomed.length > 0;
    const atomic = this.#kv
      .atomic()
      .check({ key: keys.writer(id), versionstamp }, { key: keys.doomed, versionstamp: null })
      .check(...checks)
      .set(keys.writer(id), number, { expireIn: NUMBER_LIVES_MS })
      .set(isDeletion ? keys.deleted : keys.changed, number);
    for (const key of deletes) atomic.delete(keys.of(key));
    for (const [key, value] of puts) atomic.set(keys.of(key), value);
    if (doomed.length > 0) atomic.set(keys.doomed, doomed);
    return atomic;
  }

  async #finishDeletion(): Promise<void> {
    const [doomed] = await many(this.#kv, [this.#keys.doomed]);
    if (doomed!.versionstamp !== null) await removeDoomed(this.#kv, this.#keys, doomed!);
  }

  // Unless others have written since. The notes of other writers expire.
  async #removeNotes(): Promise<void> {
    const { changed, deleted } = this.#keys;
    const { id, versionstamp: last } = this.#writer;
    const notes = await many(this.#kv, [changed, deleted, this.#keys.writer(id)]);
    if (notes.some(({ versionstamp }) => versionstamp !== null && versionstamp > last!)) return;
    const atomic = this.#kv.atomic().check(...notes.map(checkOf));
    for (const { key } of notes) atomic.delete(key as DenoKvKey);
    await patiently(() => atomic.commit());
    this.#writer = newWriter();
  }
}

const checkOf = ({ key, versionstamp }: DenoKvEntry): Check => ({
  key: key as DenoKvKey,
  versionstamp,
});

function holds({ value, versionstamp }: DenoKvEntry, expected: Uint8Array | undefined): boolean {
  if (!expected || versionstamp === null) return !expected && versionstamp === null;
  return isBytes(value) && sameBytes(value, expected);
}

function changesOf({ puts, deletes }: Batch): Changes {
  const put = new Set(puts.map(([key]) => key));
  const all = [...new Set(deletes)].filter((key) => !put.has(key));
  // What has no number cannot be removed later.
  const sorted = [
    ...all.filter((key) => numberOf(key) === undefined),
    ...all.filter((key) => numberOf(key) !== undefined),
  ];
  const room = Math.max(0, MOST_CHANGES - puts.length);
  return { puts, deletes: sorted.slice(0, room), doomed: runsOf(sorted.slice(room)) };
}

/** Why Deno KV cannot take the batch. An account makes such batches only to repair a log. */
function excessOf(expect: Batch['expect'], { puts, doomed }: Changes): Error | undefined {
  const counts = [
    ['expects', expect.length, MOST_EXPECTED, 'values'],
    ['puts', puts.length, MOST_CHANGES, 'values'],
    ['deletes', doomed.length, MOST_RUNS, 'runs of values'],
  ] as const;
  const excess = counts.find(([, count, most]) => count > most);
  if (!excess) return undefined;
  const [verb, count, most, what] = excess;
  return new Error(`The batch ${verb} ${count} ${what}. denoKvStorage() takes ${most} at most.`);
}
