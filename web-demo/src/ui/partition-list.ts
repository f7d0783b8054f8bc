/**
 * The partitions of a table. A click on one shows its entities.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { listPartitions, partitionFilter } from '../tables.js';
import { byId, make, makeButton } from './dom.js';
import { begin } from './notice.js';

// How many partitions each click on "More partitions" adds.
const PAGE_SIZE = 40;

// Of the page, in pixels: from then on, the list is beside the table.
const LEAST_WIDTH = 960;

export class PartitionList {
  readonly #list = byId('partitions', HTMLUListElement);
  readonly #more = byId('more-partitions', HTMLButtonElement);
  readonly #onChoose: (filter: string) => void;

  #table: TableClient | undefined;
  #keys: string[] = [];
  #filter = '';

  constructor(onChoose: (filter: string) => void) {
    this.#onChoose = onChoose;
    this.#more.addEventListener('click', () => begin(() => this.#showMore()));
    // Above the table, the list would fill the screen.
    const box = byId('partitions-box', HTMLDetailsElement);
    const { clientWidth } = byId('workspace', HTMLElement).parentElement!;
    box.open = clientWidth >= LEAST_WIDTH;
  }

  /** The first partition, as a suggestion for a new entity. */
  get first(): string | undefined {
    return this.#keys[0];
  }

  /** Reads the partitions of a table: for the same table as many as before. */
  async show(table: TableClient): Promise<void> {
    const isSame = this.#table?.tableName === table.tableName;
    this.#table = table;
    const limit = isSame ? Math.max(this.#keys.length, PAGE_SIZE) : PAGE_SIZE;
    const found = await listPartitions(table, limit).catch((error: unknown) => {
      // Another table is shown now, so this error does not matter: a copy is closed when it is
      // left.
      if (this.#table === table) throw error;
    });
    if (!found || this.#table !== table) return;
    this.#replace(found.keys);
    this.#more.hidden = !found.hasMore;
  }

  /** Marks the partition with this filter, if there is one. */
  mark(filter: string): void {
    this.#filter = filter;
    for (const button of this.#list.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', String(button.dataset['filter'] === filter));
    }
  }

  async #showMore(): Promise<void> {
    const table = this.#table;
    if (!table) return;
    const { keys, hasMore } = await listPartitions(table, PAGE_SIZE, this.#keys.at(-1));
    if (this.#table !== table) return;
    this.#replace([...this.#keys, ...keys]);
    this.#more.hidden = !hasMore;
  }

  // Existing items stay, so that the focus stays.
  #replace(keys: readonly string[]): void {
    const common = this.#keys.every((key, index) => key === keys[index]) ? this.#keys.length : 0;
    if (common === 0) this.#list.replaceChildren();
    this.#list.append(...keys.slice(common).map((key) => this.#item(key)));
    this.#keys = [...keys];
    this.mark(this.#filter);
  }

  #item(key: string): HTMLLIElement {
    const filter = partitionFilter(key);
    const choose = () => this.#onChoose(filter);
    return make('li', {}, makeButton({ 'data-filter': filter }, choose, key || '(empty key)'));
  }
}
