/**
 * What declared tables of all accounts have in common.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import type { DeleteEntitiesProgress, UpdateEntitiesProgress } from '../entity/bulk-changes.js';
import type { GivenKeys } from '../entity/keys.js';
import type { ImportProgress } from '../transfer/models.js';
import { checkedList } from '../schema/where.js';
import { copyOfChanges, rewritten, setOf, storedRowOf } from './changes.js';
import type {
  CallOptions,
  DeleteManyOptions,
  GetOptions,
  KeyFieldsOf,
  KeyOf,
  ManyOptions,
  PartOfRow,
  RowChanges,
  RowsOptions,
  RowSource,
  RowToWrite,
  SelectNames,
  SelectOptions,
  StoredRow,
  TableTypes,
  UpdateManyOptions,
  WhereOptions,
  WriteOptions,
} from './models.js';
import {
  checked,
  checkedFilter,
  KINDS,
  queryOf,
  writeOptionsOf,
  type GivenOptions,
  type Query,
  type QueryKinds,
} from './queries.js';
import type { RowsRequests } from './requests.js';

/** The methods of the declared tables of every account. */
export class CommonTable<T extends TableTypes> {
  /** @internal Not private, because a proxy of a framework could not read it. */
  declare readonly requests: RowsRequests;
  readonly name: string;

  /** @internal */
  constructor(requests: RowsRequests) {
    // Not enumerable, so that a table is printed by its name.
    Object.defineProperty(this, 'requests', { value: requests });
    this.name = requests.name;
  }

  /** @internal Vue makes no proxy of it, which could not read private members. */
  get __v_skip(): boolean {
    return true;
  }

  /** @internal */
  get names() {
    return this.requests.rows.names;
  }

  /** @internal The options of queries, which differ between accounts. */
  get kinds(): QueryKinds {
    return KINDS;
  }

  /** @internal */
  queryOf(given: GivenOptions, limit?: number): Query {
    return queryOf(this.names, given, limit);
  }

  /**
   * Returns a row, or undefined if there is none.
   *
   * @example
   * ```ts
   * const milk = await tasks.get({ list: 'home', id });
   * ```
   * @throws {@link TableError} `InvalidInput`, if a field of the key is missing or has another
   * type.
   */
  async get<const Names extends SelectNames<T> = undefined>(
    key: KeyOf<T>,
    options?: GetOptions<T, Names>,
  ): Promise<PartOfRow<T, Names> | undefined> {
    const query = this.queryOf(checked<GivenOptions>('get', options));
    return (await this.#got(key, query)) as PartOfRow<T, Names> | undefined;
  }

  async #got(key: KeyOf<T>, query: Query): Promise<object | undefined> {
    const keys = this.names.keysOf(key);
    try {
      return await this.requests.get(keys, query);
    } catch (error) {
      if (isTableError(error) && error.code === 'ResourceNotFound') return undefined;
      throw error;
    }
  }

