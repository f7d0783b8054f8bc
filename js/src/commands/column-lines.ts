/**
 * Rows as lines with a column for each property, for a reader.
 *
 * @module
 */

import { own } from '../base/own.js';
import { wireName } from '../base/system-names.js';
import { textOf, type Row } from '../formats/rows.js';
import { printable } from '../server/printable.js';

/** Lines with a column for each property, at most so wide. A missing value is empty. */
export function columnLines(
  names: readonly string[],
  rows: readonly Row[],
  widest: number,
): string[] {
  const lines = [
    names.map(wireName),
    ...rows.map((row) => names.map((name) => textOf(own(row, name)))),
  ];
  const shown = lines.map((cells) => cells.map((text) => cut(printable(text), widest)));
  const widths = names.map((_, at) => Math.max(...shown.map((cells) => cells[at]!.length)));
  return shown.map((cells) =>
    cells
      .map((text, at) => text.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
}

const cut = (text: string, widest: number) =>
  text.length <= widest ? text : `${text.slice(0, widest - 1)}…`;
