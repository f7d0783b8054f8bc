/**
 * Subscriptions and live results of a table. `follow.ts`, which follows the table, is loaded on
 * demand.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { loaded } from '../base/loaded.js';
import { shown } from '../base/shown.js';
import type { Answer, Operation } from '../core/frames.js';
import type { AccountSession } from '../core/account-session.js';
import type { TableEntityResult } from '../entity/models.js';
import { queryOperation } from '../entity/operations.js';
import type { LiveResult } from './follow.js';
import { LiveEntities } from './live-entities.js';
import type { LiveEntitiesOptions, TableEntityChanges } from './models.js';

/** A table that can be followed. */
export interface FollowedTable {
  readonly session: AccountSession;
  readonly name: string;

  /** Carries out a read. */
  read<T extends object>(
    operation: Operation,
    signal: AbortSignal,
  ): Promise<{ entities: TableEntityResult<T>[]; answer: Answer }>;

  /** Returns the error to throw in place of another. */
  explained(error: unknown, subject: { readonly filter: string | undefined }): unknown;
}

/** See `TableClient.subscribe()`; the options are checked. */
export function subscribeTo<T extends object>(
  table: FollowedTable,
  { abortSignal, onError, filter }: LiveEntitiesOptions,
  listener: (changes: TableEntityChanges<T>) => void,
): () => void {
  if (typeof listener !== 'function') {
    throw invalidInput(`The listener of subscribe must be a function, not ${shown(listener)}.`);
  }
  const stop = new AbortController();
  const { signal } = stop;
  // A signal may live longer than the subscription, and would hold it.
  const end = () => {
    abortSignal?.removeEventListener('abort', end);
    stop.abort();
  };
  abortSignal?.addEventListener('abort', end);
  if (abortSignal?.aborted) end();
  const unlessOver = (work: () => void) => queueMicrotask(() => signal.aborted || work());
  const report = (changes: TableEntityChanges<T>) => unlessOver(() => listener(changes));
  const result: LiveResult<TableEntityResult<T>> = { entities: [] };
  follow(table, filter, result, report, signal, true).then(end, (error: unknown) => {
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
  const { filter } = options;
  const result: LiveResult<TableEntityResult<T>> = { entities: [] };
  return new LiveEntities<T>(
    (report, signal) => follow(table, filter, result, () => report(result.entities), signal, false),
    options,
  );
}

// Requests before the first await come before every later write.
async function follow<T extends object>(
  table: FollowedTable,
  filter: string | undefined,
  result: LiveResult<TableEntityResult<T>>,
  report: (changes: TableEntityChanges<T>) => void,
  signal: AbortSignal,
  onlyKeys: boolean,
): Promise<void> {
  const select = onlyKeys ? ['partitionKey', 'rowKey'] : undefined;
  const query = queryOperation(table.name, { queryOptions: { filter, select } });
  const read = (operation: Partial<Operation>, abortSignal: AbortSignal) =>
    table.read<T>({ ...query, ...operation }, abortSignal);
  const beginning = result.position
    ? undefined
    : Promise.all([
        read({ kind: 'awaitChanges', fresh: true }, signal),
        read({ fresh: true }, signal),
      ]);
  beginning?.catch(() => undefined);
  const source = { session: table.session, read, onlyKeys };
  try {
    const live = await loaded(import('./follow.js'));
    await live.follow(source, result, report, signal, beginning);
  } catch (error) {
    throw table.explained(error, { filter });
  }
}
