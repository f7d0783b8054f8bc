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
  return readEntities(SVELTE, table, options);
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: ValueOrGetter<TableSource<Row>>,
  partitionKey: ValueOrGetter<string>,
  rowKey: ValueOrGetter<string>,
): EntityResult<Row> & Failable {
  return readEntity(SVELTE, table, partitionKey, rowKey);
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: ValueOrGetter<TableSource<Row>>,
  options: ValueOrGetter<CountOptions> = {},
): CountResult & Failable {
  return readCount(SVELTE, table, options);
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
export function useRowStates(
  sync: ValueOrGetter<SyncSource>,
  table: ValueOrGetter<NamedTable>,
): RowStates {
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
