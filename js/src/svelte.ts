/**
 * Results that stay up to date, for the runes of Svelte 5. `toStore` of `svelte/store` makes a
 * store of each.
 *
 * @module
 */

import { getContext, hasContext, setContext } from 'svelte';
import { createSubscriber } from 'svelte/reactivity';

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
  Failable,
  NamedTable,
  RowState,
  RowStates,
  StateOf,
  SyncSource,
  TableSource,
  ValueOrGetter,
} from './views/models.js';

const ACCOUNT = 'entitable account';
interface Provided {
  readonly source: AccountSource;
}
const NONE: readonly never[] = [];

/** Gives an account to all components in this one. It never closes the account. */
export function setAccount(account: AccountSource): void {
  setContext<Provided>(ACCOUNT, { source: account });
}

/** Returns the account that was set: `current` is undefined until it is open, and on a server. */
export function useAccount(): { readonly current: TableServiceClient | undefined } {
  const source = accountSource();
  return {
    get current() {
      return read(accountView(source)).value;
    },
  };
}

/**
 * Returns the entities that fit a filter, as they are now and after each commit in any tab. Pass a
 * getter for what may change: `useEntities('Pets', () => ({ filter }))`. Read the members of the
 * result where they are used. Equal queries share one result.
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
 * Returns the last event of the storage that no call caused: `current` is undefined, if there was
 * none since the first component asked.
 */
export function useStatus(): { readonly current: StoreStatus | undefined } {
  const account = useAccount();
  return {
    get current() {
      return account.current && read(statusView(account.current)).value;
    },
  };
}

/**
 * Returns what a sync is doing: `current` is its `status`, now and after each change. Without a
 * sync, it is stopped. A sync is also a store: `$sync`.
 */
export function useSync(sync: ValueOrGetter<SyncSource>): { readonly current: SyncStatus } {
  return {
    get current() {
      return statusIn(read(syncView(valueOf(sync))));
    },
  };
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
  const state = () => read(rowStatesView(valueOf(sync), valueOf(table)));
  return {
    stateOf: (row) => statesIn(state())(row),
    get isLoaded() {
      return state().isLoaded;
    },
  };
}

// Null without a context.
function accountSource(): AccountSource | null {
  return hasContext(ACCOUNT) ? getContext<Provided>(ACCOUNT).source : null;
}

function useTable<Row extends object, R>(
  table: ValueOrGetter<TableSource<Row>>,
  viewOf: (client: TableClient<Row>) => View<R>,
): () => ViewState<R> {
  const source = accountSource();
  let last: Shown<R> | undefined;
  return () => {
    const given = valueOf(table);
    const account = isClient(given) ? PENDING : read(accountView(source));
    const client = clientOf(given, account.value);
    if (!client) return { ...PENDING, error: account.error };
    const view = viewOf(client);
    const state = read(view);
    if (state.isLoaded) last = { view, state };
    return stateToShow(view, state, last);
  };
}

const trackers = /* @__PURE__ */ new WeakMap<View<never>, () => void>();

// An effect that reads the state runs again when it has changed, and follows the view until then.
function read<R>(view: View<R> | undefined): ViewState<R> {
  if (!view) return PENDING;
  let track = trackers.get(view as View<never>);
  if (!track) {
    track = createSubscriber((update) => view.subscribe(update));
    trackers.set(view as View<never>, track);
  }
  track();
  return view.getState();
}

function withState<T extends object>(
  state: () => ViewState<unknown>,
  result: T,
): T & Pick<EntitiesResult<object>, 'isLoaded' | 'isStale'> & Failable {
  return Object.defineProperties(result, {
    isLoaded: { get: () => state().isLoaded },
    isStale: { get: () => state().isStale },
    error: { get: () => state().error },
  }) as T & Pick<EntitiesResult<object>, 'isLoaded' | 'isStale'> & Failable;
}
