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
import type { StoreStatus } from './storage/page-storage.js';
import type { SyncStatus } from './sync/models.js';
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
  TableSource,
} from './views/models.js';
import {
  accountView,
  clientOf,
  countView,
  entitiesView,
  entityView,
  isClient,
  statusView,
} from './views/queries.js';
import { rowStatesView, statesIn, statusIn, syncView } from './views/sync.js';
import { PENDING, stateToShow, type Shown, type View, type ViewState } from './views/view.js';

export type { SyncStatus } from './sync/models.js';
export type {
  AccountSource,
  CountOptions,
  CountResult,
  DeclaredSource,
  EntitiesOptions,
  EntitiesResult,
  EntityResult,
  NamedTable,
  RowState,
  RowStates,
  StateOf,
  SyncSource,
  TableSource,
} from './views/models.js';

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
const NONE: readonly never[] = [];

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
  return useView(useAccountView()).value;
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
  const { value, isLoaded, isStale } = useTable(
    table,
    (client) => entitiesView(client, options),
    suspense,
  );
  return { entities: value ?? NONE, isLoaded, isStale };
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: TableSource<Row>,
  partitionKey: string,
  rowKey: string,
  { suspense }: SuspenseOptions = {},
): EntityResult<Row> {
  const { value, isLoaded } = useTable(
    table,
    (client) => entityView(client, partitionKey, rowKey),
    suspense,
  );
  return { entity: value, isLoaded };
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: TableSource<Row>,
  { filter, dialect, suspense }: CountOptions & SuspenseOptions = {},
): CountResult {
  const { value, isLoaded, isStale } = useTable(
    table,
    (client) => countView(client, { filter, dialect }),
    suspense,
  );
  return { count: value ?? 0, isLoaded, isStale };
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): StoreStatus | undefined {
  const account = useAccount();
  return useView(account && statusView(account)).value;
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: SyncSource): SyncStatus {
  return statusIn(useView(syncView(sync)));
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. The function is a new one after each change.
 *
 * @throws the error that has ended it, for the error boundary around the component: `InvalidInput`,
 * if the table is not one of this sync.
 */
export function useRowStates(sync: SyncSource, table: NamedTable): RowStates {
  const state = useView(rowStatesView(sync, table));
  return { stateOf: statesIn(state), isLoaded: state.isLoaded };
}

function useAccountView(suspense?: boolean): View<TableServiceClient> | undefined {
  const source = useContext(AccountContext);
  if (suspense && source === undefined) onlyInBrowsers();
  return accountView(source);
}

function useTable<Row extends object, R>(
  table: TableSource<Row>,
  viewOf: (client: TableClient<Row>) => View<R>,
  suspense: boolean | undefined,
): ViewState<R> {
  const needsAccount = !isClient(table);
  const account = useView(needsAccount ? useAccountView(suspense) : undefined, suspense);
  const client = clientOf(table, account.value);
  return useView(client && viewOf(client), suspense);
}

const never = () => () => undefined;
const pending = () => PENDING;
// The `<Suspense>` around it renders its fallback, and the browser renders the component.
const onlyInBrowsers = () => {
  throw new Error('A hook of entitable/react with suspense is rendered in browsers only.');
};

function useView<R>(view: View<R> | undefined, suspense?: boolean): ViewState<R> {
  const last = useRef<Shown<R>>(undefined);
  const newest = useSyncExternalStore(
    view?.subscribe ?? never,
    view?.getState ?? pending,
    suspense ? onlyInBrowsers : pending,
  );
  useEffect(() => {
    if (view && newest.isLoaded) last.current = { view, state: newest };
  });
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- an app rejects with anything
  if (newest.error) throw newest.error;
  const state = stateToShow(view, newest, last.current);
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- React waits for the promise
  if (suspense && view && !state.isLoaded) throw view.ready();
  return state;
}
