/**
 * The paths of tables and entities below the address of an account.
 *
 * @module
 */

import type { Key } from './token.js';

/** The path of a table in the list of tables. */
export const pathOfTable = (table: string): string => `/Tables(${literal(table)})`;

/** The path of an entity. */
export const pathOfEntity = (table: string, { partitionKey, rowKey }: Key): string =>
  `/${table}(PartitionKey=${literal(partitionKey)},RowKey=${literal(rowKey)})`;

// The apostrophe is doubled: in a literal it stands for one.
const literal = (text: string) => `'${encodeURIComponent(text).replaceAll("'", "''")}'`;