  /**
   * Returns the rows of some keys, in their order; undefined in the place of a missing one.
   *
   * @throws {@link TableError} `InvalidInput`, as `get`.
   */
  async getMany<const Names extends SelectNames<T> = undefined>(
    keys: readonly KeyOf<T>[],
    options?: GetOptions<T, Names>,
  ): Promise<(PartOfRow<T, Names> | undefined)[]> {
    // The requests of one turn go to the core together.
    const query = this.queryOf(checked<GivenOptions>('getMany', options, KINDS.get));
    const rows: unknown = await Promise.all(
      (checkedList('getMany', keys) as KeyOf<T>[]).map((key) => this.#got(key, query)),
    );
    return rows as (PartOfRow<T, Names> | undefined)[];
  }

  /**
   * Returns the first row that fits, or undefined.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  async first<const Names extends SelectNames<T> = undefined>(
    options?: WhereOptions<T> & SelectOptions<T, Names>,
  ): Promise<PartOfRow<T, Names> | undefined> {
    const given = checked<GivenOptions>('first', options, this.kinds.first);
    const [row] = await this.#listed(this.queryOf(given, 1));
    return row as PartOfRow<T, Names> | undefined;
  }

  /**
   * Returns the rows that fit as an array.
   *
   * @example
   * ```ts
   * const open = await tasks.list({ where: ({ done }) => done.eq(false), limit: 50 });
   * ```
   * @throws {@link TableError} `InvalidInput`, if an option is wrong, or a filter compares a field
   * of a key without those before it.
   */
  async list<const Names extends SelectNames<T> = undefined>(
    options?: RowsOptions<T, Names>,
  ): Promise<PartOfRow<T, Names>[]> {
    const query = this.#listOf('list', options);
    const rows = await this.#listed(query);
    if (query.top === undefined) this.requests.noteList?.(rows.length);
    return rows as PartOfRow<T, Names>[];
  }

  /**
   * Yields the rows that fit, any number of them. Only a page of them is in memory.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  rows<const Names extends SelectNames<T> = undefined>(
    options?: RowsOptions<T, Names>,
  ): AsyncIterableIterator<PartOfRow<T, Names>> {
    const found = this.requests.list(this.#listOf('rows', options));
    return found as unknown as AsyncIterableIterator<PartOfRow<T, Names>>;
  }

  #listOf(owner: string, options: object | undefined): Query {
    const given = checked<GivenOptions>(owner, options, this.kinds.list);
    return this.queryOf(given, given.limit);
  }

  async #listed(query: Query): Promise<object[]> {
    const rows: object[] = [];
    for await (const page of this.requests.list(query).byPage()) {
      for (const row of page) rows.push(row);
    }
    return rows;
  }

  /**
   * Counts the rows that fit, without making them. A remote account reads their keys.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  async count(options?: WhereOptions<T>): Promise<number> {
    const given = checked<GivenOptions>('count', options);
    return await this.requests.count(this.queryOf(given));
  }

  /**
   * Inserts a row.
   *
   * @returns the whole row: with its id, its defaults and its etag.
   * @throws {@link TableError} `EntityAlreadyExists`, if there is a row with this key.
   */
  async insert(row: RowToWrite<T>, options?: CallOptions): Promise<StoredRow<T>> {
    const { signal } = checked<CallOptions>('insert', options);
    let entity: object = {};
    const { etag } = await this.requests.insert(row, signal, (stored) => (entity = stored));
    return storedRowOf(this.requests, entity, etag);
  }

  /**
   * Inserts any number of rows, in steps that are stored as a whole. If a row is at fault, all
   * before it are stored; `details.stored` and `details.entityIndex` of the error say which. A
   * remote account stores up to 100 rows of one partition together, and may refuse all of them.
   *
   * @throws {@link TableError} `EntityAlreadyExists`; `SchemaViolation`.
   */
  async insertMany(rows: RowSource<T>, options?: ManyOptions): Promise<ImportProgress> {
    const { signal, onProgress } = checked<ManyOptions>('insertMany', options);
    return await this.requests.import(rows as Iterable<object>, {
      abortSignal: signal,
      onProgress,
    });
  }

  /**
   * Inserts a row, or replaces the one with its key. With `ifUnchanged`, only the row as it was
   * read is replaced.
   *
   * @returns the whole row.
   * @throws {@link TableError} `SchemaViolation`; with `ifUnchanged`, `ResourceNotFound` and
   * `UpdateConditionNotSatisfied`.
   */
  async put(row: RowToWrite<T>, options?: WriteOptions): Promise<StoredRow<T>> {
    const { signal, etag: condition } = writeOptionsOf('put', options);
    let entity: object = {};
    const stored = (one: object) => (entity = one);
    const { etag } = await this.requests.update(
      row as GivenKeys,
      'Replace',
      condition,
      signal,
      stored,
    );
    return storedRowOf(this.requests, entity, etag);
  }

  /**
   * Inserts a row, or changes the properties that are given of the one with its key; null removes
   * an optional one. A new row gets its defaults, and must have all that is required.
   *
   * @throws {@link TableError} `SchemaViolation`; `InvalidInput`, if a field of the key is missing.
   */
  async upsert(
    row: KeyFieldsOf<T> & RowChanges<T> & { etag?: string; timestamp?: string },
    options?: CallOptions,
  ): Promise<{ readonly etag: string }> {
    const { signal } = checked<CallOptions>('upsert', options, KINDS.insert);
    this.names.keysOf(row);
    const written = await this.requests.update(row as GivenKeys, 'Merge', undefined, signal);
    return written as { etag: string };
  }

  /**
   * Changes properties of a row; null removes an optional one. A function gets the row as it is,
   * and returns the changes. If somebody else was faster, it is called again with the new row: up
   * to 100 times, unless the call has `ifUnchanged`. It should have no other effects.
   *
   * @example
   * ```ts
   * await tasks.update(milk, { done: true, due: null });
   * await tasks.update(milk, ({ count }) => ({ count: count + 1 }));
   * ```
   * @throws {@link TableError} `ResourceNotFound`, if there is no such row;
   * `UpdateConditionNotSatisfied`, if it has changed since it was read for `ifUnchanged`.
   */
  async update(
    key: KeyOf<T>,
    changes: RowChanges<T> | ((row: StoredRow<T>) => RowChanges<T>),
    options?: WriteOptions,
  ): Promise<{ readonly etag: string }> {
    const { signal, etag } = writeOptionsOf('update', options);
    const keys = this.names.keysOf(key);
    const given = copyOfChanges(changes);
    const isPlain = !Object.is(given, changes) && !this.names.keys.some((name) => name in given);
    if (!isPlain) {
      return await rewritten(this.requests, keys, given, etag, signal);
    }
    const part = { ...given, ...this.names.fieldsOf(keys) };
    return (await this.requests.update(part, 'Merge', etag ?? ANY_ETAG, signal)) as {
      etag: string;
    };
  }

  /**
   * Deletes a row.
   *
   * @returns whether there was one.
   * @throws {@link TableError} `UpdateConditionNotSatisfied`, if it has changed since it was read
   * for `ifUnchanged`.
   */
  async delete(key: KeyOf<T>, options?: WriteOptions): Promise<boolean> {
    const { signal, etag } = writeOptionsOf('delete', options);
    try {
      await this.requests.delete(this.names.keysOf(key), etag, signal);
      return true;
    } catch (error) {
      if (isTableError(error) && error.code === 'ResourceNotFound') return false;
      throw error;
    }
  }

  /**
   * Deletes all rows that fit, in steps of up to 1000. If the call fails or is aborted, the steps
   * before are stored, and the same call deletes the rest.
   *
   * @throws {@link TableError} `InvalidInput`, if there is no filter, or it is wrong.
   */
  async deleteMany(options: DeleteManyOptions<T>): Promise<DeleteEntitiesProgress> {
    const { where, onProgress, signal } = checked<DeleteManyOptions<T>>('deleteMany', options);
    const { dialect, filter } = this.queryOf({ where });
    const bounds = { filter: checkedFilter('deleteMany', filter), dialect, onProgress };
    return await this.requests.deleteAll({ ...bounds, abortSignal: signal });
  }

  /**
   * Changes properties of all rows that fit, in steps of up to 1000. A function is called again for
   * a row that somebody changes meanwhile.
   *
   * @throws {@link TableError} `InvalidInput`, if there is no filter, or it is wrong, or a key is
   * among the changes; `SchemaViolation`, unless `onRefused` takes it.
   */
  async updateMany(options: UpdateManyOptions<T>): Promise<UpdateEntitiesProgress> {
    const given = checked<UpdateManyOptions<T>>('updateMany', options);
    const { where, set, signal, onProgress, onRefused } = given;
    const { dialect, filter } = this.queryOf({ where });
    const bounds = {
      filter: checkedFilter('updateMany', filter),
      ...{ dialect, abortSignal: signal, onProgress, onRefused },
    };
    const { names, requests } = this;
    const own = copyOfChanges(set);
    return await requests.updateAll(setOf(names, own), bounds);
  }
}
