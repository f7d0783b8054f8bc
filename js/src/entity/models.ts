/**
 * Entities, and the arguments and results of calls on entities, as in `@azure/data-tables`.
 *
 * @module
 */

import type { OperationOptions, ReadOptions } from '../base/call-options.js';
import type { EnforcedSchema } from './enforced-schema.js';
import type {
  EntityToMerge,
  EntityToWrite,
  SelectableName,
  Selection,
  TableEntity,
  TableEntityResult,
} from './entities.js';

/** The result of `getEntity`. */
export type GetTableEntityResponse<T extends object> = TableEntityResult<T>;

/** A page of entities. */
export type TableEntityResultPage<T> = TableEntityResult<T>[] & {
  /** Where the next page begins; missing on the last page. */
  continuationToken?: string;
};

/** Which entities to return, and which of their properties. */
export interface TableEntityQueryOptions<S extends Selection = Selection> {
  /**
   * An OData expression: write it with the `odata` tag. Properties have the names under which they
   * are stored: `PartitionKey`, and `etag` for a property that reads return as `$etag`.
   */
  filter?: string | undefined;

  /**
   * The names of the properties to return, as they are in entities; all properties, if there is no
   * name.
   */
  select?: S | undefined;
}

/** How a filter is read. Beyond the service: only the tables of `openAccount` have this option. */
export interface FilterDialectOptions {
  /**
   * The default is `service`. A filter of the dialect `extended` may also have `in`, `startswith`,
   * `endswith`, `contains`, `tolower`, `toupper`, `length`, `year` to `second`, `add`, `sub`,
   * `mul`, `div` and `mod`, and compare any two values. It compares numbers of all types exactly,
   * by their values. A comparison is false if a property is missing, or if the two types have no
   * order.
   */
  dialect?: 'service' | 'extended' | undefined;
}

/** Which properties of an entity to return. */
export type TableEntitySelectOptions<S extends Selection = Selection> = Pick<
  TableEntityQueryOptions<S>,
  'select'
>;

/** Options of `getEntity`. */
export interface GetTableEntityOptions<
  S extends Selection = Selection,
  IsTyped extends boolean | undefined = boolean | undefined,
>
  extends ReadOptions, TableEntitySelectOptions<S> {
  /** The same options, in the form of the official client. */
  queryOptions?: TableEntitySelectOptions<S> | undefined;

  /**
   * Returns every property as `{ type, value }`, with the value that it has in JavaScript. Nothing
   * is lost, and it can be written as it is. Beyond the official client.
   */
  typed?: IsTyped | undefined;

  /**
   * Returns every property as `{ type, value }`; the value is a text if JSON has a text or a
   * number.
   */
  disableTypeConversion?: boolean | undefined;
}

/** Options of `listEntities`. */
export interface ListTableEntitiesOptions<
  S extends Selection = Selection,
  IsTyped extends boolean | undefined = boolean | undefined,
>
  extends GetTableEntityOptions<S, IsTyped>, TableEntityQueryOptions<S> {
  /** The same options, in the form of the official client. */
  queryOptions?: TableEntityQueryOptions<S> | undefined;
}

/** A name of a property, and the direction. */
export type OrderTerm<Name extends string = string> = Name | `${Name} asc` | `${Name} desc`;

/**
 * In which order to return entities, which part of them, and how the filter is read. Beyond the
 * service: only the tables of `openAccount` have these options.
 *
 * @typeParam Name - the names that `orderBy` takes.
 */
export interface TableEntityOrderOptions<
  Name extends string = string,
> extends FilterDialectOptions {
  /**
   * The properties to order by, up to 16, the first one first: `['price desc', 'name']`. The names
   * are as they are in entities. Entities that are equal are in the order of their keys, and
   * without `orderBy` all are.
   *
   * In ascending order, an entity without the property comes first. Then come Booleans, numbers,
   * DateTimes, Strings, Guids and Binaries. Numbers of all types are compared by their values,
   * exactly; NaN is the least. Values of one type are compared as a filter compares them.
   * Descending order is the reverse.
   *
   * The continuation token of a page has the values and the keys of its last entity. Later pages
   * have what comes behind it, whatever is written in between: no entity is repeated or left out,
   * unless its values or its existence have changed since then. A page may have fewer entities than
   * were asked for, or none, and yet a token.
   */
  orderBy?: readonly OrderTerm<Name>[] | undefined;

  /** How many entities to return at most, on all pages together. */
  top?: number | undefined;

  /** How many entities to leave out at the beginning. */
  skip?: number | undefined;
}

/** The names that `orderBy` takes. */
export type OrderableName<Row> = Exclude<SelectableName<Row>, 'etag'>;

/** Which entities to count. */
export type TableEntityCountOptions = Pick<TableEntityQueryOptions, 'filter'>;

/** Options of `countEntities` and `explain`. Beyond the service. */
export interface CountTableEntitiesOptions
  extends ReadOptions, TableEntityCountOptions, FilterDialectOptions {
  /** The same options, in the form of the official client. */
  queryOptions?: TableEntityCountOptions | undefined;
}

