/**
 * Entities, and the arguments and results of calls on entities, as in `@azure/data-tables`.
 *
 * @module
 */

import type { OperationOptions, ReadOptions } from '../base/call-options.js';

/** A set of properties with its two keys. */
export type TableEntity<T extends object = Record<string, unknown>> = T & {
  partitionKey: string;
  rowKey: string;
};

/**
 * An entity as reads return it. The keys and the timestamp are missing if a `select` leaves them
 * out.
 */
export type TableEntityResult<T> = T & {
  /** Changes with every write. */
  etag: string;
  partitionKey?: string;
  rowKey?: string;
  /** When the entity was last written: ISO 8601 with up to seven digits of a second. */
  timestamp?: string;
};

/** An entity to write: a new one, or one that was read with its keys. */
export type WritableTableEntity<T extends object = Record<string, unknown>> =
  TableEntity<T> | TableEntityResult<T>;

/** The result of `getEntity`. */
export type GetTableEntityResponse<T extends object> = TableEntityResult<T>;

/** A page of entities. */
export type TableEntityResultPage<T> = TableEntityResult<T>[] & {
  /** Where the next page begins; missing on the last page. */
  continuationToken?: string;
};

/** Which entities to return, and which of their properties. */
export interface TableEntityQueryOptions {
  /**
   * An OData expression: write it with the `odata` tag. Properties have the names under which they
   * are stored: `PartitionKey`, and `etag` for a property that reads return as `$etag`.
   */
  filter?: string | undefined;

  /**
   * The names of the properties to return, as they are in entities; all properties, if there is no
   * name.
   */
  select?: string[] | undefined;
}

/** Which properties of an entity to return. */
export type TableEntitySelectOptions = Pick<TableEntityQueryOptions, 'select'>;

/** Options of `getEntity`. */
export interface GetTableEntityOptions extends ReadOptions {
  queryOptions?: TableEntitySelectOptions | undefined;

  /**
   * Returns every property as `{ type, value }`; the value is a text if JSON has a text or a
   * number.
   */
  disableTypeConversion?: boolean | undefined;
}

/** Options of `listEntities`. */
export interface ListTableEntitiesOptions extends GetTableEntityOptions {
  queryOptions?: TableEntityQueryOptions | undefined;
}

/** Which entities to count. */
export type TableEntityCountOptions = Pick<TableEntityQueryOptions, 'filter'>;

/** Options of `countEntities` and `explain`. Beyond the service. */
export interface CountTableEntitiesOptions extends ReadOptions {
  queryOptions?: TableEntityCountOptions | undefined;
}

/** How the store finds the entities that fit a filter. Beyond the service. */
export interface QueryPlan {
  /** How many entities fit. */
  readonly count: number;

  /**
   * The part of the table that the conditions on keys leave, from the least: nothing; one entity; a
   * part of a partition; a whole partition; several partitions; the whole table.
   */
  readonly access:
    'nothing' | 'point' | 'row range' | 'partition scan' | 'partition range' | 'table scan';

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
  readonly partitionKey?: string;
  readonly rowKey?: string;
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
export type CreateDeleteEntityAction = ['create' | 'delete', WritableTableEntity];

/** Options of an upsert in a transaction, which has no etag. */
export type UpsertActionOptions = Omit<OperationOptions, 'abortSignal'>;

/** Options of an update in a transaction. The signal is an option of the whole transaction. */
export type UpdateActionOptions = Omit<UpdateTableEntityOptions, 'abortSignal'>;

/** Updates or upserts an entity in a transaction. */
export type UpdateEntityAction =
  | ['update' | 'upsert', WritableTableEntity]
  | ['update' | 'upsert', WritableTableEntity, UpdateMode]
  | ['update', WritableTableEntity, UpdateMode, UpdateActionOptions | undefined]
  | ['upsert', WritableTableEntity, UpdateMode, UpsertActionOptions | undefined];

/** One of the up to 100 actions of a transaction. */
export type TransactionAction = CreateDeleteEntityAction | UpdateEntityAction;

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
