/**
 * Reads of a table of an app.
 *
 * @module
 */

import { isTableError } from '../base/errors.js';
import type { ByteStream } from '../base/platform.js';
import {
  copyOf,
  type AggregateOptions,
  type AggregateResult,
  type Aggregates,
  type GroupBy,
  type GroupName,
} from '../entity/aggregates.js';
import type { OrderableName, QueryPlan } from '../entity/models.js';
import type { TextName } from '../entity/search.js';
import type { FollowedTable } from '../live/followed-table.js';
import type { Live } from '../live/live.js';
import type { TableEntityChanges } from '../live/models.js';
import type {
  AggregateOf,
  ExportOptions,
  FirstOptions,
  FollowOptions,
  FoundRow,
  GetOptions,
  KeyOf,
  ListOptions,
  LiveCountOf,
  LiveOptions,
  LiveRowsQuery,
  PartOfRow,
  RowsChanged,
  SearchOf,
  SelectNames,
  TableTypes,
  WhereOptions,
} from './models.js';
import { checked, KINDS, queryOf, type GivenOptions } from './queries.js';
import type { TableParts } from './parts.js';
import type { DeclaredRequests } from './requests.js';

type Query = ReturnType<typeof queryOf>;

/** The reads of {@link Table}. */
export class TableReads<T extends TableTypes> {
  /** @internal Not private, because a proxy of a framework could not read it. */
  declare readonly requests: DeclaredRequests;
  /** @internal */
  declare readonly parts: TableParts;
  readonly name: string;

  /** @internal */
  constructor(requests: DeclaredRequests, parts: TableParts) {
    // Not enumerable, so that a table is printed by its name.
    Object.defineProperty(this, 'requests', { value: requests });
    Object.defineProperty(this, 'parts', { value: parts });
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
    const query = queryOf(this.names, checked<GivenOptions>('get', options));
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
    const query = queryOf(this.names, checked<GivenOptions>('getMany', options, KINDS.get));
    const rows: unknown = await Promise.all(Array.from(keys, (key) => this.#got(key, query)));
    return rows as (PartOfRow<T, Names> | undefined)[];
  }

  /**
   * Returns the first row that fits, or undefined.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  async first<const Names extends SelectNames<T> = undefined>(
    options?: FirstOptions<T, Names>,
  ): Promise<PartOfRow<T, Names> | undefined> {
    const given = checked<GivenOptions>('first', options);
    const [row] = await this.#listed(queryOf(this.names, given, 1));
    return row as PartOfRow<T, Names> | undefined;
  }

  /**
   * Returns the rows that fit as an array.
   *
   * @example
   * ```ts
   * const open = await tasks.list({
   *   where: ({ done }) => done.eq(false),
   *   orderBy: ['due', 'title desc'],
   *   limit: 50,
   * });
   * ```
   * @throws {@link TableError} `InvalidInput`, if an option is wrong, or a filter compares a field
   * of a key without those before it.
   */
  async list<const Names extends SelectNames<T> = undefined>(
    options?: ListOptions<T, Names>,
  ): Promise<PartOfRow<T, Names>[]> {
    const query = queryOf(this.names, checked<GivenOptions>('list', options));
    const rows = await this.#listed(query);
    if (query.top === undefined) this.requests.session.noteList?.(this.name, rows.length);
    return rows as PartOfRow<T, Names>[];
  }

  /**
   * Yields the rows that fit, any number of them. Only a page of them is in memory.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  rows<const Names extends SelectNames<T> = undefined>(
    options?: ListOptions<T, Names>,
  ): AsyncIterableIterator<PartOfRow<T, Names>> {
    const found = this.requests.list(queryOf(this.names, checked<GivenOptions>('list', options)));
    return found as unknown as AsyncIterableIterator<PartOfRow<T, Names>>;
  }

  async #listed(query: Query): Promise<object[]> {
    const rows: object[] = [];
    for await (const page of this.requests.list(query).byPage()) {
      for (const row of page) rows.push(row);
    }
    return rows;
  }

  /**
   * Counts the rows that fit, without making them.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  async count(options?: WhereOptions<T>): Promise<number> {
    const given = checked<GivenOptions>('count', options);
    return (await this.requests.explain(queryOf(this.names, given))).count;
  }

  /**
   * Counts the rows that fit, and reports how the store found them.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  async explain(options?: WhereOptions<T>): Promise<QueryPlan> {
    const given = checked<GivenOptions>('explain', options, KINDS.count);
    const plan = await this.requests.explain(queryOf(this.names, given));
    const { index } = plan;
    return index === undefined ? plan : { ...plan, index: this.names.inNames(index) };
  }

  /**
   * Counts, adds up and compares values of the rows that fit, for each group of them.
   *
   * @example
   * ```ts
   * const lists = await tasks.aggregate({ groupBy: ['list'], select: { number: count() } });
   * ```
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong; `SumOverflow`;
   * `AggregateTooLarge`.
   */
  async aggregate<
    const Groups extends GroupBy<GroupName<T['row']>> = [],
    Select extends Aggregates<OrderableName<T['row']>> = Record<never, never>,
  >(options: AggregateOf<T, Groups, Select>): Promise<AggregateResult<T['row'], Groups, Select>[]> {
    const { requests } = this;
    const query = this.#grouped('aggregate', options as AggregateOf<T>);
    const groups: unknown = await this.#groups((given) => requests.aggregate(given), query);
    return groups as AggregateResult<T['row'], Groups, Select>[];
  }

  #grouped(owner: string, options: AggregateOf<T>) {
    const given = checked<AggregateOf<T> & LiveCountOf<T>>(owner, options);
    const { where, signal, onError } = given;
    const { filter, dialect, abortSignal } = queryOf(this.names, { where, signal });
    const [groupBy, select] = [copyOf(given.groupBy), copyOf(given.select)];
    return { filter, dialect, abortSignal, onError, groupBy, select };
  }

  async #groups(
    calculate: (options: AggregateOptions) => Promise<object[]>,
    query: AggregateOptions,
  ): Promise<object[]> {
    const { groupsWith } = await this.parts.loadGroups();
    return await groupsWith(this.names, query, calculate);
  }

