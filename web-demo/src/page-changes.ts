/**
 * Follows changes of a page of results: of the entities from its first key to its last one.
 *
 * @module
 */

import { odata, type TableClient } from 'entitable';

import { isLocal } from './explorer/limits.js';
import type { EntityQuery, ResultPage } from './entity-query.js';

export interface EntityKeys {
  readonly partitionKey: string;
  readonly rowKey: string;
}

export interface PageChangesOptions {
  /**
   * Called when the page may have changed, with the entities that were inserted or updated. The
   * first call comes at the beginning, because the page may have changed before.
   */
  onChange(changed: readonly EntityKeys[]): void;
  onError(error: unknown): void;
}

/** Follows one page at a time. */
export class PageChanges {
  readonly #options: PageChangesOptions;
  #filter: string | undefined;
  #unsubscribe = () => {};

  constructor(options: PageChangesOptions) {
    this.#options = options;
  }

  follow(table: TableClient, { filter, sort }: EntityQuery, page: ResultPage): void {
    if (!isLocal(table)) return;
    // In another order than that of the keys, any entity may belong to the page.
    const ofPage = sort ? filter : filterOfPage(filter, page);
    if (ofPage === this.#filter) return;
    this.stop();
    this.#filter = ofPage;
    const { onChange, onError } = this.#options;
    this.#unsubscribe = table.subscribe({ filter: ofPage, onError }, ({ inserted, updated }) =>
      onChange([...inserted, ...updated].map(keysOf)),
    );
  }

  stop(): void {
    this.#filter = undefined;
    this.#unsubscribe();
  }
}

function keysOf({ partitionKey = '', rowKey = '' }: Partial<EntityKeys>): EntityKeys {
  return { partitionKey, rowKey };
}

// The first page has no lower bound, and the last one no upper bound.
function filterOfPage(filter: string, { entities, number, hasNext }: ResultPage): string {
  const conditions = filter.trim() ? [`(${filter})`] : [];
  const [first, last] = [entities[0], entities.at(-1)];
  if (number > 1 && first) conditions.push(from(first));
  if (hasNext && last) conditions.push(upTo(last));
  return conditions.join(' and ');
}

function from({ partitionKey, rowKey }: EntityKeys): string {
  return odata`(PartitionKey gt ${partitionKey} or PartitionKey eq ${partitionKey} and RowKey ge ${rowKey})`;
}

function upTo({ partitionKey, rowKey }: EntityKeys): string {
  return odata`(PartitionKey lt ${partitionKey} or PartitionKey eq ${partitionKey} and RowKey le ${rowKey})`;
}
