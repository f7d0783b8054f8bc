/**
 * The rows of a result by their numbers. Blocks of rows are read when they come into sight, and the
 * blocks that are farthest from it are dropped.
 *
 * @module
 */

import type { TableClient, TableEntityResult, TableEntityResultPage } from 'entitable';

import { idOf, orderByOf, type EntityKeys, type RowQuery } from './row-query.js';
import { isLocal } from '../explorer/limits.js';
import { toTypedEntity, type TypedEntity } from '../typed-entity.js';
import { allOf, beforeKeys, fromKeys } from './key-filters.js';
import type { RowRange, Rows } from './rows.js';

const BLOCK_ROWS = 100;
const KEPT_BLOCKS = 24;

// To read on from a block that is near is faster than to skip all rows above. The user who scrolls
// up from the middle needs the blocks above next.
const BLOCKS_ABOVE = 4;

// A sort of the first rows is several times faster than one of all. Scrolling on sorts twice as
// many, so few sorts reach any row.
const SORTED_ROWS = 1000;

/** Where a query begins. */
interface Start {
  readonly from?: EntityKeys;
  readonly skip: number;
  /** All rows, if it is undefined. */
  readonly top?: number;
}

/** Where a block begins: the query that leads there, and its continuation token. */
interface Mark {
  readonly start: Start;
  readonly token?: string | undefined;
  /** How many rows the query has from here on, at most. */
  readonly left: number;
}

export class ResultRows implements Rows {
  readonly table: TableClient;
  readonly query: RowQuery;
  onLoad = () => {};
  onError: (error: unknown) => void = () => {};

  readonly #blocks = new Map<number, readonly TypedEntity[]>();
  // Sparse: the beginnings of blocks that a query has come to.
  readonly #marks = new Map<number, Mark>();
  // The rows that block 0 is shorter by, so that another block begins at a given row.
  readonly #phase: number;
  #total = 0;
  #isFinal = false;
  #wanted: RowRange = { first: 0, last: 0 };
  #loading: Promise<void> | undefined;
  #isStopped = false;

  /** @param place - an entity at the beginning of a block, and its row. */
  constructor(table: TableClient, query: RowQuery, place?: { from: EntityKeys; row: number }) {
    this.table = table;
    this.query = query;
    this.#phase = place ? (BLOCK_ROWS - (place.row % BLOCK_ROWS)) % BLOCK_ROWS : 0;
    if (!place) return;
    const start = { from: place.from, skip: 0 };
    this.#marks.set(this.#blockOf(place.row), { start, left: Infinity });
  }

  get total(): number {
    return this.#total;
  }

  get scope(): number {
    return this.#total;
  }

  get isFinal(): boolean {
    return this.#isFinal;
  }

  get canJump(): boolean {
    return isLocal(this.table);
  }

  at(row: number): TypedEntity | undefined {
    const block = this.#blockOf(row);
    return this.#blocks.get(block)?.[row - this.#startOf(block)];
  }

  rowOf(keys: EntityKeys): number | undefined {
    for (const [block, entities] of this.#blocks) {
      const at = entities.findIndex((entity) => idOf(entity) === idOf(keys));
      if (at >= 0) return this.#startOf(block) + at;
    }
    return undefined;
  }