/** How the store finds the entities that fit a filter. Beyond the service. */
export interface QueryPlan {
  /** How many entities fit. */
  readonly count: number;

  /**
   * The part of the table that the conditions on keys leave, from the least: nothing; one entity; a
   * part of a partition; a whole partition; several partitions; the whole table. Or `index`, if the
   * query reads the entities that an index names.
   */
  readonly access:
    | 'nothing'
    | 'point'
    | 'row range'
    | 'partition scan'
    | 'partition range'
    | 'table scan'
    | 'index';

  /** The properties of that index, as they were declared: `owner,created desc`. */
  readonly index?: string | undefined;

  /**
   * If that index has all that the filter needs: the properties that a list can have that reads
   * only the index, and not the entities; `*` means all.
   */
  readonly included?: string | undefined;

  /** The number of key ranges in these conditions; 0 if no entity can fit. */
  readonly ranges: number;

  /** How many pages of up to 60 KiB were read, from memory or from the storage. */
  readonly pagesRead: number;

  /**
   * How many more pages have entities in these ranges, but were not read: their zone maps show that
   * no entity fits, or that all do.
   */
  readonly pagesSkipped: number;

  /**
   * How many entities were compared with the filter. An entity that was updated lately may count
   * more than once; an entity that was deleted lately counts, too.
   */
  readonly entitiesExamined: number;

  /** The table has a schema that every write must keep. */
  readonly enforced: boolean;

  /**
   * That schema, if there is one. The version of a definition is the `enum` of the property that
   * holds it, `schemaVersion` by default.
   */
  readonly schema?: EnforcedSchema | undefined;
}

/** Options of `updateEntity`. */
export interface UpdateTableEntityOptions extends OperationOptions {
  /** Changes the entity only if it has this etag; by default `*`, any. */
  etag?: string | undefined;
}

/** Options of `deleteEntity`. */
export type DeleteTableEntityOptions = UpdateTableEntityOptions;

/**
 * - `Merge` keeps the properties that are not given.
 * - `Replace` removes them.
 */
export type UpdateMode = 'Merge' | 'Replace';

/** The keys of an entity that was deleted, and its last etag. */
export interface DeletedTableEntity {
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly etag: string;
}

/** The result of a write of one entity. */
export interface WriteEntityResponse {
  /** The new etag of the entity. */
  etag?: string;
}

/** The result of `deleteEntity`, which is empty. */
export type DeleteTableEntityResponse = Record<never, never>;

/** Creates or deletes an entity in a transaction. */
export type CreateDeleteEntityAction<Row extends object = Record<string, unknown>> =
  ['create', EntityToWrite<Row>] | ['delete', TableEntity<Partial<Row>>];

/** Options of an upsert in a transaction, which has no etag. */
export type UpsertActionOptions = Omit<OperationOptions, 'abortSignal'>;

/** Options of an update in a transaction. The signal is an option of the whole transaction. */
export type UpdateActionOptions = Omit<UpdateTableEntityOptions, 'abortSignal'>;

/** Updates or upserts an entity in a transaction. */
export type UpdateEntityAction<Row extends object = Record<string, unknown>> =
  | ['update' | 'upsert', EntityToMerge<Row>]
  | ['update' | 'upsert', EntityToMerge<Row>, 'Merge']
  | ['update' | 'upsert', EntityToWrite<Row>, UpdateMode]
  | ['update', EntityToMerge<Row>, 'Merge', UpdateActionOptions | undefined]
  | ['update', EntityToWrite<Row>, UpdateMode, UpdateActionOptions | undefined]
  | ['upsert', EntityToMerge<Row>, 'Merge', UpsertActionOptions | undefined]
  | ['upsert', EntityToWrite<Row>, UpdateMode, UpsertActionOptions | undefined];

/** One of the up to 100 actions of a transaction. */
export type TransactionAction<Row extends object = Record<string, unknown>> =
  CreateDeleteEntityAction<Row> | UpdateEntityAction<Row>;

/** Options of `submitTransaction`. */
export interface SubmitTransactionOptions extends OperationOptions {
  /**
   * Carries out any number of actions on any number of partitions, as transactions of up to 100
   * actions on one partition, one after another. Beyond the service. Only each single transaction
   * is stored as a whole. If one fails, the earlier ones are stored, and `details.stored` has the
   * number of their actions. If the signal fires, the call is rejected like an import, with a
   * member `stored`; the transaction that was already begun may be stored, too.
   */
  split?: boolean | undefined;
}

/** The result of one action. */
export interface TableTransactionEntityResponse {
  etag?: string;
  rowKey?: string;
  status: number;
}

/** The result of `submitTransaction`. */
export interface TableTransactionResponse {
  /** One for each action, in the order of the actions. */
  subResponses: TableTransactionEntityResponse[];
  status: number;
  getResponseForEntity: (rowKey: string) => TableTransactionEntityResponse | undefined;
}
