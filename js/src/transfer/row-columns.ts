/**
 * What the columns of a file mean for entities, wherever the file is read.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';
import type { Cell } from './file-rows.js';
import { edmText } from './infer-types.js';

// The service sets these.
const SYSTEM = /^(?:timestamp|odata\..*|etag)$/i;

/** Whether the beginning of a file is that of JSON with objects. Other files are CSV. */
export const isJson = (beginning: string): boolean => /^\uFEFF?\s*[[{]/.test(beginning);

/** The columns with the keys; undefined, if there is none. */
export function keyColumnsOf(
  names: readonly string[],
): readonly [partitionKey: string | undefined, rowKey: string | undefined] {
  const named = (key: string) => names.find((name) => name.toLowerCase() === key);
  return [named('partitionkey'), named('rowkey')];
}

/** Whether the service sets what the column has. */
export const isSystemColumn = (name: string): boolean => SYSTEM.test(name);

/** The text of a value, whether the file says its type or not. */
export const textOf = (cell: Cell): string => (typeof cell === 'object' ? cell.text : cell);

/** A text as the value of a property. */
export const valueOf = (type: EdmTypes, text: string): unknown =>
  type === 'String' ? text : { type, value: edmText(type, text) };
