/**
 * Filters for the entities of a result before, from or up to a key, in the order of the keys.
 *
 * The PartitionKey is also compared alone, because the planner makes a key range of that.
 *
 * @module
 */

import { odata } from 'entitable';

import type { EntityKeys } from './row-query.js';

export function beforeKeys({ partitionKey, rowKey }: EntityKeys): string {
  return odata`PartitionKey le ${partitionKey} and (PartitionKey lt ${partitionKey} or RowKey lt ${rowKey})`;
}

export function fromKeys({ partitionKey, rowKey }: EntityKeys): string {
  return odata`PartitionKey ge ${partitionKey} and (PartitionKey gt ${partitionKey} or RowKey ge ${rowKey})`;
}

export function upToKeys({ partitionKey, rowKey }: EntityKeys): string {
  return odata`PartitionKey le ${partitionKey} and (PartitionKey lt ${partitionKey} or RowKey le ${rowKey})`;
}

/** All of the conditions; an empty filter, if there are none. */
export function allOf(...conditions: readonly string[]): string {
  const given = conditions.filter((condition) => condition.trim() !== '');
  return given.length < 2 ? (given[0] ?? '') : given.map((it) => `(${it})`).join(' and ');
}
