/**
 * One query, and the pages of its results.
 *
 * @module
 */

import type { TableClient, TableEntityResultPage } from 'entitable';

import { toTypedEntity, type TypedEntity } from './typed-entity.js';

export interface ResultPage {
  readonly entities: readonly TypedEntity[];
  /** From the call to its answer, without the time for drawing. */
  readonly milliseconds: number;
  /** 1 for the first page. */
  readonly number: number;
  readonly hasNext: boolean;
}

/** The property that the results are sorted by. */
export interface Sort {
  /** As in the API: `rowKey`. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** The option `orderBy` of a sort. */
export function orderByOf(sort: Sort | undefined): string[] | undefined {
  return sort && [sort.isDescending ? `${sort.name} desc` : sort.name];
}

/** Pages through the results. A continuation token only leads forward, so it keeps all of them. */
export class EntityQuery {
  readonly #table: TableClient;
  readonly filter: string;
  readonly sort: Sort | undefined;
  readonly #pageSize: number;

  // The token of each page, up to the next one. The first page has none.
  #tokens: (string | undefined)[] = [undefined];
  #number = 1;

  constructor(
    table: TableClient,
    { filter, sort, pageSize }: { filter: string; sort: Sort | undefined; pageSize: number },
  ) {
    this.#table = table;
    this.filter = filter;
    this.sort = sort;
    this.#pageSize = pageSize;
  }

  next(): Promise<ResultPage> {
    return this.#fetch(this.#number + 1);
  }

  previous(): Promise<ResultPage> {
    return this.#fetch(this.#number - 1);
  }

  /** Reads the same page again, or the page before it if it is empty now. */
  async again(): Promise<ResultPage> {
    const page = await this.#fetch(this.#number);
    return page.entities.length === 0 && page.number > 1 ? this.previous() : page;
  }

  async #fetch(number: number): Promise<ResultPage> {
    const token = this.#tokens[number - 1];
    const pages = this.#table
      .listEntities({
        filter: this.filter,
        // A remote table does not have the option.
        ...(this.sort && { orderBy: orderByOf(this.sort) }),
        disableTypeConversion: true,
      })
      .byPage({ maxPageSize: this.#pageSize, ...(token && { continuationToken: token }) });

    const start = performance.now();
    const page = (await pages.next()).value as TableEntityResultPage<object>;
    const milliseconds = performance.now() - start;

    const { continuationToken } = page;
    this.#tokens[number] = continuationToken;
    this.#number = number;
    return {
      entities: Array.from(page, toTypedEntity),
      milliseconds,
      number,
      hasNext: continuationToken !== undefined,
    };
  }
}
