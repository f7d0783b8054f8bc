/**
 * The rows in the document: those in sight, some around them, and the current one. The others exist
 * only as numbers.
 *
 * @module
 */

import type { EntityKeys } from '../rows/row-query.js';
import { isIn, type Rows, type RowRange } from '../rows/rows.js';
import type { TypedEntity } from '../typed-entity.js';
import { make } from '../ui/dom.js';
import type { CellRange } from './cell-range.js';
import type { GridColumn } from './column-layout.js';
import { GridRow } from './grid-row.js';
import type { ScrollMap } from './scroll-map.js';

/** What the rows show. */
export interface BodyView {
  readonly rows: Rows;
  readonly columns: readonly GridColumn[];
  readonly map: ScrollMap;
  /** The rows to show. */
  readonly range: RowRange;
  /** This row stays, so that it keeps the focus while it is out of sight. */
  readonly current: number;
  isSelected(keys: EntityKeys): boolean;
  /** The range of selected cells. */
  readonly cells: CellRange | undefined;
}

export class GridBody {
  readonly element = make('div', { role: 'rowgroup', class: 'grid-body' });
  #rows = new Map<number, GridRow>();
  // Rows without a place. To change one is faster than to create one.
  readonly #spare: GridRow[] = [];

  at(row: number): GridRow | undefined {
    return this.#rows.get(row);
  }

  /** The row that an element belongs to. */
  rowOf(target: Element): GridRow | undefined {
    const element = target.closest('[role=row]');
    for (const row of this.#rows.values()) if (row.element === element) return row;
    return undefined;
  }

  get all(): IterableIterator<GridRow> {
    return this.#rows.values();
  }

  /** Whether its rows show what these are. */
  shows(rows: Rows): boolean {
    return [...this.all].every(({ row, entity }) => {
      const now = rows.at(row);
      return now === undefined || now.etag === entity?.etag;
    });
  }

  /** Highlights entities that others have changed. */
  markChanged(isChanged: (entity: TypedEntity) => boolean): void {
    for (const row of this.all) if (row.entity && isChanged(row.entity)) row.markChanged();
  }

  /** Moves all rows by a number of rows: their elements show the same entities. */
  shift(by: number): void {
    this.#rows = new Map(Array.from(this.#rows, ([row, element]) => [row + by, element]));
  }

  draw(view: BodyView): void {
    const wanted = rowsOf(view);
    for (const [row, shown] of this.#rows) {
      if (wanted.includes(row)) continue;
      if (shown.hasEditor) shown.place(view.map.topOf(row));
      else this.#drop(row, shown);
    }
    // From the last one on, so that each comes before the next one in the document.
    let next: GridRow | undefined;
    for (const row of wanted.reverse()) next = this.#show(row, next, view);
  }

  clear(): void {
    for (const [row, shown] of this.#rows) this.#drop(row, shown);
  }

  #drop(row: number, shown: GridRow): void {
    if (shown.hasEditor) shown.dropEditor();
    this.#rows.delete(row);
    shown.element.remove();
    this.#spare.push(shown);
  }

  #show(row: number, next: GridRow | undefined, view: BodyView): GridRow {
    let shown = this.#rows.get(row);
    if (!shown) {
      shown = this.#spare.pop() ?? new GridRow();
      this.#rows.set(row, shown);
      this.element.insertBefore(shown.element, next?.element ?? null);
    }
    // The current row is not loaded again while it is out of sight.
    const isInSight = isIn(view.range, row);
    const entity = view.rows.at(row) ?? (isInSight ? undefined : shown.entity);
    const isSelected = entity !== undefined && view.isSelected(entity);
    const { cells } = view;
    const selected = cells && isIn(cells.rows, row) ? cells.columns : [];
    shown.show(view.columns, { row, entity, isSelected, selected });
    shown.place(view.map.topOf(row));
    return shown;
  }
}

// In ascending order.
function rowsOf({ range: { first, last }, current, rows }: BodyView): number[] {
  const wanted: number[] = [];
  for (let row = first; row <= last; row++) wanted.push(row);
  if (current < 0 || current >= rows.total || (current >= first && current <= last)) return wanted;
  return current < first ? [current, ...wanted] : [...wanted, current];
}
