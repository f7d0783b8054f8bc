/**
 * Entities, and what calls on entities take and return, as in `@azure/data-tables`.
 *
 * @module
 */

import type { OperationOptions, ReadOptions } from '../base/call-options.js';

/** A set of properties, with the keys under which it is kept. */
export type TableEntity<T extends object = Record<string, unknown>> = T & {
  partitionKey: string;
  rowKey: string;
};

/**
 * An entity as it comes back. The keys and the timestamp are missing if a
 * `select` left them out.
 */
export type TableEntityResult<T> = T & {
  /** Changes with every write. */
  etag: string;
  partitionKey?: string;
  rowKey?: string;
  /** When the entity was last written: ISO 8601 with up to seven digits of a second. */
  timestamp?: string;
};

/** What `getEntity` resolves to. */
export type GetTableEntityResponse<T extends object> = TableEntityResult<T>;

/** A page of entities. */
export type TableEntityResultPage<T> = TableEntityResult<T>[] & {
  /** Names the next page; missing on the last one. */
  continuationToken?: string;
};

/** Which entities to return, and what of them. */
export interface TableEntityQueryOptions {
  /**
   * An OData expression: write it with the `odata` tag. Properties have the names under which they
   * are stored: `PartitionKey`, and `etag` for what comes back as `$etag`.
   */
  filter?: string | undefined;

  /** The names of the properties to return, as they are in entities; all, if none is given. */
  select?: string[] | undefined;
}

/** What of an entity to return. */
export type TableEntitySelectOptions = Pick<TableEntityQueryOptions, 'select'>;

/** Options of `getEntity`. */
export interface GetTableEntityOptions extends ReadOptions {
  queryOptions?: TableEntitySelectOptions | undefined;

  /** Returns every property as `{ type, value }`, the value as text where JSON has text or a number. */
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

/** What it takes to find the entities that fit a filter. Beyond the service. */
export interface QueryPlan {
  /** How many entities fit. */
  readonly count: number;

  /**
   * How much of the table the filter's conditions on the keys leave, the least first: no entity
   * can fit; one entity; a part of a partition; a whole partition; several; the whole table.
   */
  readonly access:
    'nothing' | 'point' | 'row range' | 'partition scan' | 'partition range' | 'table scan';

  /** Into how many ranges of keys these conditions fall; 0 if no entity can fit. */
  readonly ranges: number;

  /** How many pages of up to 60 KiB were looked at, in memory or fetched from the storage. */
  readonly pagesRead: number;

  /**
   * How many more have entities in these ranges, but had not to be looked at: by what is noted of
   * the values of each page, none of its entities can fit, or all do.
   */
  readonly pagesSkipped: number;

  /**
   * How many entities the filter was asked of. One that was updated lately may count more than once, and
   * one that was deleted lately counts, too.
   */
  readonly entitiesExamined: number;
}

/** Options of `updateEntity`. */
export interface UpdateTableEntityOptions extends OperationOptions {
  /** Only an entity with this etag is changed; by default `*`, any. */
  etag?: string | undefined;
}

/** Options of `deleteEntity`. */
export type DeleteTableEntityOptions = UpdateTableEntityOptions;

/**
 * - `Merge` keeps the properties that are not given.
 * - `Replace` removes them.
 */
export type UpdateMode = 'Merge' | 'Replace';

/** The keys of an entity that was deleted, and the etag that it had. */
export interface DeletedTableEntity {
  readonly partitionKey?: string;
  readonly rowKey?: string;
  readonly etag: string;
}

/** What a write of one entity resolves to. */
export interface WriteEntityResponse {
  /** The new etag of the entity. */
  etag?: string;
}

/** What `deleteEntity` resolves to: nothing is left that it could tell of. */
export type DeleteTableEntityResponse = Record<never, never>;

/** Creates or deletes an entity in a transaction. */
export type CreateDeleteEntityAction = ['create' | 'delete', TableEntity];

/** Options of an upsert in a transaction, which asks for no etag. */
export type UpsertActionOptions = Omit<OperationOptions, 'abortSignal'>;

/** Options of an update in a transaction, which has a signal for all of its actions. */
export type UpdateActionOptions = Omit<UpdateTableEntityOptions, 'abortSignal'>;

/** Updates or upserts an entity in a transaction. */
export type UpdateEntityAction =
  | ['update' | 'upsert', TableEntity]
  | ['update' | 'upsert', TableEntity, UpdateMode]
  | ['update', TableEntity, UpdateMode, UpdateActionOptions | undefined]
  | ['upsert', TableEntity, UpdateMode, UpsertActionOptions | undefined];

/** One of the up to 100 actions of a transaction. */
export type TransactionAction = CreateDeleteEntityAction | UpdateEntityAction;

/** Options of `submitTransaction`. */
export interface SubmitTransactionOptions extends OperationOptions {
  /**
   * Carries out any number of actions on any number of partitions, as one transaction after another
   * of up to 100 on one partition. Beyond the service. Only each of them comes true as a whole: if
   * one fails, those before it are stored, and `details.stored` says how many actions that are. If
   * the signal fires, the call is rejected as that of an import is, with a member `stored`; the transaction
   * that was under way may be stored, too.
   */
  split?: boolean | undefined;
}

/** What became of one action. */
export interface TableTransactionEntityResponse {
  etag?: string;
  rowKey?: string;
  status: number;
}

/** What `submitTransaction` resolves to. */
export interface TableTransactionResponse {
  /** One for each action, in their order. */
  subResponses: TableTransactionEntityResponse[];
  status: number;
  getResponseForEntity: (rowKey: string) => TableTransactionEntityResponse | undefined;
}
