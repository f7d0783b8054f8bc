/**
 * Selects rows by their numbers: one, a range, or all.
 *
 * @module
 */

import { idOf, type EntityKeys } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { Selection } from './selection.js';

// The keys of selected rows are in memory. More rows are selected with a filter, and all at once.
const MOST_ROWS = 100_000;

export class RowSelector {
  readonly selection = new Selection();
  rows: Rows | undefined;
  // Where a range begins.
  #anchor = 0;

  /** Selects a row, or not any more. */
  async set(row: number, keys: EntityKeys, isSelected: boolean): Promise<void> {
    this.#anchor = row;
    const { selection } = this;
    if (!selection.isAll) return selection.set([keys], isSelected);
    const all = await this.#keys(0, this.rows!.total - 1);
    selection.replace(all.filter((one) => idOf(one) !== idOf(keys)));
  }

  toggle(row: number, keys: EntityKeys): Promise<void> {
    return this.set(row, keys, !this.selection.has(keys));
  }

  /** Selects all rows from the last selected one to this. */
  async extendTo(row: number): Promise<void> {
    const [first, last] = [Math.min(this.#anchor, row), Math.max(this.#anchor, row)];
    this.selection.replace(await this.#keys(first, last));
  }

  /** A range begins at this row. */
  begin(row: number): void {
    this.#anchor = row;
  }

  async #keys(first: number, last: number): Promise<readonly EntityKeys[]> {
    const count = last - first + 1;
    if (count > MOST_ROWS) {
      throw new Error(
        `At most ${MOST_ROWS.toLocaleString('en')} rows can be selected one by one. ` +
          'Write a filter for them, and select all that match.',
      );
    }
    return this.rows!.keys({ first, last });
  }
}
