/**
 * The rows in the document: those in sight, some around them, and the current one. The others exist
 * only as numbers.
 *
 * @module
 */

import type { EntityKeys } from '../rows/row-query.js';
import type { Rows, RowRange } from '../rows/rows.js';
import { make } from '../ui/dom.js';
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
    const isInSight = row >= view.range.first && row <= view.range.last;
    const entity = view.rows.at(row) ?? (isInSight ? undefined : shown.entity);
    const isSelected = entity !== undefined && view.isSelected(entity);
    shown.show(view.columns, { row, entity, isSelected });
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
