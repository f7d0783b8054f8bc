/**
 * Reads of one table.
 *
 * @module
 */

import { loaded } from '../base/loaded.js';
import { checkedOptions } from '../base/options.js';
import type { ByteStream } from '../base/platform.js';
import { isPromise } from '../base/promised.js';
import {
  copyOf,
  type AggregateOptions,
  type AggregateResult,
  type Aggregates,
  type GroupBy,
  type GroupName,
} from '../entity/aggregates.js';
import type {
  DeclaredEntity,
  SelectableName,
  SelectedEntity,
  SelectedProperties,
  TableEntityResult,
} from '../entity/entities.js';
import { checkKeyArguments } from '../entity/keys.js';
import type {
  CountTableEntitiesOptions,
  GetTableEntityOptions,
  GetTableEntityResponse,
  ListTableEntitiesOptions,
  OrderableName,
  QueryPlan,
  TableEntityOrderOptions,
  TableEntityResultPage,
} from '../entity/models.js';
import type { SearchOptions, SearchResult, TextName } from '../entity/search.js';
import { liveAggregateOf, liveCountOf, liveEntitiesOf } from '../live/live-entities.js';
import type { LiveAggregate, LiveCount, LiveEntities } from '../live/live.js';
import type {
  LiveAggregateOptions,
  LiveCountOptions,
  LiveEntitiesOptions,
  SubscribeOptions,
  TableEntityChanges,
} from '../live/models.js';
import { subscribeTo } from '../live/subscribe.js';
import type { ExportEntitiesOptions } from '../transfer/models.js';
import { OPTIONS } from './option-kinds.js';
import type { Page, PagedAsyncIterableIterator } from './paging.js';
import type { TableRequests } from './table-requests.js';

// Overloads come in pairs. The first is for rows of the client, or of a type that the caller names,
// without a selection; in the last, the selection decides the type.

/** The reads of {@link TableClient}. */
export class TableReader<Row extends object = Record<string, unknown>> {
  /** @internal Not private, because a proxy of a framework could not read it. */
  declare readonly requests: TableRequests;
  readonly tableName: string;

  /** @internal Vue makes no proxy of it. */
  get __v_skip(): boolean {
    return true;
  }

  /** @internal */
  constructor(requests: TableRequests) {
    // Not enumerable, so that a client is printed by its name.
    Object.defineProperty(this, 'requests', { value: requests });
    this.tableName = requests.name;
  }

  /**
   * Returns an entity.
   *
   * A number is an Int32 or a Double, a bigint an Int64, a Date a DateTime, a Uint8Array a Binary.
   * Other values come back as `{ type, value }`: a Guid, and a DateTime with digits beyond
   * milliseconds. A property that another client stored as `etag`, `timestamp`, `partitionKey` or
   * `rowKey` comes back as `$etag`, `$timestamp`, `$partitionKey` or `$rowKey`.
   *
   * @throws {@link TableError} `ResourceNotFound`; `TableNotFound`; `PropertiesNeedValue`, if a key
   * is missing; `InvalidInput`, if a key has a character that no address can have, or a selected
   * name is not valid.
   */
  getEntity<T extends object = Row>(
    partitionKey: string,
    rowKey: string,
    options?: GetTableEntityOptions<undefined, false>,
  ): Promise<GetTableEntityResponse<T>>;
  getEntity<T extends object = never>(
    partitionKey: string,
    rowKey: string,
    options: [T] extends [never] ? never : GetTableEntityOptions<readonly string[], false>,
  ): Promise<DeclaredEntity<T>>;
  getEntity<
    const S extends readonly SelectableName<Row>[] | undefined = undefined,
    IsTyped extends boolean | undefined = false,
  >(
    partitionKey: string,
    rowKey: string,
    options?: GetTableEntityOptions<S, IsTyped>,
  ): Promise<SelectedEntity<Row, S, IsTyped>>;
  async getEntity(
    partitionKey: string,
    rowKey: string,
    options?: GetTableEntityOptions,
  ): Promise<object> {
    checkKeyArguments('getEntity', partitionKey, rowKey);
    const checked = checkedOptions('getEntity', options, OPTIONS.get);
    const entity = this.requests.get({ partitionKey, rowKey }, checked);
    return isPromise(entity) ? await entity : entity;
  }

