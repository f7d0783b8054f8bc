/**
 * What the columns of a file mean for entities, wherever the file is read.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';
import type { Cell } from './cell.js';
import { edmText } from './infer-types.js';
import { isEitherNumber, PLAIN_FORMS, plainText, type TextForms } from './text-forms.js';

// The names of the keys: of the service, and in this package.
const KEYS = [
  ['PartitionKey', 'partitionKey'],
  ['RowKey', 'rowKey'],
] as const;

/** Whether the beginning of a file is that of JSON with objects. Other files are CSV. */
export const isJson = (beginning: string): boolean => /^\uFEFF?\s*[[{]/.test(beginning);

/** Columns of both keys. Undefined: there is none. */
export type KeyColumns = readonly [partitionKey: string | undefined, rowKey: string | undefined];

/**
 * The columns with the keys. Names of the service have one case, so `rowkey` beside `RowKey` is a
 * property; without `RowKey` it is the key.
 */
export function keyColumnsOf(names: readonly string[]): KeyColumns {
  const [partitionKey, rowKey] = KEYS.map(
    ([wire, api]) =>
      [wire, api].find((name) => names.includes(name)) ??
      names.find((name) => name.toLowerCase() === wire.toLowerCase()),
  );
  return [partitionKey, rowKey];
}

/**
 * The columns that the service sets. Only files with the names of its keys have them: entities as
 * it returns them, or as this package does. In other files, they are columns like all others.
 */
export function systemColumnsOf(names: readonly string[]): string[] {
  const has = (at: 0 | 1) => KEYS.every((key) => names.includes(key[at]));
  if (has(0)) return names.filter((name) => /^(?:Timestamp|odata\..*)$/.test(name));
  return has(1) ? names.filter((name) => name === 'timestamp' || name === 'etag') : [];
}

/** The text of a value, whether the file says its type or not. */
export const textOf = (cell: Cell): string => (typeof cell === 'object' ? cell.text : cell);

/** The same for all types but String: of a number of JSON, the usual form. */
export const plainTextOf = (cell: Cell): string =>
  (typeof cell === 'object' ? cell.plain : undefined) ?? textOf(cell);

/**
 * A text as the value of a property.
 *
 * @param forms - of a text whose type the file does not say.
 */
export function valueOf(type: EdmTypes, text: string, forms: TextForms = PLAIN_FORMS): unknown {
  if (type === 'String') return text;
  return { type, value: edmText(type, plainText(text, forms) ?? text) };
}

/**
 * `1.234,50 → 1234.5`: a text whose type the file does not say, and its value, if the forms of the
 * file decide which one it is. Any other text is alone.
 */
export function shownValue(type: EdmTypes, text: string, forms: TextForms): string {
  const plain = plainText(text, forms) ?? text;
  if (type === 'String' || (plain === text && !isEitherNumber(text))) return text;
  const value = type === 'Double' ? String(Number(plain)) : edmText(type, plain);
  return value === text ? text : `${text} → ${value}`;
}
