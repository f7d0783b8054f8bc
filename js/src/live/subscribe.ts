/**
 * Subscriptions to the changes of a table.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { shown } from '../base/shown.js';
import type { TableEntityResult } from '../entity/entities.js';
import { followEntities, type FollowedTable } from './followed-table.js';
import type { LiveResult } from './live-result.js';
import type { SubscribeOptions, TableEntityChanges } from './models.js';

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
  followEntities(table, options, result, report, signal, true).then(end, (error: unknown) => {
    end();
    if (!onError) throw error;
    onError(error);
  });
  return end;
}
