/**
 * The rows that a search has found, the best first. All of their keys are in memory.
 *
 * @module
 */

import { TableError, type TableClient } from 'entitable';

import { readTypedEntity, type TypedEntity } from '../typed-entity.js';
import { idOf, type EntityKeys, type RowQuery, type Search } from './row-query.js';
import type { RowRange, Rows } from './rows.js';

/** As many as a search returns. Nobody reads on so far. */
export const MOST_FOUND = 1000;

const FIRST_ROWS: RowRange = { first: 0, last: 99 };

export interface SearchQuery extends RowQuery {
  readonly search: Search;
}

export class FoundRows implements Rows {
  readonly table: TableClient;
  readonly query: SearchQuery;
  readonly isFinal = true;
  readonly canJump = true;
  onLoad = () => {};
  onError: (error: unknown) => void = () => {};

  #keys: readonly EntityKeys[] = [];
  // By its row. Undefined, if somebody has deleted it since the search.
  readonly #entities = new Map<number, TypedEntity | undefined>();
  #scope = 0;
  #wanted = FIRST_ROWS;
  #loading: Promise<void> | undefined;
  #isStopped = false;

  constructor(table: TableClient, query: SearchQuery) {
    this.table = table;
    this.query = query;
  }

  get total(): number {
    return this.#keys.length;
  }

  get scope(): number {
    return this.#scope;
  }

  get loaded(): TypedEntity[] {
    return this.#keys.flatMap((_, row) => this.at(row) ?? []);
  }

  async open(range = FIRST_ROWS): Promise<void> {
    const { filter, search } = this.query;
    const { property, words, match } = search;
    const select = ['PartitionKey', 'RowKey'];
    const options = { filter, match, top: MOST_FOUND, select };
    const found = await this.table.search(property, words, options);
    this.#keys = found.map(({ entity }) => entity as EntityKeys);
    await this.#read(this.#missing(range));
  }

  async count(): Promise<void> {
    this.#scope = await this.table.countEntities({ filter: this.query.filter });
  }

  at(row: number): TypedEntity | undefined {
    return this.#entities.get(row);
  }

  rowOf(keys: EntityKeys): number | undefined {
    const row = this.#keys.findIndex((one) => idOf(one) === idOf(keys));
    return this.at(row) && row;
  }

  want(range: RowRange): void {
    this.#wanted = range;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
  }

  stop(): void {
    this.#isStopped = true;
    this.onLoad = () => {};
    this.onError = () => {};
  }

  async renewed(range: RowRange): Promise<{ rows: Rows; moved: number }> {
    const rows = new FoundRows(this.table, this.query);
    await rows.open(range);
    await rows.count();
    return { rows, moved: 0 };
  }

  keys({ first, last }: RowRange): Promise<readonly EntityKeys[]> {
    return Promise.resolve(this.#keys.slice(first, last + 1));
  }

  async entities(range: RowRange): Promise<TypedEntity[]> {
    await this.#read(this.#missing(range));
    const all = this.#keys.slice(range.first, range.last + 1);
    return all.flatMap((_, at) => this.at(range.first + at) ?? []);
  }

  async #load(): Promise<void> {
    try {
      for (;;) {
        const rows = this.#missing(this.#wanted);
        if (rows.length === 0 || this.#isStopped) return;
        await this.#read(rows);
        this.onLoad();
      }
    } catch (error) {
      this.onError(error);
    }
  }

  #missing({ first, last }: RowRange): number[] {
    const rows = [...this.#keys.keys()].slice(Math.max(0, first), last + 1);
    return rows.filter((row) => !this.#entities.has(row));
  }

  // A search converts values, so the entities are read once more, with their types.
  async #read(rows: readonly number[]): Promise<void> {
    const entities = await Promise.all(rows.map((row) => this.#entity(this.#keys[row]!)));
    rows.forEach((row, at) => this.#entities.set(row, entities[at]));
  }

  async #entity(keys: EntityKeys): Promise<TypedEntity | undefined> {
    try {
      return await readTypedEntity(this.table, keys);
    } catch (error) {
      if (error instanceof TableError && error.code === 'ResourceNotFound') return undefined;
      throw error;
    }
  }
}
