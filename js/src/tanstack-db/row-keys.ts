/**
 * The keys of rows: as they are stored, and in a collection. The rows of a declared table may have
 * them under the names of the app.
 *
 * @module
 */

import type { EntityKeys } from '../entity/keys.js';
import type { RowForm } from '../entity/row-form.js';

/** A stored key. */
export type StoredKey = keyof EntityKeys;

/** The form of rows; undefined, if the table is not declared. */
export type Form = RowForm | undefined;

const KEYS: readonly string[] = ['partitionKey', 'rowKey'] satisfies StoredKey[];

/** The names of the properties that are the key. */
export const keyNames = (form: Form): readonly string[] => form?.names.keys ?? KEYS;

/**
 * Returns the stored keys of a row.
 *
 * @throws {@link TableError} `InvalidInput`, if a field of the key is missing.
 */
export function keysOf(form: Form, row: object): EntityKeys {
  const { partitionKey, rowKey } = row as EntityKeys;
  // A row that was read has them, too.
  const isStored = typeof partitionKey === 'string' && typeof rowKey === 'string';
  return isStored || !form ? { partitionKey, rowKey } : form.names.keysOf(row);
}

/**
 * Returns the key of a row in a collection: the RowKey if the key is one property, else both with a
 * slash, which no stored key has.
 */
export function rowKeyOf(form: Form, row: object): string {
  const { partitionKey, rowKey } = keysOf(form, row);
  return keyNames(form).length === 1 ? rowKey : `${partitionKey}/${rowKey}`;
}

/** The key that is stored as this property is; undefined, if there is none. */
export function storedKeyOf(form: Form, name: string | undefined): StoredKey | undefined {
  if (name === undefined || !keyNames(form).includes(name)) return undefined;
  try {
    return (form?.names.storedName(name) ?? name) as StoredKey;
  } catch {
    // A part of a key, or no text.
    return undefined;
  }
}
