/**
 * The forms that a table is exported in.
 *
 * @module
 */

import { csvOf, jsonOf } from '../../../js/src/formats/export-lines.js';
import type { Row } from '../../../js/src/formats/rows.js';

export interface Format {
  /** The end of the file's name. */
  readonly ending: string;
  readonly type: string;
  lines(list: () => AsyncIterable<Row>): AsyncIterable<string>;
}

/** By their names for people, the one that keeps every value and type first. */
export const FORMATS: Readonly<Record<string, Format>> = {
  'JSON Lines': {
    ending: 'jsonl',
    type: 'application/jsonl',
    lines: (list) => jsonOf(list(), false),
  },
  'JSON array': {
    ending: 'json',
    type: 'application/json',
    lines: (list) => jsonOf(list(), true),
  },
  'CSV of Storage Explorer, with types': {
    ending: 'typed.csv',
    type: 'text/csv',
    lines: (list) => csvOf(list, { withTypes: true }),
  },
  'CSV, without types': {
    ending: 'csv',
    type: 'text/csv',
    lines: (list) => csvOf(list, { withTypes: false }),
  },
  'CSV for Excel and other spreadsheets': {
    ending: 'csv',
    type: 'text/csv',
    lines: (list) => csvOf(list, { withTypes: false, hasMark: true, isGuarded: true }),
  },
};
