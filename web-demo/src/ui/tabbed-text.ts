/**
 * Cells as spreadsheets exchange them by the clipboard: lines of values with tabs between them.
 *
 * @module
 */

/** A value with a tab, a line break or a quote is in quotes. */
export function tabbedText(rows: readonly (readonly string[])[]): string {
  const cellOf = (text: string) =>
    /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((cells) => cells.map(cellOf).join('\t')).join('\n');
}

// A cell, and what ends it. A quote inside of a cell that does not begin with one is a character.
const CELL = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y;

/** The line break after the last line is no line. */
export function cellsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (let at = 0; at <= text.length;) {
    CELL.lastIndex = at;
    // Else a quote has no end, or is followed by a text: then it is one of its characters.
    const [whole, quoted, plain = '', end] = CELL.exec(text) ?? plainCell(text, at);
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    at += whole.length;
    if (end === '\t') continue;
    rows.push(row);
    row = [];
    if (end === '' || at === text.length) break;
  }
  return rows;
}

function plainCell(text: string, at: number): [string, undefined, string, string] {
  const [plain] = /[^\t\r\n]*/y.exec(text.slice(at))!;
  const [end = ''] = /^(?:\t|\r\n|\n|\r)/.exec(text.slice(at + plain.length)) ?? [];
  return [plain + end, undefined, plain, end];
}