  /**
   * Returns the entities that fit a filter, a page at a time: ordered by their keys, or by their
   * properties.
   *
   * @example
   * ```ts
   * const dearest = table.listEntities({ orderBy: ['price desc', 'name'], top: 10 });
   * for await (const { rowKey, price } of dearest) console.log(rowKey, price);
   * ```
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the iteration:
   * `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter, the selection, the order,
   * the page size or the token is wrong.
   */
  listEntities<T extends object = Row>(
    options?: ListTableEntitiesOptions<undefined, false> &
      TableEntityOrderOptions<NoInfer<OrderableName<T>>>,
  ): PagedAsyncIterableIterator<TableEntityResult<T>, TableEntityResultPage<T>>;
  listEntities<T extends object = never>(
    options: [T] extends [never]
      ? never
      : ListTableEntitiesOptions<readonly string[], false> & TableEntityOrderOptions,
  ): PagedAsyncIterableIterator<DeclaredEntity<T>, Page<DeclaredEntity<T>>>;
  listEntities<
    const S extends readonly SelectableName<Row>[] | undefined = undefined,
    IsTyped extends boolean | undefined = false,
  >(
    options?: ListTableEntitiesOptions<S, IsTyped> & TableEntityOrderOptions<OrderableName<Row>>,
  ): PagedAsyncIterableIterator<
    SelectedEntity<Row, S, IsTyped>,
    Page<SelectedEntity<Row, S, IsTyped>>
  >;
  listEntities(
    options?: ListTableEntitiesOptions & TableEntityOrderOptions,
  ): PagedAsyncIterableIterator<object> {
    const checked = checkedOptions('listEntities', options, OPTIONS.list);
    return this.requests.list(checked);
  }

  /**
   * Counts the entities that fit a filter, or all entities. Beyond the service. It creates no
   * entities in JavaScript, and the zone map of a page often answers for the whole page.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter
   * is wrong.
   */
  async countEntities(options?: CountTableEntitiesOptions): Promise<number> {
    const { count } = await this.requests.explain(
      checkedOptions('countEntities', options, OPTIONS.count),
    );
    return count;
  }

  /**
   * Counts, adds up and compares the values of the entities that fit a filter, for each group of
   * them. Beyond the service. It creates no entities in JavaScript.
   *
   * There is one result for each group, with the values of `groupBy` and the aggregates of
   * `select`. Entities are in one group if they are equal in the order of
   * `TableEntityOrderOptions`; an entity without the property has null. Groups come in this order.
   * Without `groupBy` there is one result, even if there are no entities.
   *
   * @example
   * ```ts
   * const groups = await table.aggregate({
   *   groupBy: ['kind', 'year(born)'],
   *   select: { number: count(), weight: sum('weight'), heavy: quantile('weight', 0.95) },
   * });
   * for (const group of groups) console.log(group.kind, group['year(born)'], group.heavy);
   * ```
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter
   * or another option is wrong; `SumOverflow`, if a sum of integers is beyond the range of its
   * type; `AggregateTooLarge`, if the groups and their values take too much memory.
   */
  async aggregate<
    const Groups extends GroupBy<GroupName<Row>> = [],
    Select extends Aggregates<OrderableName<Row>> = Record<never, never>,
  >(options: AggregateOptions<Groups, Select>): Promise<AggregateResult<Row, Groups, Select>[]> {
    const given = options as AggregateOptions;
    const checked = checkedOptions('aggregate', given, OPTIONS.aggregate);
    const { filter, dialect, fresh, abortSignal } = checked;
    const groupBy = copyOf(checked.groupBy);
    const select = copyOf(checked.select);
    const query = { filter, dialect, fresh, abortSignal, groupBy, select };
    return (await this.requests.aggregate(query)) as AggregateResult<Row, Groups, Select>[];
  }

  /**
   * Finds the entities whose text has the words of a search, the best first. Beyond the service.
   *
   * Case and accents make no difference. With `*` behind it, a word stands for all words that begin
   * with it. A text scores higher if it is short, if it has the words often, and if they are rare
   * in the table. Without an index of words, the search reads all texts of the table.
   *
   * @example
   * ```ts
   * for (const { entity, score } of await notes.search('text', 'milk brea*')) {
   *   console.log(entity.rowKey, score);
   * }
   * ```
   * @param property - the property that has the text; only Strings count.
   * @param text - up to 32 words. Without a word, nothing is found.
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the search,
   * the filter or another option is wrong; `PropertyNameInvalid` or `PropertyNameTooLong`, if the
   * property can have no such name; `SearchTooLarge`, if the texts with the words take too much
   * memory.
   */
  async search<
    const S extends readonly SelectableName<Row>[] | undefined = undefined,
    IsTyped extends boolean | undefined = false,
  >(
    property: TextName<Row>,
    text: string,
    options?: SearchOptions<S, IsTyped>,
  ): Promise<SearchResult<SelectedEntity<Row, S, IsTyped>>[]> {
    const checked = checkedOptions('search', options as SearchOptions, OPTIONS.search);
    const found = this.requests.search(property, text, checked);
    return (await found) as SearchResult<SelectedEntity<Row, S, IsTyped>>[];
  }

