/**
 * The tables, options and results of the entries for frameworks, which export all of these types.
 *
 * @module
 */

import type { TableClient } from '../client/table-client.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { DeclaredTable, TypedTable } from '../client/typed-table.js';
import type { Selection, TableEntityResult } from '../entity/entities.js';
import type { LiveCountOptions, LiveEntitiesOptions } from '../live/models.js';
import type { AccountSync } from '../sync/sync.js';

export type { SyncStatus } from '../sync/models.js';

/** An account, or a promise of one; undefined while there is none, as on a server. */
export type AccountSource = TableServiceClient | PromiseLike<TableServiceClient> | undefined;

/** A declared table: what `defineTable` returns, or its typed client. */
export type DeclaredSource<Row extends object> =
  DeclaredTable<Row, unknown> | TypedTable<Row, never>;

/** A table: its client, or a name or a definition of a table in the provided account. */
export type TableSource<Row extends object> = TableClient<Row> | DeclaredSource<Row> | string;

/** Which entities to show. */
export type EntitiesOptions<S extends Selection = Selection> = Omit<
  LiveEntitiesOptions<S>,
  'abortSignal' | 'onError' | 'queryOptions'
>;

/** Which entities to count. */
export type CountOptions = Pick<LiveCountOptions, 'filter' | 'dialect'>;

/** The entities that a component shows. */
export interface EntitiesResult<T extends object> {
  /** In key order; empty until the first result. An unchanged entity is the same object. */
  readonly entities: readonly TableEntityResult<T>[];
  /** False until the first result is there, and on a server. */
  readonly isLoaded: boolean;
  /** True while the filter has changed and the entities are still those of the old filter. */
  readonly isStale: boolean;
}

/** The entity that a component shows. */
export interface EntityResult<T extends object> {
  /** Undefined if it does not exist, and until the first result. */
  readonly entity: TableEntityResult<T> | undefined;
  readonly isLoaded: boolean;
}

/** The number of entities that a component shows. */
export interface CountResult {
  /** 0 until the first result. */
  readonly count: number;
  readonly isLoaded: boolean;
  /** True while the filter has changed and the count is still that of the old filter. */
  readonly isStale: boolean;
}

/** A result that may end with an error. */
export interface Failable {
  /** The error that ended it, for example `TableNotFound` after the table was deleted. */
  readonly error: unknown;
}

/** The sync of an account, from `syncTables()`; undefined while there is none, as on a server. */
export type SyncSource = Pick<AccountSync, 'status' | 'subscribe' | 'subscribePending'> | undefined;

/** A table of a sync: its name, or its client or definition. */
export type NamedTable = string | { readonly tableName: string };

/** What sync knows of a row that the remote account does not have. */
export type RowState =
  | { readonly state: 'pending'; readonly reason?: undefined }
  | {
      readonly state: 'rejected';
      /** What the remote account said: its error code and its message. */
      readonly reason: string;
    };

/**
 * The state of a row; undefined if it is in the remote account, or not loaded. It is the same
 * object until it changes.
 */
export type StateOf = (
  row: { readonly partitionKey: string; readonly rowKey: string } | undefined,
) => RowState | undefined;

/** The states of the rows of a table. */
export interface RowStates {
  readonly stateOf: StateOf;
  /** False until the states are known. */
  readonly isLoaded: boolean;
}

/** A value, or a function that returns the current value. */
export type ValueOrGetter<T> = T | (() => T);
