/**
 * Follows a table: keeps the result of a filter up to date by what the core tells of commits, and
 * sees to it that the core hears of those of others. Loaded when it is first needed.
 *
 * @module
 */

import type { Answer, Operation } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type { Session } from '../core/session.js';

/** What is there of an entity in any case. */
export interface LiveEntity {
  readonly etag: string;
  readonly partitionKey?: string;
  readonly rowKey?: string;
  /** Missing where only the keys are told. */
  readonly timestamp?: string;
}

interface Told<E> {
  readonly entities: E[];
  readonly answer: Answer;
}

/** What to follow. */
export interface LiveSource<E extends LiveEntity> {
  readonly session: Session;

  /** Carries out a read; what it does not name is that of the query. */
  readonly read: (operation: Partial<Operation>, signal: AbortSignal) => Promise<Told<E>>;

  /** Whether no more is kept of an entity than its keys and etag. */
  readonly onlyKeys: boolean;
}

/** What one answer of the core did to the result. */
export interface LiveChanges<E> {
  readonly inserted: E[];
  readonly updated: E[];
  readonly deleted: E[];
  /** The result was read as a whole: what happened since the last time is not known. */
  readonly reset: boolean;
}

/** A result, and up to where it is known; kept between two times of following. */
export interface LiveResult<E> {
  entities: readonly E[];
  position?: string | undefined;
}

/** The first answers: where to begin, and what is there. */
export type Beginning<E> = Promise<[begun: Told<E>, page: Told<E>]>;

const RESET = 205;

/**
 * Tells what changes until the signal fires or the account is closed; rejects with what else
 * comes between.
 *
 * @param beginning - asked for before anything that is to be told was written.
 */
export async function follow<E extends LiveEntity>(
  source: LiveSource<E>,
  result: LiveResult<E>,
  tell: (changes: LiveChanges<E>) => void,
  signal: AbortSignal,
  beginning?: Beginning<E>,
): Promise<void> {
  // It may have fired while this script was loaded.
  if (signal.aborted) return;
  let leave = () => {};
  // What it means that the storage cannot be looked at: not knowing of others' commits.
  const lost = new Promise<never>((_, reject) => (leave = lookOut(source.session, reject)));
  lost.catch(() => undefined);
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  const changes = () => {
    const { position } = result;
    const operation = { kind: 'awaitChanges', position, fresh: !position } as const;
    return Promise.race([lost, source.read(operation, stop.signal)]);
  };
  try {
    let [told, page] = beginning ? await beginning : [await changes()];
    for (;;) {
      const isReset = told.answer.status === RESET;
      const next = isReset
        ? replaced(result, await readAll(source, stop.signal, page))
        : merged(result, told.entities, source.onlyKeys);
      // The next follower begins with the same result: it must hold nothing that was not told.
      if (signal.aborted) return;
      result.entities = next.entities;
      result.position = told.answer.position;
      if (next.changes) tell(next.changes);
      page = undefined;
      told = await changes();
    }
  } catch (error) {
    const isEnd = signal.aborted || (error as { code?: string }).code === 'AccountClosed';
    if (!isEnd) throw error;
  } finally {
    leave();
    stop.abort();
  }
}

async function readAll<E extends LiveEntity>(
  { read }: LiveSource<E>,
  signal: AbortSignal,
  page?: Told<E>,
): Promise<E[]> {
  const entities: E[] = [];
  let position: PagePosition | undefined = {};
  do {
    page ??= await read(position, signal);
    for (const entity of page.entities) entities.push(entity);
    position = positionOf(page.answer);
    page = undefined;
  } while (position);
  return entities;
}

// Keys are compared as the service does, by UTF-16 units.
function order(one: LiveEntity, other: LiveEntity): number {
  const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);
  return compare(one.partitionKey, other.partitionKey) || compare(one.rowKey, other.rowKey);
}

// Goes along both, which have the same order.  `visit` is given what is known under the keys of
// each entity of `news`.
function walk<E extends LiveEntity>(
  known: readonly E[],
  news: readonly E[],
  pass: (entity: E) => void,
  visit: (entity: E, known: E | undefined) => void,
): void {
  let at = 0;
  for (const entity of news) {
    while (at < known.length && order(known[at]!, entity) < 0) pass(known[at++]!);
    const isKnown = at < known.length && order(known[at]!, entity) === 0;
    visit(entity, isKnown ? known[at++] : undefined);
  }
  while (at < known.length) pass(known[at++]!);
}

