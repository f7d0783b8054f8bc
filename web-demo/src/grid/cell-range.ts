/**
 * The cells that are selected together: from one corner to the current cell.
 *
 * @module
 */

import type { RowRange } from '../rows/rows.js';

/** A cell by its row and the name of its column. */
export interface Corner {
  readonly row: number;
  readonly column: string;
}

export interface CellRange {
  readonly rows: RowRange;
  /** In their order on the screen. */
  readonly columns: readonly string[];
}

export class RangeSelection {
  #anchor: Corner | undefined;

  /** Whether there may be more than one cell. */
  get isOpen(): boolean {
    return this.#anchor !== undefined;
  }

  /** The corner stays while the current cell moves. */
  begin(corner: Corner): void {
    this.#anchor ??= corner;
  }

  clear(): void {
    this.#anchor = undefined;
  }

  /** The rows have other numbers now. */
  shift(by: number): void {
    if (this.#anchor) this.#anchor = { ...this.#anchor, row: this.#anchor.row + by };
  }

  /** @param names - the columns on the screen that have values. */
  to(current: Corner, names: readonly string[]): CellRange | undefined {
    const anchor = this.#anchor ?? current;
    const [from, to] = [names.indexOf(anchor.column), names.indexOf(current.column)];
    if (from < 0 || to < 0 || anchor.row < 0 || current.row < 0) return undefined;
    return {
      rows: rangeOf(anchor.row, current.row),
      columns: names.slice(Math.min(from, to), Math.max(from, to) + 1),
    };
  }
}

function rangeOf(a: number, b: number): RowRange {
  return { first: Math.min(a, b), last: Math.max(a, b) };
}

/** Whether the values of a column can be changed. */
export function isProperty(column: string): boolean {
  return !['select', 'partitionKey', 'rowKey', 'timestamp'].includes(column);
}