  get loaded(): TypedEntity[] {
    return [...this.#blocks].sort(([a], [b]) => a - b).flatMap(([, entities]) => [...entities]);
  }

  async open(): Promise<void> {
    await this.#readBlock(0, this.#marks.get(0) ?? this.#begin(0));
  }

  async count(): Promise<void> {
    if (!this.canJump || this.#isFinal) return;
    this.#total = await this.table.countEntities({ filter: this.query.filter });
    this.#isFinal = true;
  }

  want(range: RowRange): void {
    this.#wanted = range;
    if (this.#isStopped) return;
    this.#loading ??= this.#load().finally(() => (this.#loading = undefined));
  }

  /** Resolves when these rows are loaded. */
  async load(range: RowRange): Promise<void> {
    this.#wanted = range;
    await this.#load();
  }

  stop(): void {
    this.#isStopped = true;
    this.onLoad = () => {};
    this.onError = () => {};
  }

  /**
   * In the order of the keys, the range begins at the same entity, whatever was inserted or deleted
   * before it.
   */
  async renewed(range: RowRange, isAtTop: boolean): Promise<{ rows: ResultRows; moved: number }> {
    const { table, query } = this;
    const from = isAtTop || query.sort || !this.canJump ? undefined : this.at(range.first);
    const row = from && (await this.#countBefore(from));
    const rows = new ResultRows(table, query, from && { from, row: row! });
    const moved = row === undefined ? 0 : row - range.first;
    await rows.count();
    if (!rows.#isFinal) await rows.open();
    const first = range.first + moved;
    await rows.load({ first, last: Math.max(range.last + moved, first + BLOCK_ROWS - 1) });
    return { rows, moved };
  }

  async keys(range: RowRange): Promise<EntityKeys[]> {
    const found: EntityKeys[] = [];
    const list = this.#known(range) ?? this.#list(range, ['PartitionKey', 'RowKey']);
    for await (const { partitionKey, rowKey } of list) found.push({ partitionKey, rowKey });
    return found;
  }

  async entities(range: RowRange): Promise<TypedEntity[]> {
    const found: TypedEntity[] = [];
    for await (const entity of this.#known(range) ?? this.#list(range)) found.push(entity);
    return found;
  }

  #known({ first, last }: RowRange): TypedEntity[] | undefined {
    const known = Array.from({ length: last - first + 1 }, (_, at) => this.at(first + at));
    return known.every((entity) => entity !== undefined) ? known : undefined;
  }

  // A remote account cannot skip.
  async *#list({ first, last }: RowRange, select?: string[]): AsyncGenerator<TypedEntity> {
    const { filter, sort } = this.query;
    const place = this.canJump
      ? { ...(sort && { orderBy: orderByOf(sort) }), skip: first, top: last - first + 1 }
      : {};
    const options = { filter, ...(select && { select }), ...place, disableTypeConversion: true };
    let row = this.canJump ? first : 0;
    for await (const entity of this.table.listEntities(options)) {
      if (row >= first) yield toTypedEntity(entity as TableEntityResult<object>);
      if (++row > last) return;
    }
  }

  #countBefore(keys: EntityKeys): Promise<number> {
    return this.table.countEntities({ filter: allOf(this.query.filter, beforeKeys(keys)) });
  }

  #blockOf(row: number): number {
    return Math.floor((row + this.#phase) / BLOCK_ROWS);
  }

  #startOf(block: number): number {
    return Math.max(0, block * BLOCK_ROWS - this.#phase);
  }

  async #load(): Promise<void> {
    try {
      for (let block = this.#missing(); block !== undefined; block = this.#missing()) {
        await this.#read(block);
        this.onLoad();
      }
    } catch (error) {
      this.onError(error);
    }
  }

  #missing(): number | undefined {
    if (this.#isStopped) return undefined;
    const last = this.#blockOf(Math.min(this.#wanted.last, this.#total - 1));
    for (let block = this.#blockOf(Math.max(this.#wanted.first, 0)); block <= last; block++) {
      if (!this.#blocks.has(block)) return block;
    }
    return undefined;
  }

  // Reads a block, and the blocks between it and the nearest mark.
  async #read(block: number): Promise<void> {
    const above = this.canJump ? BLOCKS_ABOVE : block;
    const nearest = Array.from({ length: above + 1 }, (_, by) => block - by);
    let at = nearest.find((one) => this.#marks.has(one)) ?? this.#beginFor(block);
    let mark: Mark | undefined = this.#marks.get(at) ?? this.#begin(at);
    for (; mark && at <= block; at++) mark = await this.#readBlock(at, mark);
  }

  #beginFor(block: number): number {
    if (!this.canJump) return 0;
    return this.#blocks.has(block + 1) ? Math.max(0, block - BLOCKS_ABOVE) : block;
  }

  #begin(block: number): Mark {
    const skip = this.#startOf(block);
    if (!this.query.sort) return { start: { skip }, left: Infinity };
    const top = Math.max(SORTED_ROWS, skip);
    return { start: { skip, top }, left: top };
  }

  // Returns the mark of the next block; undefined, if there is none.
  async #readBlock(block: number, { start, token, left }: Mark): Promise<Mark | undefined> {
    const size = this.#startOf(block + 1) - this.#startOf(block);
    const entities: TypedEntity[] = [];
    do {
      const page = await this.#page(start, token, size - entities.length);
      entities.push(...Array.from(page, toTypedEntity));
      token = page.continuationToken;
    } while (token !== undefined && entities.length < size);
    this.#keep(block, entities);
    const end = this.#startOf(block) + entities.length;
    const rest = left - entities.length;
    if (token === undefined && rest > 0) {
      this.#total = entities.length > 0 ? end : Math.min(this.#total, end);
      this.#isFinal = true;
      return undefined;
    }
    if (!this.#isFinal) this.#total = Math.max(this.#total, end + 1);
    const next = token === undefined ? this.#begin(block + 1) : { start, token, left: rest };
    this.#marks.set(block + 1, next);
    return next;
  }

  async #page(start: Start, token: string | undefined, maxPageSize: number) {
    const { filter, sort } = this.query;
    const { from, skip, top } = start;
    const pages = this.table
      .listEntities({
        filter: from ? allOf(filter, fromKeys(from)) : filter,
        ...(sort && { orderBy: orderByOf(sort), top }),
        ...(skip > 0 && { skip }),
        disableTypeConversion: true,
      })
      .byPage({ maxPageSize, ...(token !== undefined && { continuationToken: token }) });
    return (await pages.next()).value as TableEntityResultPage<object>;
  }

  #keep(block: number, entities: readonly TypedEntity[]): void {
    this.#blocks.set(block, entities);
    const middle = this.#blockOf((this.#wanted.first + this.#wanted.last) / 2);
    const distance = (one: number) => Math.abs(one - middle);
    while (this.#blocks.size > KEPT_BLOCKS) {
      const farthest = [...this.#blocks.keys()].reduce((a, b) =>
        distance(b) > distance(a) ? b : a,
      );
      this.#blocks.delete(farthest);
    }
  }
}
