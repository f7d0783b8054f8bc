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
  Failable,
  NamedTable,
  RowStates,
  SyncSource,
  SyncStatus,
  TableSource,
  ValueOrGetter,
} from './views/models.js';
import {
  readAccount,
  readCount,
  readEntities,
  readEntity,
  readRowStates,
  readStatus,
  readSync,
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
  return readEntities(SOLID, table, options);
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: ValueOrGetter<TableSource<Row>>,
  partitionKey: ValueOrGetter<string>,
  rowKey: ValueOrGetter<string>,
): EntityResult<Row> & Failable {
  return readEntity(SOLID, table, partitionKey, rowKey);
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: ValueOrGetter<TableSource<Row>>,
  options: ValueOrGetter<CountOptions> = {},
): CountResult & Failable {
  return readCount(SOLID, table, options);
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
export function useRowStates(
  sync: ValueOrGetter<SyncSource>,
  table: ValueOrGetter<NamedTable>,
): RowStates {
  return readRowStates(SOLID, sync, table);
}

// Effects run in browsers only, after hydration.
function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  const [state, setState] = createSignal<LiveState<R | undefined>>(PENDING);
  const show = livesInto<R>((newest) => void setState(() => newest));
  createEffect(() => onCleanup(show(liveNow())));
  return state;
}
