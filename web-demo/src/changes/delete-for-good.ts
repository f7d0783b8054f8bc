/**
 * Deletes more entities than an undo could keep, as they are in their turn.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { isLocal } from '../explorer/limits.js';
import type { LoadOptions } from '../load-progress.js';
import type { EntityKeys } from '../rows/row-query.js';
import { ifThere, type Target } from './read-entities.js';
import { AT_ONCE } from './write-steps.js';

/** @returns how many were deleted, even if the signal has stopped it. */
export async function deleteForGood(
  table: TableClient,
  target: Target,
  options: LoadOptions,
): Promise<number> {
  if ('filter' in target && isLocal(table)) return deleteMatching(table, target.filter, options);
  // The service deletes nothing by a filter.
  const keys = 'keys' in target ? target.keys : await keysOf(table, target.filter);
  return deleteKeys(table, keys, options);
}

async function keysOf(table: TableClient, filter: string): Promise<EntityKeys[]> {
  const keys: EntityKeys[] = [];
  const list = table.listEntities({ filter, select: ['PartitionKey', 'RowKey'] });
  for await (const { partitionKey = '', rowKey = '' } of list) keys.push({ partitionKey, rowKey });
  return keys;
}

async function deleteKeys(
  table: TableClient,
  keys: readonly EntityKeys[],
  { signal, onProgress }: LoadOptions,
): Promise<number> {
  const start = performance.now();
  let count = 0;
  for (let at = 0; at < keys.length && !signal.aborted; at += AT_ONCE) {
    const some = keys.slice(at, at + AT_ONCE).map((one) => deleteIfThere(table, one));
    count += (await Promise.all(some)).filter(Boolean).length;
    onProgress({ loaded: count, milliseconds: performance.now() - start });
  }
  return count;
}

async function deleteIfThere(table: TableClient, keys: EntityKeys): Promise<boolean> {
  const deleted = table.deleteEntity(keys.partitionKey, keys.rowKey).then(() => true);
  return (await ifThere(deleted)) ?? false;
}

async function deleteMatching(
  table: TableClient,
  filter: string,
  { signal, onProgress }: LoadOptions,
): Promise<number> {
  const start = performance.now();
  try {
    const { deleted } = await table.deleteEntities({
      filter: filter.trim() || 'true',
      abortSignal: signal,
      onProgress: ({ deleted: loaded }) =>
        onProgress({ loaded, milliseconds: performance.now() - start }),
    });
    return deleted;
  } catch (error) {
    if (!signal.aborted) throw error;
    return (error as { stored?: number }).stored ?? 0;
  }
}
