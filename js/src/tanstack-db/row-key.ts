/**
 * The keys of rows in a collection.
 *
 * @module
 */

import type { EntityKeys } from '../entity/keys.js';

/** Both keys as one. No key of a stored row has a slash, so no two rows have the same one. */
export function rowKeyOf({ partitionKey, rowKey }: EntityKeys): string {
  return `${partitionKey}/${rowKey}`;
}
