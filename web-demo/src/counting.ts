/**
 * Counts tables, and knows which counts have been overtaken.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { TableList } from './ui/table-list.js';

export class Counting {
  readonly #list: TableList;
  // The count under way for each table; one that is not here any more was overtaken.
  readonly #current = new Map<string, symbol>();

  constructor(list: TableList) {
    this.#list = list;
  }

  /** Counts a table from its beginning. */
  start(table: TableClient): void {
    const { tableName } = table;
    const run = Symbol(tableName);
    this.#current.set(tableName, run);
    // A table that cannot be counted, because it is gone say, shows what was known of it.
    this.#count(table, run).catch(() => this.stop(tableName));
  }

  /** For a table that is changing too fast to be counted. */
  stop(tableName: string): void {
    this.#current.delete(tableName);
  }

  /** For an account that is emptied: nothing is known any more. */
  reset(): void {
    this.#current.clear();
    this.#list.clear();
  }

  async #count(table: TableClient, run: symbol): Promise<void> {
    const { tableName } = table;
    const count = await table.countEntities();
    if (this.#current.get(tableName) !== run) return;
    this.#list.setCount(tableName, { count, isFinal: true });
  }
}
