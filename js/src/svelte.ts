/**
 * Results that stay up to date, for the runes of Svelte 5. `toStore` of `svelte/store` makes a
 * store of each.
 *
 * @module
 */

import { getContext, hasContext, setContext } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';

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
import { PENDING, stateToShow, type Shown } from './views/shared.js';

export type * from './views/models.js';

const ACCOUNT = 'entitable account';
interface Provided {
  readonly source: AccountSource;
}

const SVELTE: Framework = {
  // Null without a context.
  provided: () => {
    const source = hasContext(ACCOUNT) ? getContext<Provided>(ACCOUNT).source : null;
    return () => source;
  },
  show: stateOf,
};

/** Gives an account to all components in this one. It never closes the account. */
export function setAccount(account: AccountSource): void {
  setContext<Provided>(ACCOUNT, { source: account });
}

/** Returns the account that was set: `current` is undefined until it is open, and on a server. */
export function useAccount(): { readonly current: TableServiceClient | undefined } {
  return current(readAccount(SVELTE));
}

/**
 * Returns the table of a declaration in the account that was provided: undefined until the account
 * is open, and on a server. Reading it throws `InvalidInput`, if the account was opened without
 * this table.
 */
export function useTable<T extends TableTypes>(
  table: ValueOrGetter<DeclaredSource<T>>,
): { readonly current: Table<T> | undefined } {
  return current(readTable(SVELTE, table)) as never;
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
  return readRows(SVELTE, table, options) as never;
}

/** Returns the row of a key, as {@link useRows} returns several; without a key, none. */
export function useRow<T extends TableTypes>(
  table: ValueOrGetter<TableSource<T>>,
  key: ValueOrGetter<KeyOf<NoInfer<T>> | undefined>,
  options: ValueOrGetter<RowOptions<NoInfer<T>>> = {},
): RowResult<StoredRow<T>> & Failable {
  return readRow(SVELTE, table, key, options) as never;
}

/** Returns the number of rows that fit, now and after each commit in any tab. */
export function useCount<T extends TableTypes>(
  table: ValueOrGetter<TableSource<T>>,
  options: ValueOrGetter<CountOptions<T>> = {},
): CountResult & Failable {
  return readCount(SVELTE, table, options);
}

/**
 * Returns what any live result shows, such as an aggregate. A function may make the live result
 * anew each time: equal ones share one result.
 */
export function useLive<Value>(live: LiveSource<Value>): LiveValue<Value> & Failable {
  return readLive(SVELTE, live);
}

/**
 * Returns the last event of the storage that no call caused: `current` is undefined, if there was
 * none since the first component asked.
 */
export function useStatus(): { readonly current: StoreStatus | undefined } {
  return current(readStatus(SVELTE));
}

/**
 * Returns what a sync is doing: `current` is its `status`, now and after each change. Without a
 * sync, it is stopped. A sync is also a store: `$sync`.
 */
export function useSync(sync: ValueOrGetter<SyncSource>): { readonly current: SyncStatus } {
  return current(readSync(SVELTE, sync));
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
  return readRowStates(SVELTE, sync, table);
}

function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  let last: Shown<R> | undefined;
  return () => {
    const live = liveNow();
    if (!live) return PENDING;
    const state = tracked(live);
    if (state.isLoaded) last = { live, state };
    return stateToShow(live, state, last);
  };
}

const trackers = /* @__PURE__ */ new WeakMap<Live<never>, () => void>();

// An effect that reads the state runs again when it has changed, and follows the query until then.
function tracked<R>(live: Live<R>): LiveState<R> {
  let track = trackers.get(live as Live<never>);
  if (!track) {
    track = createSubscriber((update) => {
      const { state } = live;
      // It is called at once, too.
      return live.subscribe(() => live.state === state || update());
    });
    trackers.set(live as Live<never>, track);
  }
  track();
  return live.state;
}

function current<T>(read: () => T): { readonly current: T } {
  return {
    get current() {
      return read();
    },
  };
}
