/**
 * Rows of the clipboard, as a file for the preview of an import. It is loaded with the first ones.
 *
 * @module
 */

import { isJson, keyColumnsOf } from '../../../js/src/formats/row-columns.js';
import { cellsOf } from './tabbed-text.js';

/** @param table - the table that they are for, if there is one. */
export function fileOfRows(text: string, table = 'Pasted'): File {
  const end = isJson(text) ? 'json' : 'tsv';
  return new File([text], `${table}.${end}`);
}

/** Whether the first line names a key, so that the text has entities and no values for cells. */
export function hasKeys(text: string): boolean {
  const [header = [], ...rows] = cellsOf(text);
  return rows.length > 0 && keyColumnsOf(header)[1] !== undefined;
}

/** Takes a text that was pasted, but not into a cell. */
export function takeRows(text: string, onRows: (text: string) => void): void {
  if (hasKeys(text)) return onRows(text);
  throw new Error('To paste values, choose a cell. To paste new rows, choose “Paste rows”.');
}
