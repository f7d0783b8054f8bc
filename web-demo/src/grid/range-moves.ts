/**
 * Steps and ranges that commands make in a grid.
 *
 * @module
 */

import { isIn } from '../rows/rows.js';
import type { CellRange } from './cell-range.js';
import type { Grid } from './grid.js';
import type { Place } from './grid-keys.js';

/** By how many rows and columns the focus moves on. */
export interface Step {
  readonly rows: number;
  readonly columns: number;
}

/** Moves the focus, as far as there are cells. */
export function step(grid: Grid, { rows, columns }: Step): void {
  const { current, size } = grid;
  grid.moveTo({
    row: Math.min(current.row + rows, size.rows - 1),
    column: Math.min(Math.max(current.column + columns, 1), size.columns - 1),
  });
}

/** Selects these cells. The first one is the current one. */
export function selectCells(grid: Grid, { rows, columns }: CellRange): void {
  const at = (name: string | undefined) => grid.columnNames.indexOf(name!);
  grid.clearRange();
  grid.beginRange({ row: rows.last, column: at(columns.at(-1)) });
  grid.extendTo({ row: rows.first, column: at(columns[0]) });
}

/** Whether a cell is one of several that are selected. */
export function isInRange({ cells, hasRange, columnNames }: Grid, { row, column }: Place): boolean {
  if (!cells || !hasRange || !isIn(cells.rows, row)) return false;
  return cells.columns.includes(columnNames[column] ?? '');
}

/** The cell that an element is in, if it has a value. */
export function placeOf({ body, columnNames }: Grid, target: Element): Place | undefined {
  const row = body.element.contains(target) ? body.rowOf(target) : undefined;
  const column = columnNames.indexOf(row?.columnOf(target) ?? '');
  return row?.entity && column > 0 ? { row: row.row, column } : undefined;
}
