/**
 * Subscriptions and live results of a table. `follow.ts`, which follows the table, is loaded on
 * demand.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import { MAX_PAGE_RESULTS } from '../base/limits.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { Answer, Operation } from '../core/frames.js';
import type { AccountSession } from '../core/account-session.js';
import { copyOf, type AggregateOptions } from '../entity/aggregates.js';
import type { TableEntityResult } from '../entity/entities.js';
import { queryOperation, selectedNames } from '../entity/operations.js';
import type { LiveResult } from './live-result.js';
import { Live, type FollowResult, type LiveCount, type LiveEntities } from './live.js';
import type {
  LiveAggregateOptions,
  LiveCountOptions,
  LiveEntitiesOptions,
  SubscribeOptions,
  TableEntityChanges,
} from './models.js';

/** What a read has found. */
export interface Found<T extends object> {
  readonly entities: TableEntityResult<T>[];
  readonly answer: Answer;
}

/** A table that can be followed. */
export interface FollowedTable {
  readonly session: AccountSession;
  readonly name: string;

  /** The form of rows; missing unless the table is declared. */
  readonly rows: object | undefined;

  /**
   * Carries out a read. Returns no promise if the answer is there at once. `select` has the names
   * that the operation selects.
   */
  read<T extends object>(
    operation: Operation,
    signal: AbortSignalLike,
    options?: { select?: readonly string[] | undefined },
  ): Found<T> | Promise<Found<T>>;

  /** Calculates aggregates. Its errors are not explained. */
  groups(options: AggregateOptions): Promise<object[]>;

  /** Returns the error to throw in place of another. */
  explained(
    error: unknown,
    subject: Pick<LiveEntitiesOptions, 'filter' | 'select' | 'orderBy'>,
  ): unknown;
}

/** See `TableClient.subscribe()`; the options are checked. */
export function subscribeTo<T extends object>(
  table: FollowedTable,
  options: SubscribeOptions,
  listener: (changes: TableEntityChanges<T>) => void,
): () => void {
  if (typeof listener !== 'function') {
    throw invalidInput(`The listener of subscribe must be a function, not ${shown(listener)}.`);
  }
  const { abortSignal, onError } = options;
  const stop = new AbortController();
  const { signal } = stop;
  // The signal may live longer than the subscription, and would keep it in memory.
  const end = () => {
    abortSignal?.removeEventListener('abort', end);
    stop.abort();
  };
  abortSignal?.addEventListener('abort', end);
  if (abortSignal?.aborted) end();
  const unlessOver = (work: () => void) => queueMicrotask(() => signal.aborted || work());
  const report = (changes: TableEntityChanges<T>) => unlessOver(() => listener(changes));
  const result: LiveResult<TableEntityResult<T>> = { entities: [] };
  follow(table, options, result, report, signal, true).then(end, (error: unknown) => {
    end();
    if (!onError) throw error;
    onError(error);
  });
  return end;
}

/** See `TableClient.liveEntities()`; the options are checked. */
export function liveEntitiesOf<T extends object>(
  table: FollowedTable,
  options: LiveEntitiesOptions,
): LiveEntities<T> {
  const { select } = options;
  const empty: readonly TableEntityResult<T>[] = [];
  return new Live(
    ({ filter, dialect, top, orderBy }) => {
      const query = { filter, dialect, top, orderBy, select };
      const result: LiveResult<TableEntityResult<T>> = { entities: empty };
      return (report, signal) =>
        follow(table, query, result, () => report(result.entities), signal, false);
    },
    options,
    empty,
  );
}

/** See `TableClient.liveCount()`; the options are checked. */
export function liveCountOf(table: FollowedTable, options: LiveCountOptions): LiveCount {
  const begin = ({ filter, dialect }: LiveCountOptions) => {
    const query = { table: table.name, filter, dialect };
    return followValueOf(table, query, async (signal) => {
      const { body } = await table.session.request({ ...query, kind: 'countEntities' }, signal);
      return (JSON.parse(body!) as { count: number }).count;
    });
  };
  return new Live(begin, options, 0);
}

/** See `TableClient.liveAggregate()`; the options are checked. */
export function liveAggregateOf(
  table: FollowedTable,
  options: LiveAggregateOptions,
): Live<readonly object[]> {
  const groupBy = copyOf(options.groupBy);
  const select = copyOf(options.select);
  const empty: readonly object[] = [];
  let known = empty;
  const begin = ({ filter, dialect }: LiveAggregateOptions) =>
    followValueOf(table, { table: table.name, filter, dialect }, async (abortSignal) => {
      const { withKnownParts } = await loaded(import('./known-parts.js'));
      const groups = await table.groups({ filter, dialect, groupBy, select, abortSignal });
      return (known = withKnownParts(known, groups));
    });
  return new Live<readonly object[]>(begin, options, empty);
}

const followValueOf =
  <Value>(
    table: FollowedTable,
    query: Pick<Operation, 'table' | 'filter' | 'dialect'>,
    calculate: (signal: AbortSignal) => Promise<Value>,
  ): FollowResult<Value> =>
  async (report, signal) => {
    const { session } = table;
    const { filter } = query;
    const explained = (error: unknown) => table.explained(error, { filter });
    const { followValue } = await loaded(import('./follow.js'));
    await followValue({ session, explained }, query, calculate, report, signal);
  };

const KEYS = ['partitionKey', 'rowKey'];

// Makes its first requests before the first await, so they come before every later write.
async function follow<T extends object>(
  table: FollowedTable,
  { filter, dialect, top, orderBy, select: given }: LiveEntitiesOptions,
  result: LiveResult<TableEntityResult<T>>,
  report: (changes: TableEntityChanges<T>) => void,
  signal: AbortSignal,
  onlyKeys: boolean,
): Promise<void> {
  const select = selectedNames(given);
  const names = onlyKeys ? KEYS : select && [...KEYS, 'timestamp', ...select];
  const isOrdered = Boolean(orderBy?.length);
  const order = isOrdered ? { orderBy, top } : {};
  const query = {
    ...queryOperation(table.name, { filter, dialect, select: names, ...order }),
    top: top ? `${Math.min(top, MAX_PAGE_RESULTS)}` : undefined,
  };
  // Reports of commits have all properties of an entity.
  const read = async (operation: Partial<Operation>, abortSignal: AbortSignal) =>
    await table.read<T>(
      { ...query, ...operation },
      abortSignal,
      operation.kind || onlyKeys ? {} : { select: names },
    );
  const beginning = result.position
    ? undefined
    : Promise.all([
        read({ kind: 'awaitChanges', fresh: true }, signal),
        read({ fresh: true }, signal),
      ]);
  beginning?.catch(() => undefined);
  const explained = (error: unknown) => table.explained(error, { filter, select, orderBy });
  const { session, rows } = table;
  const isDeclared = Boolean(rows);
  const source = { session, read, onlyKeys, select, isDeclared, top, isOrdered, explained };
  const live = await loaded(import('./follow.js'));
  await live.follow(source, result, report, signal, beginning);
}
