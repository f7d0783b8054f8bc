/**
 * Results that stay up to date, for Solid.
 *
 * @module
 */

import {
  createComponent,
  createContext,
  createEffect,
  createSignal,
  onCleanup,
  useContext,
  type Accessor,
  type JSX,
} from 'solid-js';

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
  RowStates,
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

/** The properties of {@link AccountProvider}. */
export interface AccountProviderProps {
  readonly account: AccountSource;
  readonly children?: JSX.Element;
}

// Null without a provider.
const AccountContext = /* @__PURE__ */ createContext<(() => AccountSource) | null>(null);

const SOLID: Framework = {
  provided: () => {
    const source = useContext(AccountContext);
    return () => source && source();
  },
  show: stateOf,
};

/** Gives an account to all components in it. It never closes the account. */
export function AccountProvider(props: AccountProviderProps): JSX.Element {
  return createComponent(AccountContext.Provider, {
    value: () => props.account,
    get children() {
      return props.children;
    },
  });
}

/** Returns the account of the provider: undefined until it is open, and on a server. */
export function useAccount(): Accessor<TableServiceClient | undefined> {
  return readAccount(SOLID);
}

/**
 * Returns the table of a declaration in the account that was provided: undefined until the account
 * is open, and on a server. Reading it throws `InvalidInput`, if the account was opened without
 * this table.
 */
export function useTable<T extends TableTypes>(
  table: ValueOrGetter<DeclaredSource<T>>,
): Accessor<Table<T> | undefined> {
  return readTable(SOLID, table) as never;
}

/**
 * Returns the rows that fit, as they are now and after each commit in any tab. Pass a
 * getter for what may change; a function `where` may read it, too. Read the members of the result
 * where they are used. Equal
 * queries share one result.
 */
export function useRows<T extends TableTypes, const Names extends SelectNames<T> = undefined>(
  table: ValueOrGetter<TableSource<T>>,
  options: ValueOrGetter<RowsOptions<T, Names>> = {},
): RowsResult<PartOfRow<T, Names>> & Failable {
  return readRows(SOLID, table, options) as never;
}

/** Returns the row of a key, as {@link useRows} returns several; without a key, none. */
export function useRow<T extends TableTypes>(
  table: ValueOrGetter<TableSource<T>>,
  key: ValueOrGetter<KeyOf<NoInfer<T>> | undefined>,
  options: ValueOrGetter<RowOptions<NoInfer<T>>> = {},
): RowResult<StoredRow<T>> & Failable {
  return readRow(SOLID, table, key, options) as never;
}

/** Returns the number of rows that fit, now and after each commit in any tab. */
export function useCount<T extends TableTypes>(
  table: ValueOrGetter<TableSource<T>>,
  options: ValueOrGetter<CountOptions<T>> = {},
): CountResult & Failable {
  return readCount(SOLID, table, options);
}

/**
 * Returns what any live result shows, such as an aggregate. A function may make the live result
 * anew each time: equal ones share one result.
 */
export function useLive<Value>(live: LiveSource<Value>): LiveValue<Value> & Failable {
  return readLive(SOLID, live);
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): Accessor<StoreStatus | undefined> {
  return readStatus(SOLID);
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: ValueOrGetter<SyncSource>): Accessor<SyncStatus> {
  return readSync(SOLID, sync);
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. It throws the error that has ended it:
 * `InvalidInput`, if the table is not one of this sync.
 */
export function useRowStates<T extends TableTypes = EntityTypes>(
  sync: ValueOrGetter<SyncSource>,
  table: ValueOrGetter<NamedTable<T>>,
): RowStates<T> {
  return readRowStates(SOLID, sync, table);
}

// Effects run in browsers only, after hydration.
function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  const [state, setState] = createSignal<LiveState<R | undefined>>(PENDING);
  const show = livesInto<R>((newest) => void setState(() => newest));
  createEffect(() => onCleanup(show(liveNow())));
  return state;
}
