/**
 * A table of an app: `account.tables.tasks`.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import type { ByteStream } from '../base/platform.js';
import {
  copyOf,
  type AggregateOptions,
  type AggregateResult,
  type GroupBy,
  type GroupName,
} from '../entity/aggregates.js';
import type { QueryPlan } from '../entity/models.js';
import type { TextName } from '../entity/search.js';
import type { FollowedTable } from '../live/followed-table.js';
import type { Live } from '../live/live.js';
import { liveAggregateOf, liveCountOf, liveEntitiesOf } from '../live/live-entities.js';
import type { TableEntityChanges } from '../live/models.js';
import { subscribeTo } from '../live/subscribe.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { ImportProgress, ImportSource } from '../transfer/models.js';
import { CommonTable } from './common-table.js';
import type {
  AggregateOf,
  ExportOptions,
  FirstOptions,
  FollowOptions,
  FoundRow,
  ImportOptions,
  ListOptions,
  LiveCountOf,
  LiveOptions,
  LiveRowsQuery,
  PartOfRow,
  PlainRow,
  RowsChanged,
  RowSource,
  SearchOf,
  SelectNames,
  SelectOf,
  StoredRow,
  TableTypes,
  WhereOptions,
} from './models.js';
import { checked, KINDS, queryOf, type GivenOptions } from './queries.js';
import type { DeclaredRequests } from './requests.js';

/** The table of a declaration: `TableOf<typeof tasks>`. */
export type TableOf<Definition> = Definition extends {
  readonly '~table'?: infer T extends TableTypes | undefined;
}
  ? Table<NonNullable<T>>
  : never;

/** A row as reads of a table return it, with its etag and timestamp: `RowOf<typeof tasks>`. */
export type RowOf<Definition> = Definition extends {
  readonly '~table'?: infer T extends TableTypes | undefined;
}
  ? StoredRow<NonNullable<T>>
  : never;

/** Declared tables, under the names that the app has for them. */
export type DeclaredTables = Readonly<Record<string, TableDefinition>>;

/** Tables of any kind, under the names that the app has for them. */
export type NamedTables = Readonly<Record<string, Table>>;

/** Queries have an order. */
export interface Table<T extends TableTypes = TableTypes> {
  /**
   * Returns the first row that fits, or undefined.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  first<const Names extends SelectNames<T> = undefined>(
    options?: FirstOptions<T, Names>,
  ): Promise<PartOfRow<T, Names> | undefined>;

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
  list<const Names extends SelectNames<T> = undefined>(
    options?: ListOptions<T, Names>,
  ): Promise<PartOfRow<T, Names>[]>;

  /**
   * Yields the rows that fit, any number of them. Only a page of them is in memory.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  rows<const Names extends SelectNames<T> = undefined>(
    options?: ListOptions<T, Names>,
  ): AsyncIterableIterator<PartOfRow<T, Names>>;
}

/**
 * A table that an app has declared, from `openAccount({ tables })`.
 *
 * A write is refused with `SchemaViolation` if the row breaks the declaration; `issues` has
 * everything that is wrong, under the names of the app. Every call may reject with the errors of
 * every call of {@link TableClient}.
 *
 * @typeParam T - the types of its rows: `TableOf<typeof tasks>` is the type of a table.
 */
export class Table<T extends TableTypes = TableTypes> extends CommonTable<T> {
  /** @internal */
  declare readonly requests: DeclaredRequests;

  /**
   * Loads any number of rows, or the bytes of an export. Bytes are stored as they are: their keys
   * are the stored ones, and they get no defaults.
   *
   * @throws {@link TableError} `EntityAlreadyExists`, unless the mode updates; `SchemaViolation`;
   * `InvalidInput`, if the source has something else than rows.
   */
  async import(
    source: RowSource<T, Uint8Array> | Uint8Array,
    options?: ImportOptions,
  ): Promise<ImportProgress> {
    const { signal, mode, onProgress } = checked<ImportOptions>('import', options);
    const bounds = { mode, onProgress, abortSignal: signal };
    return await this.requests.import(source as ImportSource, bounds);
  }

  /**
   * Counts the rows that fit, and reports how the store found them.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  async explain(options?: WhereOptions<T>): Promise<QueryPlan> {
    const given = checked<GivenOptions>('explain', options, KINDS.count);
    const plan = await this.requests.explain(this.queryOf(given));
    const { index, included } = plan;
    if (index === undefined) return plan;
    const named = { ...plan, index: this.names.inNames(index) };
    return included ? { ...named, included: this.names.inNames(included) } : named;
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
    const Groups extends GroupBy<GroupName<PlainRow<T>>> = [],
    Select extends SelectOf<T> = Record<never, never>,
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
    const { groupsWith } = await loaded(import('./groups.js'));
    return await groupsWith(this.requests.rows, query, calculate);
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
    const live: unknown = liveEntitiesOf(
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
    return liveCountOf(
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
    const Groups extends GroupBy<GroupName<PlainRow<T>>> = [],
    Select extends SelectOf<T> = Record<never, never>,
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
    return liveAggregateOf(table, query, this.#queryOfUpdate) as never;
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
    return subscribeTo(this.requests, query, isFunction ? report : (listener as never));
  }

  /**
   * Returns the stored rows that fit as OData JSON in UTF-8, which `import` takes. Arrays and
   * objects are JSON in it, and a long text is one text, however many properties hold them.
   *
   * @throws {@link TableError} `InvalidInput`, if an option or the filter is wrong.
   */
  export(options?: ExportOptions<T>): ByteStream {
    const given = checked<GivenOptions>('export', options);
    const { filter, dialect, select, abortSignal } = queryOf(this.names, given);
    return this.requests.export({ filter, dialect, select, abortSignal, format: given.format });
  }
}
