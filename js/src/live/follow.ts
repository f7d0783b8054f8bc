/**
 * Follows a table: it keeps the result of a filter up to date with the commits that the core
 * reports. It is loaded on demand.
 *
 * @module
 */

import { abortError } from '../base/errors.js';
import { own } from '../base/own.js';
import { Slices } from '../base/slices.js';
import { apiName, wireName } from '../base/system-names.js';
import type { Answer, Operation } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import type { AccountSession } from '../core/account-session.js';
import { define } from '../entity/json.js';
import { watchCommits } from './commit-watcher.js';
import {
  finderByKeys,
  finderInAnyOrder,
  isOutdated,
  NewReading,
  order,
  withChanges,
  type LiveChanges,
  type LiveEntity,
  type LiveResult,
  type News,
  type NextResult,
  type Parts,
} from './live-result.js';

interface LiveRead<E> {
  readonly entities: E[];
  readonly answer: Answer;
}

/** What to follow. */
export interface LiveSource<E extends LiveEntity> {
  readonly session: AccountSession;

  /** Returns the error to throw in place of another. */
  readonly explained: (error: unknown) => unknown;

  /** Carries out a read. Members that are missing are those of the query. */
  readonly read: (operation: Partial<Operation>, signal: AbortSignal) => Promise<LiveRead<E>>;

  /** Whether only the keys and the etag of an entity are kept. */
  readonly onlyKeys: boolean;

  /** The selected properties; without it, all. Reports of commits have all properties. */
  readonly select?: readonly string[] | undefined;

  /** Selects properties of an entity; without it, they are those with these names. */
  readonly pick?: ((entity: E, select: readonly string[]) => E) | undefined;

  /** Whether the table is declared. Its rows leave out a missing property, also a selected one. */
  readonly isDeclared: boolean;

  /** The most entities of the result, which has the first ones. Without it, the result has all. */
  readonly top?: number | undefined;

  /** Whether the result is in another order than that of the keys. */
  readonly isOrdered: boolean;
}

/** The first answers: the position, and the first page of the result. */
export type Beginning<E> = Promise<[begun: LiveRead<E>, page: LiveRead<E>]>;

const RESET = 205;

// The most readings for one report.
const MOST_READINGS = 2;

/**
 * Reports changes until the signal fires or the account is closed. Local and remote changes of one
 * answer are two reports. Rejects when it cannot go on.
 *
 * @param beginning - requests that were made before any write that must be reported.
 */
export async function followResult<E extends LiveEntity>(
  source: LiveSource<E>,
  result: LiveResult<E>,
  report: (changes: LiveChanges<E>) => void,
  signal: AbortSignal,
  beginning?: Beginning<E>,
): Promise<void> {
  await whileWatched(source, signal, async (stopped) => {
    let [latest, page] = beginning
      ? await beginning
      : [await changesAfter(source, result.position, stopped)];
    for (;;) {
      const work = { slices: new Slices(), signal: stopped };
      const { changes, ...next } = await nextResult(source, result, latest, work, page);
      // The next follower begins with the same result, so it must hold no unreported change.
      if (signal.aborted) return;
      // A closed account reports nothing more. The next request fails and ends the loop, with the
      // error of the module if that has aborted.
      if (source.session.isOpen) {
        Object.assign(result, next);
        for (const change of changes) report(change);
      }
      page = undefined;
      latest = await changesAfter(source, next.position, stopped);
    }
  });
}

// Without a position, the answer is a reset.
const changesAfter = <E extends LiveEntity>(
  { read }: Pick<LiveSource<E>, 'read'>,
  position: string | undefined,
  signal: AbortSignal,
  atOnce?: boolean,
) => read({ kind: 'awaitChanges', position, fresh: !position, atOnce }, signal);

/**
 * Reports what is calculated of the entities that fit a filter, anew after each commit that may
 * change it, as {@link followResult} does. Commits during a calculation lead to one more.
 */
export async function followValue<Value>(
  { session, explained }: Pick<LiveSource<LiveEntity>, 'session' | 'explained'>,
  { table, filter, dialect }: Pick<Operation, 'table' | 'filter' | 'dialect'>,
  calculate: (signal: AbortSignal) => Promise<Value>,
  report: (value: Value) => void,
  signal: AbortSignal,
): Promise<void> {
  await whileWatched({ session, explained }, signal, async (stopped) => {
    let position: string | undefined;
    for (;;) {
      const query = { table, filter, dialect, position, fresh: !position, asValues: true };
      // The bodies are not read: only the fact of a change matters.
      const changes = session.request({ ...query, kind: 'awaitChanges' }, stopped, () => undefined);
      ({ position } = await changes);
      const value = await calculate(stopped);
      if (signal.aborted) return;
      report(value);
    }
  });
}

/**
 * Reports entities that commits wrote, as they are now, and the keys of deleted entities, without a
 * timestamp. Keeps no result. Each report has the changes since the last one.
 *
 * @param report - gets undefined if the single changes are not known: at first, and whenever
 * `followResult` would read the whole result again. The next report waits for its promise.
 */
export async function followChanges<E extends LiveEntity>(
  { session, explained, read }: Pick<LiveSource<E>, 'session' | 'explained' | 'read'>,
  report: (changes: readonly E[] | undefined) => void | Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  await whileWatched({ session, explained }, signal, async (stopped) => {
    let position: string | undefined;
    for (;;) {
      const { entities, answer } = await changesAfter({ read }, position, stopped);
      if (signal.aborted) return;
      position = answer.position;
      await report(answer.status === RESET ? undefined : entities);
    }
  });
}

