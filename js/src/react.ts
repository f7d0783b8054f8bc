'use client';
/**
 * Hooks for React, over results that stay up to date.
 *
 * @module
 */

import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useRef,
  useSyncExternalStore,
  type ReactElement,
  type ReactNode,
} from 'react';

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
} from './views/models.js';
import {
  readAccount,
  readCount,
  readLive,
  readRow,
  readRows,
  readStatus,
  readSync,
  readTable,
  type Framework,
} from './views/reads.js';
import { PENDING, stateToShow, type Shown } from './views/shared.js';
import { NOT_KNOWN, sharedRowStates } from './views/sync.js';

export type * from './views/models.js';

/** How a hook waits for its first result. */
export interface SuspenseOptions {
  /**
   * Waits in the `<Suspense>` around the component until the first result is there. A server
   * renders its fallback.
   */
  readonly suspense?: boolean | undefined;
}

/** The properties of {@link AccountProvider}. */
export interface AccountProviderProps {
  readonly account: AccountSource;
  readonly children?: ReactNode;
}

// Null without a provider.
const AccountContext = /* @__PURE__ */ createContext<AccountSource | null>(null);

/** Gives an account to the hooks of all components in it. It never closes the account. */
export function AccountProvider({ account, children }: AccountProviderProps): ReactElement {
  return createElement(AccountContext.Provider, { value: account }, children);
}

/**
 * Returns the account of the provider; undefined until it is open, and on a server.
 *
 * @throws the error with which the promise of the account was rejected.
 */
export function useAccount(): TableServiceClient | undefined {
  return readAccount(reactWith())();
}

/**
 * Returns the table of a declaration in the account of the provider; undefined until the account is
 * open, and on a server.
 *
 * @throws {@link TableError} `InvalidInput`, if the account was opened without this table.
 */
export function useTable<T extends TableTypes>(table: DeclaredSource<T>): Table<T> | undefined {
  return readTable(reactWith(), table)() as Table<T> | undefined;
}

/**
 * Returns the rows that fit, as they are now and after each commit in any tab. Inline options and
 * functions are fine: equal queries share one result.
 *
 * @example
 * ```tsx
 * const { rows } = useRows(tasks, { where: ({ done }) => done.eq(false), orderBy: 'due' });
 * ```
 * @throws the error of the live result, for the error boundary around the component:
 * `TableNotFound` when the table is deleted, `InvalidInput` if the query is wrong. A component that
 * is mounted again tries again.
 */
export function useRows<T extends TableTypes, const Names extends SelectNames<T> = undefined>(
  table: TableSource<T>,
  { suspense, ...options }: RowsOptions<T, Names> & SuspenseOptions = {},
): RowsResult<PartOfRow<T, Names>> {
  return { ...readRows(reactFor(suspense, options), table, options) } as never;
}

/** Returns the row of a key, as {@link useRows} returns several; without a key, none. */
export function useRow<T extends TableTypes>(
  table: TableSource<T>,
  key: KeyOf<NoInfer<T>> | undefined,
  { suspense, ...options }: RowOptions<NoInfer<T>> & SuspenseOptions = {},
): RowResult<StoredRow<T>> {
  return { ...readRow(reactFor(suspense, options), table, key, options) } as never;
}

/** Returns the number of rows that fit, now and after each commit in any tab. */
export function useCount<T extends TableTypes>(
  table: TableSource<T>,
  { suspense, ...options }: CountOptions<T> & SuspenseOptions = {},
): CountResult {
  return { ...readCount(reactFor(suspense, options), table, options) };
}

/**
 * Returns what any live result shows. A function may make the live result anew in each render:
 * equal ones share one result.
 *
 * @example
 * ```tsx
 * const table = useTable(tasks);
 * const { value: lists } = useLive(() =>
 *   table?.liveAggregate({ groupBy: ['list'], select: { number: count() } }),
 * );
 * ```
 * @throws the error of the live result, as {@link useRows}.
 */
export function useLive<Value>(
  live: LiveSource<Value>,
  { suspense }: SuspenseOptions = {},
): LiveValue<Value> {
  return { ...readLive(reactWith(suspense), live) };
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): StoreStatus | undefined {
  return readStatus(reactWith())();
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: SyncSource): SyncStatus {
  return readSync(reactWith(), sync)();
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. The function is a new one after each change.
 *
 * @throws the error that has ended it, for the error boundary around the component: `InvalidInput`,
 * if the table is not one of this sync.
 */
export function useRowStates<T extends TableTypes = EntityTypes>(
  sync: SyncSource,
  table: NamedTable<T>,
): RowStates<T> {
  const { value, isLoaded } = useShown(sharedRowStates(sync, table));
  return { stateOf: value ?? NOT_KNOWN, isLoaded };
}

// There is nothing to wait for, if a server has sent what to show.
const reactFor = (suspense: boolean | undefined, { initial }: { readonly initial?: unknown }) =>
  reactWith(suspense && initial === undefined);

function reactWith(suspense?: boolean): Framework {
  return {
    provided: () => {
      const source = useContext(AccountContext);
      return () => {
        if (suspense && source === undefined) onlyInBrowsers();
        return source;
      };
    },
    show: (liveNow) => {
      const state = useShown(liveNow(), suspense);
      return () => state;
    },
  };
}

const never = () => () => undefined;
const pending = () => PENDING;
// The `<Suspense>` around it renders its fallback, and the browser renders the component.
const onlyInBrowsers = () => {
  throw new Error('A hook of entitable/react with suspense is rendered in browsers only.');
};

function useShown<R>(live: Live<R> | undefined, suspense?: boolean): LiveState<R | undefined> {
  const last = useRef<Shown<R>>(undefined);
  const newest = useSyncExternalStore<LiveState<R | undefined>>(
    live?.subscribe ?? never,
    live ? () => live.state : pending,
    suspense ? onlyInBrowsers : pending,
  );
  useEffect(() => {
    if (live && newest.isLoaded) last.current = { live, state: newest as LiveState<R> };
  });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- an app rejects with anything
  if (newest.error) throw newest.error;
  const state = stateToShow(live, newest, last.current);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- React waits for the promise
  if (suspense && live && !state.isLoaded) throw firstOf(live);
  return state;
}

// Fulfilled when there is a first result, or an error.
function firstOf(live: Live<unknown>): Promise<void> {
  let leave!: () => void;
  return new Promise<unknown>((resolve) => {
    leave = live.subscribe({ next: resolve, error: resolve });
  }).then(() => leave());
}
