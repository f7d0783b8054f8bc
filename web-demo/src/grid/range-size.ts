/**
 * How large a range of cells is.
 *
 * @module
 */

import type { CellRange } from './cell-range.js';

/** How many cells there are in it, for people: `3 × 4 cells`. */
export function sizeText({ rows: { first, last }, columns }: CellRange): string {
  const rows = (last - first + 1).toLocaleString('en');
  return rows === '1' && columns.length === 1 ? '1 cell' : `${rows} × ${columns.length} cells`;
}

/** Whether these are more cells than one. */
export function isWide({ rows: { first, last }, columns }: CellRange): boolean {
  return last > first || columns.length > 1;
}
