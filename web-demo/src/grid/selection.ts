/**
 * The selected rows: some keys, or all entities that the query has.
 *
 * @module
 */

import { idOf, type EntityKeys } from '../rows/row-query.js';

export class Selection {
  /** Called after each change. */
  onChange = () => {};

  readonly #keys = new Map<string, EntityKeys>();
  #isAll = false;

  /** Whether all entities of the query are selected, also those that are not loaded. */
  get isAll(): boolean {
    return this.#isAll;
  }

  /** The selected entities, unless all are. */
  get keys(): EntityKeys[] {
    return [...this.#keys.values()];
  }

  get size(): number {
    return this.#keys.size;
  }

  get isAny(): boolean {
    return this.#isAll || this.size > 0;
  }

  has(keys: EntityKeys): boolean {
    return this.#isAll || this.#keys.has(idOf(keys));
  }

  set(all: readonly EntityKeys[], isSelected: boolean): void {
    for (const keys of all) {
      if (isSelected) this.#keys.set(idOf(keys), keys);
      else this.#keys.delete(idOf(keys));
    }
    this.onChange();
  }

  /** Selects these entities, and no others. */
  replace(all: readonly EntityKeys[]): void {
    this.#isAll = false;
    this.#keys.clear();
    this.set(all, true);
  }

  selectAll(): void {
    this.#keys.clear();
    this.#isAll = true;
    this.onChange();
  }

  clear(): void {
    this.replace([]);
  }
}
