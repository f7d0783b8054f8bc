/**
 * What a grid is given, and what it tells: of cells, and of what the user wants to do with them.
 *
 * @module
 */

import type { Sort } from '../rows/row-query.js';
import type { TypedEntity } from '../typed-entity.js';

export interface GridOptions {
  onOpen(entity: TypedEntity): void;
  /** Called when the user wants another order; undefined for that of the keys. */
  onSort(sort: Sort | undefined): void;
  /** Called when the user wants to change the value in a cell. */
  onEdit(cell: GridCell): void;
  onSelect(): void;
  /** Called when other cells are selected. */
  onRange(): void;
  /** Called when the user wants to delete what is selected: entities, or values. */
  onDelete(): void;
  /** Called when the user wants to copy. */
  onCopy(): void;
  /** Called when the user wants the values of the first row in all selected ones. */
  onFill(): void;
  /** Called when the user wants to see what can be done with a cell. */
  onMenu(cell: GridCell, place: GridPoint): void;
  /** Called when more rows are loaded. */
  onLoad(): void;
  /** Called when other rows come into sight. */
  onScroll(): void;
  /** For what fails while the user selects. */
  onTrouble(error: unknown): void;
}

/** A property of an entity, and where the grid shows it. */
export interface GridCell {
  readonly entity: TypedEntity;
  readonly name: string;
  readonly element: HTMLElement;
  /** What the user has typed to begin with. */
  readonly typed?: string | undefined;
}

/** In the window, in pixels. */
export interface GridPoint {
  readonly x: number;
  readonly y: number;
}

/** What the grid shows beside the entities. */
export interface GridView {
  readonly caption: string;
  readonly sort: Sort | undefined;
}
