/**
 * The client of a declared table, as the compiler sees it.
 *
 * @module
 */

import type { OperationOptions } from '../base/call-options.js';
import type { StreamLike } from '../base/platform.js';
import type { Violation } from '../base/violation.js';
import type {
  GetTableEntityOptions,
  ListTableEntitiesOptions,
  OrderableName,
  SubmitTransactionOptions,
  TableEntityOrderOptions,
  TableTransactionResponse,
  UpdateActionOptions,
  UpdateTableEntityOptions,
  UpsertActionOptions,
  WriteEntityResponse,
} from '../entity/models.js';
import type {
  AggregateOptions,
  AggregateResult,
  Aggregates,
  GroupBy,
  GroupName,
} from '../entity/aggregates.js';
import type { UpdateEntitiesOptions, UpdateEntitiesProgress } from '../entity/bulk-changes.js';
import type { Selection } from '../entity/entities.js';
import type { TableIndex } from '../entity/indexes.js';
import type { EntityKeys } from '../entity/keys.js';
import type { RowForm } from '../entity/row-form.js';
import type { SearchOptions, SearchResult, TextName } from '../entity/search.js';
import type { LiveAggregate, LiveEntities } from '../live/live.js';
import type {
  LiveAggregateOptions,
  LiveEntitiesOptions,
  SubscribeOptions,
  TableEntityChanges,
} from '../live/models.js';
import type { TableTypes } from '../tables/models.js';
import type { TableParts } from '../tables/parts.js';
import type { DeclaredRequests } from '../tables/requests.js';
import type { Table } from '../tables/table.js';
import type { ImportEntitiesOptions, ImportProgress } from '../transfer/models.js';
import type { Validator } from '../validation/validator.js';
import type { RequestsClass } from './entity-requests.js';
import type { Page, PagedAsyncIterableIterator } from './paging.js';
import type { TableClient } from './table-client.js';
import type { TableTransaction } from './transaction.js';

/** A declared table, from `defineTable` of `entitable/schema`. */
export interface DeclaredTable<Row, Input, T extends TableTypes = TableTypes> {
  /** For the compiler alone. */
  readonly '~table'?: T | undefined;
  readonly tableName: string;
  readonly '~standard': {
    readonly types?: { readonly input: Input; readonly output: Row } | undefined;
  };
  /** @internal */
  readonly typed: {
    readonly form: RowForm;
    readonly indexes: readonly TableIndex[];
    /** Whether every writer is held to the definition. */
    readonly isEnforced: boolean;
    /** Makes the table of an app. */
    readonly tableOf: (requests: DeclaredRequests, parts: TableParts) => Table;
    /** Makes a class whose requests take and return rows. */
    readonly requestsOf: <Requests extends RequestsClass>(requests: Requests) => Requests;
    /** Returns everything that is wrong with a stored entity whose properties say their types. */
    readonly violationsOf: (entity: object, validator: Validator) => Promise<readonly Violation[]>;
  };
}

/** A row as reads return it. */
export type ReadRow<Row> = Row & { etag: string; timestamp: string };

/** The properties of a row that a read selects. The etag is always there. */
export type SelectedRow<Row, Names extends readonly string[] | undefined> = Names extends readonly [
  string,
  ...string[],
]
  ? Pick<ReadRow<Row>, Extract<Names[number] | 'etag', keyof ReadRow<Row>>>
  : ReadRow<Row>;

/** The names that a read selects; undefined, if it selects all. */
export type RowNames<Row> = readonly (keyof ReadRow<Row> & string)[] | undefined;

/** The selected properties of a row in a live result, where the keys are always there. */
export type SelectedPart<
  Row,
  Names extends readonly string[] | undefined,
> = Names extends readonly [string, ...string[]]
  ? Pick<Row, Extract<Names[number] | keyof EntityKeys, keyof Row>>
  : Row;

/** A row to write. An etag and a timestamp from an earlier read have no effect. */
export type WrittenRow<Input> = Input & { etag?: string; timestamp?: string };

/** Properties to change. Null removes one that may be missing, undefined leaves it as it is. */
type Changes<Row> = {
  [Name in keyof Row]?: Row[Name] | (undefined extends Row[Name] ? null : never);
};

/** The keys of a row, and the properties to change. */
export type RowPart<Input> = EntityKeys & Changes<WrittenRow<Input>>;

/** The properties of rows to change. */
export type RowChange<Input> = Changes<WrittenRow<Input>> & { [Name in keyof EntityKeys]?: never };

/** An action of a transaction. */
export type RowAction<Input> =
  | readonly ['create', WrittenRow<Input>]
  | readonly ['delete', EntityKeys]
  | readonly ['update', RowPart<Input>]
  | readonly ['update', RowPart<Input>, 'Merge', UpdateActionOptions?]
  | readonly ['update', WrittenRow<Input>, 'Replace', UpdateActionOptions?]
  | readonly ['upsert', RowPart<Input>]
  | readonly ['upsert', RowPart<Input>, 'Merge', UpsertActionOptions?]
  | readonly ['upsert', WrittenRow<Input>, 'Replace', UpsertActionOptions?];

