/**
 * What the commands of the grid are given, and whom they tell.
 *
 * @module
 */

import type { Changes } from '../changes/changes.js';
import type { WhyNot } from '../explorer/home.js';
import type { Grid } from '../grid/grid.js';
import type { GridCell } from '../grid/grid-options.js';
import type { Sort } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import type { TypedEntity } from '../typed-entity.js';
import type { LoadPanel } from './load-panel.js';

/** The grid, its rows, and what writes. */
export interface GridActionsOptions {
  readonly whyNot: WhyNot;
  readonly grid: Grid;
  readonly panel: LoadPanel;
  /** The rows that are shown. */
  rows(): Rows | undefined;
  changes(): Promise<Changes>;
  /** Called after a change that cannot be undone. */
  onForGood(table: string, text: string, added: number): void;
  onBusy(isBusy: boolean): void;
  onFilter(filter: string): void;
  onSort(sort: Sort): void;
  /** Opens the form of a new entity like this one. */
  onDuplicate(entity: TypedEntity): void;
  /** Shows a text with rows before they are imported. */
  onRows(text: string): void;
}

/** What the menu of a cell offers beside its own commands. */
export interface CellActions {
  edit(cell: GridCell): void;
  /** Without a text, it pastes what the clipboard has. */
  paste(text?: string): void;
  fill(): void;
  clearCells(): void;
  /** Of the selected rows. */
  change(): void;
  delete(): void;
}
