/**
 * Counts the entities of tables, and drops counts that are out of date.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { isLocal } from './explorer/limits.js';
import type { TableList } from './ui/table-list.js';

export class Counting {
  readonly #list: TableList;
  // The current count of each table. The result of any other count is out of date.
  readonly #current = new Map<string, symbol>();

  constructor(list: TableList) {
    this.#list = list;
  }

  /** Counts a table from its beginning. */
  start(table: TableClient): void {
    // The service does not count.
    if (!isLocal(table)) return;
    const { tableName } = table;
    const id = Symbol(tableName);
    this.#current.set(tableName, id);
    // The list keeps the last known number, for example if the table was deleted.
    this.#count(table, id).catch(() => this.stop(tableName));
  }

  /** Takes a newer count, unless the table changes too fast. */
  correct(tableName: string, count: number): void {
    if (this.#current.has(tableName)) this.#list.setCount(tableName, { count, isFinal: true });
  }

  /** Drops the count of a table that changes too fast. */
  stop(tableName: string): void {
    this.#current.delete(tableName);
  }

  /** Drops the count of a table that is deleted. */
  forget(tableName: string): void {
    this.stop(tableName);
    this.#list.forget(tableName);
  }

  /** Drops all counts, because the account is emptied. */
  reset(): void {
    this.#current.clear();
    this.#list.clear();
  }

  async #count(table: TableClient, id: symbol): Promise<void> {
    const { tableName } = table;
    const count = await table.countEntities();
    if (this.#current.get(tableName) !== id) return;
    this.#list.setCount(tableName, { count, isFinal: true });
  }
}