/** The options of a read that returns rows. */
export type Reading<Options, Names> = Omit<
  Options,
  'select' | 'queryOptions' | 'disableTypeConversion' | 'typed'
> & { select?: Names };

type Following<Options, Names> = Omit<Options, 'select' | 'queryOptions'> & { select?: Names };

type Untyped =
  | 'countEntities'
  | 'createTable'
  | 'deleteEntities'
  | 'deleteEntity'
  | 'deleteTable'
  | 'explain'
  | 'exportEntities'
  | 'getAccessPolicy'
  | 'liveCount'
  | 'setAccessPolicy'
  | 'tableName';

/**
 * A declared table, from `account.table(definition)`: the methods of {@link TableClient}, typed by
 * the definition.
 *
 * A write fills in defaults, and is refused with `SchemaViolation` if the row breaks the
 * definition; `violations` has everything that is wrong. A read gives every property its declared
 * type, and rows of an older version in the newest form.
 *
 * @typeParam Row - a row as reads return it.
 * @typeParam Input - a row as writes take it.
 */
export interface TypedTable<Row extends object, Input extends object> extends Pick<
  TableClient,
  Untyped
> {
  createEntity(row: WrittenRow<Input>, options?: OperationOptions): Promise<WriteEntityResponse>;

  getEntity<const Names extends RowNames<Row> = undefined>(
    partitionKey: string,
    rowKey: string,
    options?: Reading<GetTableEntityOptions, Names>,
  ): Promise<SelectedRow<Row, Names>>;

  listEntities<const Names extends RowNames<Row> = undefined>(
    options?: Reading<ListTableEntitiesOptions, Names> &
      TableEntityOrderOptions<OrderableName<Row>>,
  ): PagedAsyncIterableIterator<SelectedRow<Row, Names>, Page<SelectedRow<Row, Names>>>;

  /** See {@link TableClient.aggregate}. The results have the stored values. */
  aggregate<
    const Groups extends GroupBy<GroupName<Row>> = [],
    Select extends Aggregates<OrderableName<Row>> = Record<never, never>,
  >(
    options: AggregateOptions<Groups, Select>,
  ): Promise<AggregateResult<Row, Groups, Select>[]>;

  /** See {@link TableClient.search}. */
  search<const Names extends RowNames<Row> = undefined>(
    property: TextName<Row>,
    text: string,
    options?: Reading<SearchOptions, Names>,
  ): Promise<SearchResult<SelectedRow<Row, Names>>[]>;

  updateEntity(
    row: RowPart<Input>,
    mode?: 'Merge',
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse>;
  updateEntity(
    row: WrittenRow<Input>,
    mode: 'Replace',
    options?: UpdateTableEntityOptions,
  ): Promise<WriteEntityResponse>;

  /** See {@link TableClient.updateEntities}. A function gets rows, in the newest form. */
  updateEntities(
    options: UpdateEntitiesOptions<
      RowChange<Input> | ((row: ReadRow<Row>) => Changes<WrittenRow<Input>> | undefined)
    >,
  ): Promise<UpdateEntitiesProgress>;

  upsertEntity(
    row: RowPart<Input>,
    mode?: 'Merge',
    options?: OperationOptions,
  ): Promise<WriteEntityResponse>;
  upsertEntity(
    row: WrittenRow<Input>,
    mode: 'Replace',
    options?: OperationOptions,
  ): Promise<WriteEntityResponse>;

  /** A {@link TableTransaction} has the type of what it writes: `new TableTransaction<Pet>()`. */
  submitTransaction(
    transaction: readonly RowAction<Input>[] | TableTransaction<Input>,
    options?: SubmitTransactionOptions,
  ): Promise<TableTransactionResponse>;

  /**
   * Rows, or bytes of OData JSON, which get no defaults: `blob.stream()`, say. With the mode
   * `Merge`, rows get none either, because they may be merged into stored ones.
   */
  importEntities(
    source:
      // Iterable has them, too. As a member of its own, an array is the one that errors are about.
      | WrittenRow<Input>[]
      | Iterable<WrittenRow<Input>>
      | AsyncIterable<WrittenRow<Input> | Uint8Array>
      | StreamLike<WrittenRow<Input> | Uint8Array>
      | Uint8Array,
    options?: ImportEntitiesOptions,
  ): Promise<ImportProgress>;

  subscribe<const Names extends RowNames<Row> = undefined>(
    options: Following<SubscribeOptions, Names>,
    listener: (changes: TableEntityChanges<SelectedPart<Row, Names>>) => void,
  ): () => void;

  liveEntities<const Names extends RowNames<Row> = undefined>(
    options?: Following<LiveEntitiesOptions<Selection, OrderableName<Row>>, Names>,
  ): LiveEntities<SelectedPart<Row, Names>>;

  /** See {@link TableClient.liveAggregate}. The results have the stored values. */
  liveAggregate<
    const Groups extends GroupBy<GroupName<Row>> = [],
    Select extends Aggregates<OrderableName<Row>> = Record<never, never>,
  >(
    options: LiveAggregateOptions<Groups, Select>,
  ): LiveAggregate<AggregateResult<Row, Groups, Select>>;
}
