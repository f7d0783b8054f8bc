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

import type { TableClient } from './client/table-client.js';
import type { TableServiceClient } from './client/table-service-client.js';
import type { RowNames, SelectedPart } from './client/typed-table.js';
import type { SelectableName, SelectedProperties } from './entity/entities.js';
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
  Failable,
  NamedTable,
  RowStates,
  SyncSource,
  TableSource,
  ValueOrGetter,
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
import { valueOf } from './views/value-of.js';
import { PENDING, viewsInto, type View, type ViewState } from './views/view.js';

export type { SyncStatus } from './sync/models.js';
export type {
  AccountSource,
  CountOptions,
  CountResult,
  DeclaredSource,
  EntitiesOptions,
  EntitiesResult,
  EntityResult,
  Failable,
  NamedTable,
  RowState,
  RowStates,
  StateOf,
  SyncSource,
  TableSource,
  ValueOrGetter,
} from './views/models.js';

/** The properties of {@link AccountProvider}. */
export interface AccountProviderProps {
  readonly account: AccountSource;
  readonly children?: JSX.Element;
}

// Null without a provider.
const AccountContext = /* @__PURE__ */ createContext<(() => AccountSource) | null>(null);
const NONE: readonly never[] = [];

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
  const source = useContext(AccountContext);
  const state = useView(() => accountView(source && source()));
  return () => state().value;
}

/**
 * Returns the entities that fit a filter, as they are now and after each commit in any tab. Pass an
 * accessor for what may change: `useEntities('Pets', () => ({ filter: filter() }))`. Read the
 * members of the result where they are used. Equal queries share one result.
 */
export function useEntities<
  Row extends object,
  const S extends readonly SelectableName<Row>[] | undefined = undefined,
>(
  table: ValueOrGetter<TableClient<Row>>,
  options?: ValueOrGetter<EntitiesOptions<S>>,
): EntitiesResult<SelectedProperties<Row, S>> & Failable;
export function useEntities<Row extends object, const Names extends RowNames<Row> = undefined>(
  table: ValueOrGetter<DeclaredSource<Row>>,
  options?: ValueOrGetter<EntitiesOptions<Names>>,
): EntitiesResult<SelectedPart<Row, Names>> & Failable;
export function useEntities<T extends object = Record<string, unknown>>(
  table: ValueOrGetter<string>,
  options?: ValueOrGetter<EntitiesOptions>,
): EntitiesResult<T> & Failable;
export function useEntities(
  table: ValueOrGetter<TableSource<object>>,
  options: ValueOrGetter<EntitiesOptions> = {},
): EntitiesResult<object> & Failable {
  const state = useTable(table, (client) => entitiesView(client, valueOf(options)));
  return withState(state, {
    get entities() {
      return state().value ?? NONE;
    },
  });
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: ValueOrGetter<TableSource<Row>>,
  partitionKey: ValueOrGetter<string>,
  rowKey: ValueOrGetter<string>,
): EntityResult<Row> & Failable {
  const state = useTable(table, (client) =>
    entityView(client, valueOf(partitionKey), valueOf(rowKey)),
  );
  return withState(state, {
    get entity() {
      return state().value;
    },
  });
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: ValueOrGetter<TableSource<Row>>,
  options: ValueOrGetter<CountOptions> = {},
): CountResult & Failable {
  const state = useTable(table, (client) => countView(client, valueOf(options)));
  return withState(state, {
    get count() {
      return state().value ?? 0;
    },
  });
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): Accessor<StoreStatus | undefined> {
  const account = useAccount();
  const state = useView(() => {
    const opened = account();
    return opened && statusView(opened);
  });
  return () => state().value;
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: ValueOrGetter<SyncSource>): Accessor<SyncStatus> {
  const state = useView(() => syncView(valueOf(sync)));
  return () => statusIn(state());
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. It throws the error that has ended it:
 * `InvalidInput`, if the table is not one of this sync.
 */
export function useRowStates(
  sync: ValueOrGetter<SyncSource>,
  table: ValueOrGetter<NamedTable>,
): RowStates {
  const state = useView(() => rowStatesView(valueOf(sync), valueOf(table)));
  return {
    stateOf: (row) => statesIn(state())(row),
    get isLoaded() {
      return state().isLoaded;
    },
  };
}

function useTable<Row extends object, R>(
  table: ValueOrGetter<TableSource<Row>>,
  viewOf: (client: TableClient<Row>) => View<R>,
): Accessor<ViewState<R>> {
  const source = useContext(AccountContext);
  const needsAccount = () => !isClient(valueOf(table));
  const account = useView(() => (needsAccount() ? accountView(source && source()) : undefined));
  const state = useView(() => {
    const client = clientOf(valueOf(table), account().value);
    return client && viewOf(client);
  });
  return () => {
    const { error } = account();
    return error ? { ...state(), error } : state();
  };
}

// Effects run in browsers only, after hydration.
function useView<R>(viewNow: () => View<R> | undefined): Accessor<ViewState<R>> {
  const [state, setState] = createSignal<ViewState<R>>(PENDING);
  const show = viewsInto<R>((newest) => void setState(() => newest));
  createEffect(() => onCleanup(show(viewNow())));
  return state;
}

function withState<T extends object>(
  state: Accessor<ViewState<unknown>>,
  result: T,
): T & Pick<EntitiesResult<object>, 'isLoaded' | 'isStale'> & Failable {
  return Object.defineProperties(result, {
    isLoaded: { get: () => state().isLoaded },
    isStale: { get: () => state().isStale },
    error: { get: () => state().error },
  }) as T & Pick<EntitiesResult<object>, 'isLoaded' | 'isStale'> & Failable;
}
