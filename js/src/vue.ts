/**
 * Composables for Vue, over results that stay up to date.
 *
 * @module
 */

import {
  computed,
  getCurrentInstance,
  inject,
  onMounted,
  provide,
  shallowRef,
  toRaw,
  toValue,
  watch,
  type ComputedRef,
  type InjectionKey,
  type MaybeRefOrGetter,
  type Plugin,
} from 'vue';

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

/** A result whose members are refs. */
export type Refs<Result> = { readonly [Name in keyof Result]: ComputedRef<Result[Name]> };

/** The rows that a component shows. */
export type Rows<Row> = Refs<RowsResult<Row> & Failable>;

/** The row that a component shows. */
export type Row<Row> = Refs<RowResult<Row> & Failable>;

/** The number of rows that a component shows. */
export type Count = Refs<CountResult & Failable>;

/** What a component shows of any live result. */
export type LiveRefs<Value> = Refs<LiveValue<Value> & Failable>;

/** The states of the rows of a table. */
export interface RowStates<T extends TableTypes = EntityTypes> {
  /** Reads the newest state, so that a template shows it. */
  readonly stateOf: StateOf<T>;
  /** False until the states are known. */
  readonly isLoaded: ComputedRef<boolean>;
}

const ACCOUNT: InjectionKey<AccountSource> = /* @__PURE__ */ Symbol('account');

const VUE: Framework = {
  provided: () => {
    const source = inject(ACCOUNT, null);
    return () => source;
  },
  show: stateOf,
};

/** A plugin that gives an account to all components: `app.use(accountPlugin(account))`. */
export function accountPlugin(account: AccountSource): Plugin {
  return { install: (app) => void app.provide(ACCOUNT, account) };
}

/** Gives an account to all components in this one. It never closes the account. */
export function provideAccount(account: AccountSource): void {
  provide(ACCOUNT, account);
}

/** Returns the account that was provided: undefined until it is open, and on a server. */
export function useAccount(): ComputedRef<TableServiceClient | undefined> {
  return computed(readAccount(VUE));
}

/**
 * Returns the table of a declaration in the account that was provided: undefined until the account
 * is open, and on a server. Reading it throws `InvalidInput`, if the account was opened without
 * this table.
 */
export function useTable<T extends TableTypes>(
  table: MaybeRefOrGetter<DeclaredSource<T>>,
): ComputedRef<Table<T> | undefined> {
  return computed(readTable(VUE, rawIn(table))) as never;
}

/**
 * Returns the rows that fit, as they are now and after each commit in any tab. Arguments may be
 * refs or getters, and a function `where` may read them, too. Equal
 * queries share one result.
 */
export function useRows<T extends TableTypes, const Names extends SelectNames<T> = undefined>(
  table: MaybeRefOrGetter<TableSource<T>>,
  options: MaybeRefOrGetter<RowsOptions<T, Names>> = {},
): Rows<PartOfRow<T, Names>> {
  return refs(readRows(VUE, rawIn(table), () => toValue(options))) as never;
}

/** Returns the row of a key, as {@link useRows} returns several; without a key, none. */
export function useRow<T extends TableTypes>(
  table: MaybeRefOrGetter<TableSource<T>>,
  key: MaybeRefOrGetter<KeyOf<NoInfer<T>> | undefined>,
  options: MaybeRefOrGetter<RowOptions<NoInfer<T>>> = {},
): Row<StoredRow<T>> {
  return refs(
    readRow(
      VUE,
      rawIn(table),
      () => toValue(key),
      () => toValue(options),
    ),
  ) as never;
}

/** Returns the number of rows that fit, now and after each commit in any tab. */
export function useCount<T extends TableTypes>(
  table: MaybeRefOrGetter<TableSource<T>>,
  options: MaybeRefOrGetter<CountOptions<T>> = {},
): Count {
  return refs(readCount(VUE, rawIn(table), () => toValue(options)));
}

/**
 * Returns what any live result shows, such as an aggregate. A function may make the live result
 * anew each time: equal ones share one result.
 */
export function useLive<Value>(live: LiveSource<Value>): LiveRefs<Value> {
  return refs(readLive(VUE, live));
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): ComputedRef<StoreStatus | undefined> {
  return computed(readStatus(VUE));
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: MaybeRefOrGetter<SyncSource>): ComputedRef<SyncStatus> {
  return computed(readSync(VUE, () => toValue(sync)));
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. It throws the error that has ended it:
 * `InvalidInput`, if the table is not one of this sync.
 */
export function useRowStates<T extends TableTypes = EntityTypes>(
  sync: MaybeRefOrGetter<SyncSource>,
  table: MaybeRefOrGetter<NamedTable<T>>,
): RowStates<T> {
  const states = readRowStates(
    VUE,
    () => toValue(sync),
    () => toValue(table),
  );
  return { stateOf: states.stateOf, isLoaded: computed(() => states.isLoaded) };
}

// A declaration in the state of an app is a proxy.
const rawIn =
  <Source extends object>(table: MaybeRefOrGetter<Source>) =>
  (): Source =>
    toRaw(toValue(table));

// A component shows its result after it is mounted: a server shows nothing, and so does hydration.
function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  const state = shallowRef<LiveState<R | undefined>>(PENDING);
  const show = livesInto<R>((newest) => (state.value = newest));
  const begin = () => {
    watch(liveNow, (live, _, onCleanup) => onCleanup(show(live)), { immediate: true });
  };
  if (getCurrentInstance()) onMounted(begin);
  else begin();
  return () => state.value;
}

function refs<Result extends object>(result: Result): Refs<Result> {
  const names = Object.keys(result) as (keyof Result)[];
  const members = names.map((name) => [name, computed(() => result[name])] as const);
  return Object.fromEntries(members) as Refs<Result>;
}