// Ends when the signal fires or the account is closed. Fails when the storage cannot be read, which
// hides the commits of other accounts.
async function whileWatched(
  { session, explained }: Pick<LiveSource<LiveEntity>, 'session' | 'explained'>,
  signal: AbortSignal,
  work: (stopped: AbortSignal) => Promise<void>,
): Promise<void> {
  // It may have fired while this script was loaded.
  if (signal.aborted) return;
  const stop = new AbortController();
  signal.addEventListener('abort', () => stop.abort());
  let cause: unknown;
  const leave = watchCommits(session, (loss) => {
    cause ??= loss;
    stop.abort();
  });
  try {
    await work(stop.signal);
  } catch (error) {
    cause ??= error;
    const isEnd = signal.aborted || (cause as { code?: string }).code === 'AccountClosed';
    if (!isEnd) throw explained(cause);
  } finally {
    leave();
    stop.abort();
  }
}

/** The slices of all work on one answer, and what ends it. */
interface Work {
  readonly slices: Slices;
  readonly signal: AbortSignal;
}

// A result that fits one slice comes without another turn.
async function inSlices<T>(parts: Parts<T>, { slices, signal }: Work): Promise<T> {
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
    if (!slices.isOver) continue;
    await slices.turn();
    if (signal.aborted) throw abortError(signal);
  }
}

// The result up to the position of an answer, or a later one. Commits may come while it is read:
// between two pages, or between two slices of one. They are added before the result is reported. So
// it shows one state of the table, unless it must be read again, and commits come again meanwhile.
async function nextResult<E extends LiveEntity>(
  source: LiveSource<E>,
  reported: Readonly<LiveResult<E>>,
  latest: LiveRead<E>,
  work: Work,
  page: LiveRead<E> | undefined,
): Promise<NextResult<E> & Pick<Answer, 'position'>> {
  let known = reported;
  let changes: readonly LiveChanges<E>[] = [];
  for (let readings = 1; ; readings++) {
    const { position, status } = latest.answer;
    const news = status === RESET ? undefined : changesIn(latest, source);
    const changed = news && (await withNews(source, known, news, work));
    const next = changed ?? (await readAgain(source, reported, work, page));
    known = { ...next, position };
    // One reset stands for all that came before it.
    changes = changed ? [...changes, ...changed.changes] : next.changes;
    if (changed || readings === MOST_READINGS) return { ...known, changes };
    latest = await changesAfter(source, position, work.signal, true);
    page = undefined;
  }
}

// Reads the result as a whole.
async function readAgain<E extends LiveEntity>(
  { read, isOrdered, top = Infinity }: LiveSource<E>,
  result: Readonly<LiveResult<E>>,
  work: Work,
  page: LiveRead<E> | undefined,
): Promise<NextResult<E>> {
  const { entities: known } = result;
  const find = isOrdered ? await inSlices(finderInAnyOrder(known), work) : finderByKeys(known);
  const reading = new NewReading(result, find);
  let position: PagePosition | undefined = {};
  let hasMore = false;
  do {
    await work.slices.turn();
    const { entities, answer }: LiveRead<E> = page ?? (await read(position, work.signal));
    const room = top - reading.length;
    reading.add(entities.slice(0, room));
    position = positionOf(answer);
    hasMore = position !== undefined || entities.length > room;
    page = undefined;
  } while (position && reading.length < top);
  return reading.end(hasMore);
}

function selected<E extends LiveEntity>(
  entities: readonly E[],
  { select, pick, isDeclared }: LiveSource<E>,
): readonly E[] {
  if (!select) return entities;
  if (pick) return entities.map((entity) => pick(entity, select));
  return entities.map((entity) => {
    const { etag, partitionKey, rowKey, timestamp } = entity;
    const properties: Record<string, unknown> = { etag, partitionKey, rowKey, timestamp };
    for (const given of select) {
      const name = apiName(wireName(given));
      const value = own(entity, name);
      // A missing property is null, as in a query.
      if (value !== undefined || !isDeclared) define(properties, name, value ?? null);
    }
    return properties as unknown as E;
  });
}

function changesIn<E extends LiveEntity>(
  { entities: written, answer: { origins = '' } }: LiveRead<E>,
  source: LiveSource<E>,
): News<E> {
  const entities = selected(written, source);
  return { entities, remote: new Set(entities.filter((_, at) => origins[at] === 'r')) };
}

// Undefined if the result must be read again.
async function withNews<E extends LiveEntity>(
  { top = Infinity, onlyKeys, isOrdered }: LiveSource<E>,
  { entities: known, hasMore }: Readonly<LiveResult<E>>,
  { entities: news, remote }: News<E>,
  work: Work,
): Promise<NextResult<E> | undefined> {
  // Only the core knows the place of an entity in the order.
  if (isOrdered) {
    const mustBeRead = await inSlices(isOutdated(known, news), work);
    return mustBeRead ? undefined : { entities: known, hasMore, changes: [] };
  }
  // If more entities match, those after the last one are not all known.
  const last = hasMore ? known.at(-1) : undefined;
  const entities = last ? news.filter((entity) => order(entity, last) <= 0) : news;
  const next = await inSlices(withChanges(known, { entities, remote }, onlyKeys), work);
  if (next.entities.length < top && hasMore) return undefined;
  if (next.entities.length <= top) return { ...next, hasMore };
  const first = next.entities.slice(0, top);
  const isSame = first.every((entity, at) => entity === known[at]);
  return { ...next, entities: isSame ? known : first, hasMore: true };
}
