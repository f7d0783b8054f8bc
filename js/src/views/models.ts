/**
 * The tables, options and results of the entries for frameworks, which export all of these types.
 *
 * @module
 */

import type { TableServiceClient } from '../client/table-service-client.js';
import type { EntityKeys } from '../entity/keys.js';
import type { Live } from '../live/live.js';
import type { AccountSync } from '../sync/sync.js';
import type {
  KeyFieldsOf,
  LiveOptions,
  PartOfRow,
  SelectNames,
  TableTypes,
} from '../tables/models.js';
import type { Table } from '../tables/table.js';

export type { SyncStatus } from '../sync/models.js';

/** An account, or a promise of one; undefined while there is none, as on a server. */
export type AccountSource = TableServiceClient | PromiseLike<TableServiceClient> | undefined;

/** A declared table: what `defineTable` returns. */
export interface DeclaredSource<T extends TableTypes> {
  readonly tableName: string;
  readonly '~table'?: T;
}

/** A table of the app, or its declaration, which stands for its table in the provided account. */
export type TableSource<T extends TableTypes> = Table<T> | DeclaredSource<T>;

/** What is shown until the result of this device is there. */
export interface InitialOptions<Value> {
  /**
   * What a server has sent. The server renders it, and so does the first render of the page, until
   * the result of this device is there.
   */
  readonly initial?: Value | undefined;
}

/** Which rows to show. */
export interface RowsOptions<T extends TableTypes, Names extends SelectNames<T> = undefined>
  extends
    Pick<LiveOptions<T, Names>, 'where' | 'orderBy' | 'limit' | 'select'>,
    InitialOptions<readonly PartOfRow<T, Names>[]> {}

/** Options of one row. */
export type RowOptions<T extends TableTypes> = InitialOptions<PartOfRow<T, undefined>>;

/** Which rows to count. */
export interface CountOptions<T extends TableTypes>
  extends Pick<LiveOptions<T, undefined>, 'where'>, InitialOptions<number> {}

/** The rows that a component shows. */
export interface RowsResult<Row> {
  /** Until the first result: `initial`, or none. A row that did not change is the same object. */
  readonly rows: readonly Row[];
  /** False until the first result is there, and on a server. */
  readonly isLoaded: boolean;
  /** True while the query has changed and the rows are still those of the old one. */
  readonly isStale: boolean;
}

/** The row that a component shows. */
export interface RowResult<Row> {
  /** Undefined if it does not exist; until the result is there, `initial`. */
  readonly row: Row | undefined;
  readonly isLoaded: boolean;
}

/** The number of rows that a component shows. */
export interface CountResult {
  /** Until the first result: `initial`, or 0. */
  readonly count: number;
  readonly isLoaded: boolean;
  /** True while the filter has changed and the count is still that of the old one. */
  readonly isStale: boolean;
}

/** What a component shows of any live result. */
export interface LiveValue<Value> {
  /** Undefined while there is no live result; until its first result, the empty one. */
  readonly value: Value | undefined;
  readonly isLoaded: boolean;
  /** True while the query has changed and the value is still that of the old one. */
  readonly isStale: boolean;
}

/**
 * A live result, or a function that makes one: equal ones share one result, so it may make it anew
 * each time. To call `update` of a live result, give it as it is.
 */
export type LiveSource<Value> =
  Live<Value, never> | (() => Live<Value, never> | undefined) | undefined;

/** A result that may end with an error. */
export interface Failable {
  /** The error that ended it, for example `TableNotFound` after the table was deleted. */
  readonly error: unknown;
}

/** The sync of an account, from `syncTables()`; undefined while there is none, as on a server. */
export type SyncSource = Pick<AccountSync, 'status' | 'subscribe' | 'subscribePending'> | undefined;

/** A table of entities, of which only the keys are known. */
export interface EntityTypes extends TableTypes {
  readonly row: EntityKeys;
  readonly key: keyof EntityKeys;
}

/** A table of a sync: its name or its client, a table of the app or its declaration. */
export type NamedTable<T extends TableTypes = EntityTypes> = string | TableSource<T>;

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
export type StateOf<T extends TableTypes = EntityTypes> = (
  row: KeyFieldsOf<T> | undefined,
) => RowState | undefined;

/** The states of the rows of a table. */
export interface RowStates<T extends TableTypes = EntityTypes> {
  readonly stateOf: StateOf<T>;
  /** False until the states are known. */
  readonly isLoaded: boolean;
}

/** A value, or a function that returns the current value. */
export type ValueOrGetter<T> = T | (() => T);
