/**
 * Follows changes of a result: of its number of entities, and of the entities in sight.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { allOf, fromKeys, upToKeys } from './key-filters.js';
import type { Rows, RowRange } from './rows.js';

// A subscription has the keys and etags of its entities in memory. In another order than that of
// the keys, any entity may come into sight. In a larger result, only their number is followed.
const MOST_SORTED = 50_000;

export interface ResultChangesOptions {
  /**
   * Called when the rows in sight may have changed: at the beginning, too, because they may have
   * changed before.
   */
  onChange(): void;
  onError(error: unknown): void;
}

export class ResultChanges {
  readonly #options: ResultChangesOptions;
  #filter: string | undefined;
  #ofRange: string | undefined;
  #table: TableClient | undefined;
  #stopCount = () => {};
  #stopRange = () => {};

  constructor(options: ResultChangesOptions) {
    this.#options = options;
  }

  /** Follows a result, and no other any more. */
  follow(rows: Rows, range: RowRange): void {
    // A remote account reports no changes.
    if (!rows.canJump) return this.stop();
    const { table, query } = rows;
    if (table !== this.#table || query.filter !== this.#filter) {
      this.stop();
      this.#table = table;
      this.#filter = query.filter;
      this.#followCount(rows);
    }
    this.#followRange(rows, range);
  }

  stop(): void {
    this.#filter = this.#ofRange = this.#table = undefined;
    this.#stopCount();
    this.#stopRange();
  }

  #followCount({ table, query: { filter }, scope }: Rows): void {
    const { onChange, onError } = this.#options;
    let known = scope;
    const live = table.liveCount({ filter, onError });
    this.#stopCount = live.subscribe((count) => {
      if (!live.isLoaded || count === known) return;
      known = count;
      onChange();
    });
  }

  #followRange(rows: Rows, range: RowRange): void {
    const { onChange, onError } = this.#options;
    const filter = filterOf(rows, range);
    if (filter === this.#ofRange) return;
    this.#stopRange();
    this.#ofRange = filter;
    this.#stopRange = () => {};
    if (filter === undefined) return;
    this.#stopRange = rows.table.subscribe({ filter, onError }, onChange);
  }
}

// Undefined, if there is too much to follow. The first row has no lower bound, and the last one no
// upper bound.
function filterOf(rows: Rows, { first, last }: RowRange): string | undefined {
  const { filter, sort, search } = rows.query;
  if (sort || search) return rows.scope <= MOST_SORTED ? filter : undefined;
  const [from, upTo] = [rows.at(first), rows.at(last)];
  return allOf(
    filter,
    first > 0 && from ? fromKeys(from) : '',
    last < rows.total - 1 && upTo ? upToKeys(upTo) : '',
  );
}
