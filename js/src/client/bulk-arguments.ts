/**
 * Checks arguments of `deleteEntities` and `updateEntities` at once, before their script is loaded.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { isObject } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import type { PropertiesToSet } from './bulk-changes.js';

/**
 * Refuses a missing filter. A variable without a value must not change a whole table.
 *
 * @throws {@link TableError} `InvalidInput`.
 */
export function checkBulkFilter(owner: string, filter: string | undefined): void {
  if (filter?.trim()) return;
  throw invalidInput(`${owner} needs a filter. 'true' is the filter of all entities.`);
}

/**
 * Returns a copy of the properties to merge, or the function itself.
 *
 * @throws {@link TableError} `InvalidInput`, if it is something else, or has a key.
 */
export function copyOfSet(set: unknown): PropertiesToSet {
  if (typeof set === 'function') return set as PropertiesToSet;
  if (!isObject(set) || Array.isArray(set)) {
    throw invalidInput(
      `The option set of updateEntities must be properties or a function, not ${shown(set)}.`,
    );
  }
  const key = ['partitionKey', 'rowKey', 'PartitionKey', 'RowKey'].find((name) => name in set);
  if (key) throw invalidInput(`The option set of updateEntities has a ${key}. Keys do not change.`);
  return { ...set };
}