  /**
   * Finds the rows whose text has the words of a search, the best first.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong;
   * `SearchTooLarge`.
   */
  async search<const Names extends SelectNames<T> = undefined>(
    property: TextName<T['row']>,
    text: string,
    options?: SearchOf<T, Names>,
  ): Promise<FoundRow<PartOfRow<T, Names>>[]> {
    const given = checked<GivenOptions>('search', options);
    const query = { ...queryOf(this.names, given), match: given.match };
    const found = await this.requests.search(property, text, query);
    return found.map(({ entity, score }) => ({ row: entity as PartOfRow<T, Names>, score }));
  }

  /**
   * Returns the rows that fit as a live result: it follows all writes, in this tab and others. See
   * {@link Live}.
   *
   * @example
   * ```ts
   * const open = tasks.live({ where: ({ done }) => done.eq(false) });
   * const stop = open.subscribe((rows) => render(rows));
   * ```
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  live<const Names extends SelectNames<T> = undefined>(
    options?: LiveOptions<T, Names>,
  ): Live<readonly PartOfRow<T, Names>[], LiveRowsQuery<T>> {
    const given = checked<GivenOptions>('live', options);
    const live: unknown = this.parts.liveEntitiesOf(
      this.requests,
      { ...queryOf(this.names, given), onError: given.onError },
      (query) => queryOf(this.names, checked<GivenOptions>('update', query, KINDS.liveQuery)),
    );
    return live as Live<readonly PartOfRow<T, Names>[], LiveRowsQuery<T>>;
  }

  /**
   * Returns the number of rows that fit as a live result.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  liveCount(options?: LiveCountOf<T>): Live<number, Pick<LiveRowsQuery<T>, 'where'>> {
    const given = checked<GivenOptions>('liveCount', options);
    return this.parts.liveCountOf(
      this.requests,
      { ...queryOf(this.names, given), onError: given.onError },
      this.#queryOfUpdate,
    ) as never;
  }

  /**
   * Returns aggregates as a live result.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  liveAggregate<
    const Groups extends GroupBy<GroupName<T['row']>> = [],
    Select extends Aggregates<OrderableName<T['row']>> = Record<never, never>,
  >(
    options: AggregateOf<T, Groups, Select> & LiveCountOf<T>,
  ): Live<readonly AggregateResult<T['row'], Groups, Select>[], Pick<LiveRowsQuery<T>, 'where'>> {
    const { requests } = this;
    const query = this.#grouped('liveAggregate', options as AggregateOf<T>);
    const { session, name, rows } = requests;
    const table: FollowedTable = {
      ...{ session, name, rows },
      read: (...given) => requests.read(...given),
      groups: (given) => this.#groups((stored) => requests.groups(stored), given),
      explained: (...given) => requests.explained(...given),
    };
    return this.parts.liveAggregateOf(table, query, this.#queryOfUpdate) as never;
  }

  readonly #queryOfUpdate = (query: object) =>
    queryOf(this.names, checked<GivenOptions>('update', query, { where: 'where' }));

  /**
   * Reports how commits change the rows that fit, in this tab or another. The first report says
   * that it has begun (`reset`).
   *
   * @returns a function that ends it.
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong, or the
   * listener is not a function.
   */
  subscribe<const Names extends SelectNames<T> = undefined>(
    options: FollowOptions<T, Names>,
    listener: (changes: RowsChanged<T, PartOfRow<T, Names>>) => void,
  ): () => void {
    const given = checked<GivenOptions>('subscribe', options);
    const query = { ...queryOf(this.names, given), onError: given.onError };
    const { names } = this;
    const report = ({ deleted, ...others }: TableEntityChanges<object>) =>
      listener({
        ...others,
        deleted: deleted.map(({ partitionKey, rowKey, etag }) => ({
          ...names.fieldsOf({ partitionKey, rowKey }),
          etag,
        })),
      } as unknown as RowsChanged<T, PartOfRow<T, Names>>);
    const isFunction = typeof listener === 'function';
    return this.parts.subscribeTo(this.requests, query, isFunction ? report : (listener as never));
  }

  /**
   * Returns the stored rows that fit as OData JSON in UTF-8, which `import` takes.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  export(options?: ExportOptions<T>): ByteStream {
    const given = checked<GivenOptions>('export', options);
    const { filter, dialect, select, abortSignal } = queryOf(this.names, given);
    return this.requests.export({ filter, dialect, select, abortSignal, format: given.format });
  }
}