const keysOf = <E extends LiveEntity>({ etag, partitionKey, rowKey }: E) =>
  ({ etag, partitionKey, rowKey }) as E;

/** The result after one answer; without changes, it is the one that is known. */
interface NextResult<E> {
  readonly entities: readonly E[];
  readonly changes?: LiveChanges<E>;
}

// What is told comes in any order.
function merged<E extends LiveEntity>(
  result: Readonly<LiveResult<E>>,
  news: readonly E[],
  onlyKeys: boolean,
): NextResult<E> {
  const sorted = [...news].sort(order);
  const entities: E[] = [];
  const [inserted, updated, deleted]: E[][] = [[], [], []];
  walk(
    result.entities,
    // Of what is told more than once, once: it is told as it is now.
    sorted.filter((entity, at) => at === 0 || order(sorted[at - 1]!, entity) !== 0),
    (entity) => entities.push(entity),
    (entity, known) => {
      if (known?.etag === entity.etag) {
        entities.push(known);
      } else if (entity.timestamp) {
        entities.push(onlyKeys ? keysOf(entity) : entity);
        (known ? updated! : inserted!).push(entity);
      } else if (known) {
        deleted!.push(known);
      }
    },
  );
  if (inserted!.length + updated!.length + deleted!.length === 0) return result;
  const changes = { inserted: inserted!, updated: updated!, deleted: deleted!, reset: false };
  return { entities, changes };
}

// What is the same stays the same object.
function replaced<E extends LiveEntity>(
  result: Readonly<LiveResult<E>>,
  news: readonly E[],
): NextResult<E> {
  const entities: E[] = [];
  let isSame = result.position !== undefined;
  walk(
    result.entities,
    news,
    () => (isSame = false),
    (entity, known) => {
      const hasChanged = known?.etag !== entity.etag;
      if (hasChanged) isSame = false;
      entities.push(hasChanged ? entity : known!);
    },
  );
  return {
    entities: isSame ? result.entities : entities,
    changes: { inserted: [], updated: [], deleted: [], reset: true },
  };
}

// ------------------------------------------------------------ commits of others

// Hints get lost, and not every storage gives any.
const LOOK_MS = 5000;

const lookouts = new WeakMap<Session, Lookout>();

/** Looks for what others commit as long as one wants it; returns what ends that. */
function lookOut(session: Session, fail: (reason: unknown) => void): () => void {
  let lookout = lookouts.get(session);
  if (!lookout) lookouts.set(session, (lookout = new Lookout(session)));
  return lookout.join(fail);
}

class Lookout {
  readonly #session: Session;
  readonly #members = new Set<(reason: unknown) => void>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #isLooking = false;
  #isDue = false;

  constructor(session: Session) {
    this.#session = session;
  }

  join(fail: (reason: unknown) => void): () => void {
    // One may join twice.
    const member = (reason: unknown) => fail(reason);
    this.#members.add(member);
    if (this.#members.size === 1) this.#begin();
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#end();
    };
  }

  #begin(): void {
    const { hints } = this.#session;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it tells its members of all
    hints.heard = () => void this.#look();
    hints.open();
    this.#listen('addEventListener');
    this.#timer = setInterval(this.#lookIfVisible, LOOK_MS);
    // Node would not end.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #end(): void {
    this.#session.hints.heard = undefined;
    this.#listen('removeEventListener');
    clearInterval(this.#timer);
  }

  // Where there is a page: it may have been away.
  #listen(method: 'addEventListener' | 'removeEventListener'): void {
    globalThis[method]?.('pageshow', this.#lookIfVisible);
    globalThis.document?.[method]('resume', this.#lookIfVisible);
    globalThis.document?.[method]('visibilitychange', this.#lookIfVisible);
  }

  readonly #lookIfVisible = (): void => {
    if (globalThis.document?.visibilityState === 'hidden') return;
    // A page that comes back has none.
    this.#session.hints.open();
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it tells its members of all
    void this.#look();
  };

  // One at a time; what is heard meanwhile leads to one more.
  async #look(): Promise<void> {
    this.#isDue = true;
    if (this.#isLooking) return;
    this.#isLooking = true;
    try {
      while (this.#isDue && this.#members.size > 0) {
        this.#isDue = false;
        await this.#session.request({ kind: 'queryTables', top: '1', fresh: true });
      }
    } catch (reason) {
      for (const fail of this.#members) fail(reason);
    } finally {
      this.#isLooking = false;
    }
  }
}