  /**
   * Counts the entities that fit a filter, and reports how the store found them, and what it holds
   * every writer of the table to. Beyond the service.
   *
   * @throws {@link TableError} `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter
   * is wrong.
   */
  async explain(options?: CountTableEntitiesOptions): Promise<QueryPlan> {
    const checked = checkedOptions('explain', options, OPTIONS.count);
    const plan = await this.requests.explain(checked);
    if (!plan.enforced) return plan;
    const { enforcedSchema } = await loaded(import('./enforcement.js'));
    const { session } = this.requests;
    return { ...plan, schema: await enforcedSchema(session, this.tableName, checked) };
  }

  /**
   * Returns the entities that fit a filter as OData JSON in UTF-8. `importEntities` makes equal
   * entities of it, with new timestamps and etags. The table is read as fast as the stream is.
   * Beyond the service.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown; from the stream:
   * `TableNotFound`; `InvalidInput` or `NotImplemented`, if the filter or the selection is wrong.
   */
  exportEntities(options?: ExportEntitiesOptions): ByteStream {
    const checked = checkedOptions('exportEntities', options, OPTIONS.export);
    return this.requests.export(checked);
  }

  /**
   * Reports how commits change the entities that fit a filter, in this tab or another. Changes that
   * became known together are one call. Beyond the service.
   *
   * The first call reports that the subscription has begun (`reset`). Later calls report the
   * changes since the call before. Only keys and etags are in memory.
   *
   * It ends when its signal fires, when the account is closed, and when it fails: with the errors
   * of `listEntities`, or with `TableNotFound` because the table was deleted. A failure calls
   * `onError`; without `onError`, it is an unhandled rejection.
   *
   * @example
   * ```ts
   * const unsubscribe = table.subscribe({ filter: odata`PartitionKey eq 'dogs'` }, (changes) => {
   *   for (const entity of changes.inserted) console.log('new:', entity.rowKey);
   * });
   * ```
   * @returns a function that ends the subscription.
   * @throws {@link TableError} `InvalidInput`, if an option is unknown or the listener is not a
   * function.
   */
  subscribe<T extends object = Row>(
    options: SubscribeOptions<undefined>,
    listener: (changes: TableEntityChanges<T>) => void,
  ): () => void;
  subscribe<const S extends readonly SelectableName<Row>[] | undefined>(
    options: SubscribeOptions<S>,
    listener: (changes: TableEntityChanges<SelectedProperties<Row, S>>) => void,
  ): () => void;
  subscribe(
    options: SubscribeOptions,
    listener: (changes: TableEntityChanges<object>) => void,
  ): () => void {
    const checked = checkedOptions('subscribe', options, OPTIONS.subscribe);
    return subscribeTo(this.requests, checked, listener);
  }

  /**
   * Returns the entities that fit a filter as a live result: it follows all writes, in this tab or
   * another. It has the forms of async iterables, React, Svelte and observables; see {@link Live}.
   * Beyond the service.
   *
   * It fails with the errors of `listEntities`, and with `TableNotFound` when the table is deleted.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown.
   */
  liveEntities<T extends object = Row>(
    options?: LiveEntitiesOptions<undefined, NoInfer<OrderableName<T>>>,
  ): LiveEntities<T>;
  liveEntities<const S extends readonly SelectableName<Row>[] | undefined>(
    options: LiveEntitiesOptions<S, OrderableName<Row>>,
  ): LiveEntities<SelectedProperties<Row, S>>;
  liveEntities(options?: LiveEntitiesOptions): LiveEntities<object> {
    const checked = checkedOptions('liveEntities', options, OPTIONS.live);
    return liveEntitiesOf(this.requests, checked);
  }

  /**
   * Returns the number of entities that fit a filter as a live result. It holds no entities: after
   * each commit that may change the number, it counts again, as `countEntities` does. Beyond the
   * service.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown.
   */
  liveCount(options?: LiveCountOptions): LiveCount {
    return liveCountOf(this.requests, checkedOptions('liveCount', options, OPTIONS.liveCount));
  }

  /**
   * Returns aggregates as a live result, see {@link TableReader.aggregate}. After each commit that
   * may change them, they are calculated again; commits meanwhile lead to one more calculation. A
   * result with equal values is not reported, and equal groups at the same place are the same
   * objects. `update` changes the filter. Beyond the service.
   *
   * @throws {@link TableError} `InvalidInput`, if an option is unknown.
   */
  liveAggregate<
    const Groups extends GroupBy<GroupName<Row>> = [],
    Select extends Aggregates<OrderableName<Row>> = Record<never, never>,
  >(
    options: LiveAggregateOptions<Groups, Select>,
  ): LiveAggregate<AggregateResult<Row, Groups, Select>> {
    const given = options as LiveAggregateOptions;
    const checked = checkedOptions('liveAggregate', given, OPTIONS.liveAggregate);
    const live: unknown = liveAggregateOf(this.requests, checked);
    return live as LiveAggregate<AggregateResult<Row, Groups, Select>>;
  }
}
