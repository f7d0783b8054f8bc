/**
 * The keys of rows in a collection.
 *
 * @module
 */

import type { EntityKeys } from '../entity/keys.js';

/** Joins both keys with a slash. Stored keys have no slash, so the result is unique. */
export function rowKeyOf({ partitionKey, rowKey }: EntityKeys): string {
  return `${partitionKey}/${rowKey}`;
}
