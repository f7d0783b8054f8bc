/**
 * A table that can be followed. `follow.ts`, which follows it, is loaded on demand.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import { MAX_PAGE_RESULTS } from '../base/limits.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { Answer, Operation } from '../core/frames.js';
import type { AccountSession } from '../core/account-session.js';
import type { AggregateOptions } from '../entity/aggregates.js';
import type { TableEntityResult } from '../entity/entities.js';
import { queryOperation, selectedNames } from '../entity/operations.js';
import type { LiveSource } from './follow.js';
import type { LiveResult } from './live-result.js';
import type { ResultSource } from './live-making.js';
import type { LiveEntitiesOptions, TableEntityChanges } from './models.js';

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
  readonly rows:
    | { readonly pick?: ((row: object, select: readonly string[]) => object) | undefined }
    | undefined;

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

/** What is calculated of a table, anew after each commit that may change it. */
export const valueSource =
  <Value>(
    table: FollowedTable,
    query: Pick<Operation, 'table' | 'filter' | 'dialect'>,
    calculate: (signal: AbortSignal) => Promise<Value>,
  ): ResultSource<Value> =>
  async (report, signal) => {
    const { session } = table;
    const { filter } = query;
    const explained = (error: unknown) => table.explained(error, { filter });
    const { followValue } = await loaded(import('./follow.js'));
    await followValue({ session, explained }, query, calculate, report, signal);
  };

const KEYS = ['partitionKey', 'rowKey'];

/**
 * Follows the entities that match. Makes its first requests before it returns, so they come before
 * every later write.
 */
export function followEntities<T extends object>(
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
  const pick = rows?.pick as LiveSource<TableEntityResult<T>>['pick'];
  const source = { session, read, onlyKeys, select, pick, isDeclared, top, isOrdered, explained };
  return loaded(import('./follow.js')).then(({ followResult }) =>
    followResult(source, result, report, signal, beginning),
  );
}
