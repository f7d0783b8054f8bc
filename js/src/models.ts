/**
 * What goes into the API and comes out of it, in the shape of `@azure/data-tables`.
 *
 * @module
 */

import type { AbortSignalLike, StreamLike } from './platform.js';

export type { AbortSignalLike };

/** What every call takes. */
export interface OperationOptions {
  /**
   * Rejects the call with the reason of the signal, as `fetch()` does: a DOMException named
   * `AbortError`, unless another one was given. A write that was already begun may come true all the
   * same.
   */
  abortSignal?: AbortSignalLike | undefined;

  /** An option of the official client. Taken, and without effect: there is no HTTP request. */
  requestOptions?: unknown;

  /** An option of the official client. Taken, and without effect. */
  tracingOptions?: unknown;

  /** An option of the official client. Taken, and without effect. */
  serializerOptions?: unknown;

  /** An option of the official client. Taken, and never called: there is no HTTP response. */
  onResponse?: unknown;
}

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

/** A table of the account. */
export interface TableItem {
  name?: string;
}

/** A page of tables. */
export type TableItemResultPage = TableItem[] & {
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

/** Options of every read. */
export interface ReadOptions extends OperationOptions {
  /**
   * Looks first for what others have written, in another tab for one: the read then sees every
   * write whose promise was resolved before the call, of every account. Without it, the newest
   * state that this account knows of: all its own writes, and what it has read of others'. Beyond
   * the service; costs one small read of the storage.
   */
  fresh?: boolean | undefined;
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

/** Options of `listTables`. */
export interface ListTableItemsOptions extends ReadOptions {
  queryOptions?: { filter?: string | undefined } | undefined;
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

/**
 * What an imported entity does where its key exists already, in the table or earlier in the input.
 *
 * - `Insert` stops the import with `EntityAlreadyExists`.
 * - `Replace` and `Merge` update the entity, as `upsertEntity` does.
 */
export type ImportMode = 'Insert' | UpdateMode;

/** How far an import is. */
export interface ImportProgress {
  /** Entities that were taken from the source. */
  read: number;

  /** How many of them, from the first one on, are stored. */
  stored: number;
}

/** Options of `importEntities`. */
export interface ImportEntitiesOptions {
  /** By default `Insert`. */
  mode?: ImportMode | undefined;

  /** Is called after each step that was stored, and at last when the import ends early. */
  onProgress?: ((progress: ImportProgress) => void) | undefined;

  /**
   * Ends the import: the call is rejected with a DOMException that has the name of the signal's
   * reason (`AbortError`, unless another one was given), it as its `cause`, and a member `stored`, which
   * says how many entities are stored.
   */
  abortSignal?: AbortSignalLike | undefined;
}

/**
 * Where imported entities come from: entities as `createEntity` takes them, or the bytes of OData
 * JSON, an array or one object after another (JSON Lines), in chunks that may be cut anywhere.
 */
export type ImportSource =
  StreamLike<object> | Uint8Array | Iterable<object> | AsyncIterable<object>;

/** Options of `exportEntities`. */
export interface ExportEntitiesOptions extends OperationOptions {
  /** The keys are always exported. */
  queryOptions?: TableEntityQueryOptions | undefined;

  /** A JSON array, or JSON Lines: an object a line. By default `lines`. */
  format?: 'array' | 'lines' | undefined;
}

/** Which entities to follow. Beyond the service. */
export interface LiveEntitiesOptions {
  /** An OData expression: write it with the `odata` tag. By default all entities. */
  filter?: string | undefined;

  /** Ends it. */
  abortSignal?: AbortSignalLike | undefined;

  /** Is called when it fails, and so ends. */
  onError?: ((error: unknown) => void) | undefined;
}

/** What commits did to the entities that fit a filter. */
export interface TableEntityChanges<T> {
  /** Entities that fit now, and did not, or were not there. */
  readonly inserted: readonly TableEntityResult<T>[];

  /** Entities that did fit, as they are now. */
  readonly updated: readonly TableEntityResult<T>[];

  /** The keys of entities that did fit, and do no more, or are gone; with their last etag. */
  readonly deleted: readonly DeletedTableEntity[];

  /**
   * True: nothing else is told. It begins here; or more happened than is told one by one, because
   * very much was loaded or the table was made anew. An app that shows them reads them again.
   */
  readonly reset: boolean;
}

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

/** What a shared access signature that names the policy may do; what is left out, it says itself. */
export interface AccessPolicy {
  start?: Date | undefined;
  expiry?: Date | undefined;
  /** Letters of `raud`: read, add, update, delete. */
  permission?: string | undefined;
}

/** A stored access policy of a table. */
export interface SignedIdentifier {
  /** 1 to 64 characters. */
  id: string;
  accessPolicy?: AccessPolicy | undefined;
}

/** How long logs and metrics would be kept. */
export interface RetentionPolicy {
  enabled: boolean;
  /** 1 to 365; only where it is enabled. */
  days?: number | undefined;
}

/** What would be logged: it is kept, and nothing follows from it. */
export interface Logging {
  /** `1.0`. */
  version: string;
  read: boolean;
  write: boolean;
  delete: boolean;
  retentionPolicy: RetentionPolicy;
}

/** What would be measured: it is kept, and nothing follows from it. */
export interface Metrics {
  /** `1.0`. */
  version: string;
  enabled: boolean;
  /** Only where they are enabled. */
  includeAPIs?: boolean | undefined;
  retentionPolicy: RetentionPolicy;
}

/** What pages of other origins may do by HTTP. Lists have commas between their parts. */
export interface CorsRule {
  /** Up to 64 origins, or `*`. */
  allowedOrigins: string;
  allowedMethods: string;
  /** Up to 64 names, and 2 beginnings of names with a `*` behind; also of the next. */
  allowedHeaders: string;
  exposedHeaders: string;
  maxAgeInSeconds: number;
}

/** What `getProperties` resolves to, and `setProperties` takes. */
export interface ServiceProperties {
  logging?: Logging | undefined;
  hourMetrics?: Metrics | undefined;
  minuteMetrics?: Metrics | undefined;
  /** Up to five rules, of which the first that fits decides. */
  cors?: CorsRule[] | undefined;
}

/** What `getStatistics` resolves to. */
export interface ServiceStatistics {
  geoReplication: { status: 'live'; lastSyncOn: Date };
}
