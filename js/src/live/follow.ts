/**
 * Follows a table: it keeps the result of a filter up to date with the commits that the core
 * reports. It is loaded on demand.
 *
 * @module
 */

import { Slices } from '../base/slices.js';
import type { Answer, Operation } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type { AccountSession } from '../core/account-session.js';
import { watchCommits } from './commit-watcher.js';

/** The members that every entity of a result has. */
export interface LiveEntity {
  readonly etag: string;
  readonly partitionKey?: string;
  readonly rowKey?: string;
  /** Missing if only the keys are read. */
  readonly timestamp?: string;
}

interface LiveRead<E> {
  readonly entities: E[];
  readonly answer: Answer;
}

/** What to follow. */
export interface LiveSource<E extends LiveEntity> {
  readonly session: AccountSession;

  /** Carries out a read. Members that are missing are those of the query. */
  readonly read: (operation: Partial<Operation>, signal: AbortSignal) => Promise<LiveRead<E>>;

  /** Whether only the keys and the etag of an entity are kept. */
  readonly onlyKeys: boolean;
}

/** How one answer of the core changed the result. */
export interface LiveChanges<E> {
  readonly inserted: E[];
  readonly updated: E[];
  readonly deleted: E[];
  /** The result was read as a whole: the changes since the last answer are not known. */
  readonly reset: boolean;
}

/** A result and its position in the commits. It is kept after the last follower has ended. */
export interface LiveResult<E> {
  entities: readonly E[];
  position?: string | undefined;
}

/** The first answers: the position, and the first page of the result. */
export type Beginning<E> = Promise<[begun: LiveRead<E>, page: LiveRead<E>]>;

const RESET = 205;

/**
 * Reports changes until the signal fires or the account is closed. Rejects when it cannot go on.
 *
 * @param beginning - requests that were made before any write that must be reported.
 */
export async function follow<E extends LiveEntity>(
  source: LiveSource<E>,
  result: LiveResult<E>,
  report: (changes: LiveChanges<E>) => void,
  signal: AbortSignal,
  beginning?: Beginning<E>,
): Promise<void> {
  // It may have fired while this script was loaded.
  if (signal.aborted) return;
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  const { nextChanges, leave } = changesOf(source, result, stop.signal);
  try {
    let [latest, page] = beginning ? await beginning : [await nextChanges()];
    for (;;) {
      const isReset = latest.answer.status === RESET;
      const next = isReset
        ? replaced(result, await readAll(source, stop.signal, page))
        : merged(result, latest.entities, source.onlyKeys);
      // The next follower begins with the same result, so it must hold no unreported change.
      if (signal.aborted) return;
      result.entities = next.entities;
      result.position = latest.answer.position;
      if (next.changes) report(next.changes);
      page = undefined;
      latest = await nextChanges();
    }
  } catch (error) {
    const isEnd = signal.aborted || (error as { code?: string }).code === 'AccountClosed';
    if (!isEnd) throw error;
  } finally {
    leave();
    stop.abort();
  }
}

/** Waits for the changes after the position of the result. `leave` ends the watch for commits. */
function changesOf<E extends LiveEntity>(
  { session, read }: LiveSource<E>,
  result: LiveResult<E>,
  signal: AbortSignal,
): { nextChanges: () => Promise<LiveRead<E>>; leave: () => void } {
  let leave!: () => void;
  // A storage that cannot be read hides the commits of other accounts.
  const lost = new Promise<never>((_, reject) => (leave = watchCommits(session, reject)));
  lost.catch(() => undefined);
  const nextChanges = () => {
    const { position } = result;
    const operation = { kind: 'awaitChanges', position, fresh: !position } as const;
    return Promise.race([lost, read(operation, signal)]);
  };
  return { nextChanges, leave };
}

async function readAll<E extends LiveEntity>(
  { read }: LiveSource<E>,
  signal: AbortSignal,
  page?: LiveRead<E>,
): Promise<E[]> {
  const entities: E[] = [];
  const slices = new Slices();
  let position: PagePosition | undefined = {};
  do {
    await slices.turn();
    page ??= await read(position, signal);
    for (const entity of page.entities) entities.push(entity);
    position = positionOf(page.answer);
    page = undefined;
  } while (position);
  return entities;
}

// Keys are compared as in the service, by UTF-16 units.
function order(one: LiveEntity, other: LiveEntity): number {
  const compare = (a = '', b = '') => (a < b ? -1 : a > b ? 1 : 0);
  return compare(one.partitionKey, other.partitionKey) || compare(one.rowKey, other.rowKey);
}

// Walks over both lists, which have the same order. `visit` gets each entity of `news` with the
// known entity of the same keys.
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

/** The result after one answer. Without changes, it is the known result. */
interface NextResult<E> {
  readonly entities: readonly E[];
  readonly changes?: LiveChanges<E>;
}

// The core reports entities in any order.
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
    // An entity that was reported more than once counts once: every report has its newest state.
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

// An entity that did not change stays the same object.
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
