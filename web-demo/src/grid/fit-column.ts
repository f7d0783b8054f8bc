/**
 * Fits a column to what it has. It is loaded with its first use.
 *
 * @module
 */

import type { Grid } from './grid.js';

// In pixels.
const CELL_PADDING = 30;

/** Makes a column as wide as its name and its values on the screen. */
export function fitColumn(grid: Grid, column: string): void {
  const range = document.createRange();
  const cells = [grid.head, ...grid.body.all].flatMap((row) => row.cell(column) ?? []);
  const widths = cells.map((cell) => {
    range.selectNodeContents(cell.querySelector('.sort, .row-key') ?? cell);
    return range.getBoundingClientRect().width;
  });
  grid.layout.setWidth(column, Math.max(...widths) + CELL_PADDING);
}
