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

import type { TableClient } from './client/table-client.js';
import type { TableServiceClient } from './client/table-service-client.js';
import type { RowNames, SelectedPart } from './client/typed-table.js';
import type { SelectableName, SelectedProperties, Selection } from './entity/entities.js';
import type { Live, LiveState } from './live/live.js';
import type { StoreStatus } from './storage/page-storage.js';
import type {
  AccountSource,
  CountOptions,
  CountResult,
  DeclaredSource,
  EntitiesOptions,
  EntitiesResult,
  EntityResult,
  NamedTable,
  RowStates,
  SyncSource,
  SyncStatus,
  TableSource,
} from './views/models.js';
import {
  readAccount,
  readCount,
  readEntities,
  readEntity,
  readStatus,
  readSync,
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
 * Returns the entities that fit a filter, as they are now and after each commit in any tab. Inline
 * options and clients are fine: equal queries share one result.
 *
 * @throws the error of the live result, for the error boundary around the component:
 * `TableNotFound` when the table is deleted, `InvalidInput` or `NotImplemented` if the filter is
 * wrong. A component that is mounted again tries again.
 */
export function useEntities<
  Row extends object,
  const S extends readonly SelectableName<Row>[] | undefined = undefined,
>(
  table: TableClient<Row>,
  options?: EntitiesOptions<S> & SuspenseOptions,
): EntitiesResult<SelectedProperties<Row, S>>;
export function useEntities<Row extends object, const Names extends RowNames<Row> = undefined>(
  table: DeclaredSource<Row>,
  options?: EntitiesOptions<Names> & SuspenseOptions,
): EntitiesResult<SelectedPart<Row, Names>>;
export function useEntities<T extends object = Record<string, unknown>>(
  table: string,
  options?: EntitiesOptions & SuspenseOptions,
): EntitiesResult<T>;
export function useEntities(
  table: TableSource<object>,
  { suspense, ...options }: EntitiesOptions<Selection> & SuspenseOptions = {},
): EntitiesResult<object> {
  return { ...readEntities(reactWith(suspense), table, options) };
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: TableSource<Row>,
  partitionKey: string,
  rowKey: string,
  { suspense }: SuspenseOptions = {},
): EntityResult<Row> {
  return { ...readEntity(reactWith(suspense), table, partitionKey, rowKey) };
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: TableSource<Row>,
  { filter, dialect, suspense }: CountOptions & SuspenseOptions = {},
): CountResult {
  return { ...readCount(reactWith(suspense), table, { filter, dialect }) };
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
export function useRowStates(sync: SyncSource, table: NamedTable): RowStates {
  const { value, isLoaded } = useLive(sharedRowStates(sync, table));
  return { stateOf: value ?? NOT_KNOWN, isLoaded };
}

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
      const state = useLive(liveNow(), suspense);
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

function useLive<R>(live: Live<R> | undefined, suspense?: boolean): LiveState<R | undefined> {
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
