/**
 * Results that stay up to date, as signals of Angular.
 *
 * @module
 */

import {
  afterRenderEffect,
  computed,
  inject,
  InjectionToken,
  signal,
  untracked,
  type Provider,
  type Signal,
} from '@angular/core';

import type { TableServiceClient } from './client/table-service-client.js';
import type { LiveState } from './live/live-making.js';
import type { Live } from './live/live.js';
import type { StoreStatus } from './storage/page-storage.js';
import type { KeyOf, PartOfRow, SelectNames, StoredRow, TableTypes } from './tables/models.js';
import type { Table } from './tables/table.js';
import type {
  AccountSource,
  CountOptions,
  CountResult,
  DeclaredSource,
  EntityTypes,
  Failable,
  LiveSource,
  LiveValue,
  NamedTable,
  RowOptions,
  RowResult,
  RowsOptions,
  RowsResult,
  StateOf,
  SyncSource,
  SyncStatus,
  TableSource,
  ValueOrGetter,
} from './views/models.js';
import {
  readAccount,
  readCount,
  readLive,
  readRow,
  readRows,
  readRowStates,
  readStatus,
  readSync,
  readTable,
  type Framework,
  type State,
} from './views/reads.js';
import { livesInto, PENDING } from './views/shared.js';

export type * from './views/models.js';

/** A result whose members are signals. */
export type Signals<Result> = { readonly [Name in keyof Result]: Signal<Result[Name]> };

/** The rows that a component shows. */
export type Rows<Row> = Signals<RowsResult<Row> & Failable>;

/** The row that a component shows. */
export type Row<Row> = Signals<RowResult<Row> & Failable>;

/** The number of rows that a component shows. */
export type Count = Signals<CountResult & Failable>;

/** What a component shows of any live result. */
export type LiveSignals<Value> = Signals<LiveValue<Value> & Failable>;

/** The states of the rows of a table. */
export interface RowStates<T extends TableTypes = EntityTypes> {
  /** Reads the newest state, as a signal does. */
  readonly stateOf: StateOf<T>;
  /** False until the states are known. */
  readonly isLoaded: Signal<boolean>;
}

// An object, because Angular does not tell a provided undefined from a missing provider.
const ACCOUNT = /* @__PURE__ */ new InjectionToken<{ source: AccountSource }>('entitable account');

const ANGULAR: Framework = {
  provided: () => {
    const provided = inject(ACCOUNT, { optional: true });
    return () => provided && provided.source;
  },
  show: stateOf,
};

/** Provides an account to an application, a route or a component. It never closes the account. */
export function provideAccount(account: AccountSource): Provider {
  return { provide: ACCOUNT, useValue: { source: account } };
}

/** Returns the account that was provided: undefined until it is open, and on a server. */
export function injectAccount(): Signal<TableServiceClient | undefined> {
  return computed(readAccount(ANGULAR));
}

/**
 * Returns the table of a declaration in the account that was provided: undefined until the account
 * is open, and on a server. Reading it throws `InvalidInput`, if the account was opened without
 * this table.
 */
export function injectTable<T extends TableTypes>(
  table: ValueOrGetter<DeclaredSource<T>>,
): Signal<Table<T> | undefined> {
  return computed(readTable(ANGULAR, table)) as never;
}

/**
 * Returns the rows that fit, as they are now and after each commit in any tab. Pass a
 * signal or a function for what may change; a function `where` may read signals, too. Call it where
 * `inject` may be called. Equal
 * queries share one result.
 */
export function injectRows<T extends TableTypes, const Names extends SelectNames<T> = undefined>(
  table: ValueOrGetter<TableSource<T>>,
  options: ValueOrGetter<RowsOptions<T, Names>> = {},
): Rows<PartOfRow<T, Names>> {
  return signals(readRows(ANGULAR, table, options)) as never;
}

/** Returns the row of a key, as {@link injectRows} returns several; without a key, none. */
export function injectRow<T extends TableTypes>(
  table: ValueOrGetter<TableSource<T>>,
  key: ValueOrGetter<KeyOf<NoInfer<T>> | undefined>,
  options: ValueOrGetter<RowOptions<NoInfer<T>>> = {},
): Row<StoredRow<T>> {
  return signals(readRow(ANGULAR, table, key, options)) as never;
}

/** Returns the number of rows that fit, now and after each commit in any tab. */
export function injectCount<T extends TableTypes>(
  table: ValueOrGetter<TableSource<T>>,
  options: ValueOrGetter<CountOptions<T>> = {},
): Count {
  return signals(readCount(ANGULAR, table, options));
}

/**
 * Returns what any live result shows, such as an aggregate. A function may make the live result
 * anew each time: equal ones share one result.
 */
export function injectLive<Value>(live: LiveSource<Value>): LiveSignals<Value> {
  return signals(readLive(ANGULAR, live));
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function injectStatus(): Signal<StoreStatus | undefined> {
  return computed(readStatus(ANGULAR));
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function injectSync(sync: ValueOrGetter<SyncSource>): Signal<SyncStatus> {
  return computed(readSync(ANGULAR, sync));
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. It throws the error that has ended it:
 * `InvalidInput`, if the table is not one of this sync.
 */
export function injectRowStates<T extends TableTypes = EntityTypes>(
  sync: ValueOrGetter<SyncSource>,
  table: ValueOrGetter<NamedTable<T>>,
): RowStates<T> {
  const states = readRowStates(ANGULAR, sync, table);
  return { stateOf: states.stateOf, isLoaded: computed(() => states.isLoaded) };
}

// These effects run in browsers only, after hydration.
function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  const state = signal<LiveState<R | undefined>>(PENDING);
  const show = livesInto<R>((newest) => state.set(newest));
  afterRenderEffect((onCleanup) => {
    const live = liveNow();
    onCleanup(untracked(() => show(live)));
  });
  return state;
}

function signals<Result extends object>(result: Result): Signals<Result> {
  const names = Object.keys(result) as (keyof Result)[];
  const members = names.map((name) => [name, computed(() => result[name])] as const);
  return Object.fromEntries(members) as Signals<Result>;
}
