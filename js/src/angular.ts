/**
 * Results that stay up to date, as signals of Angular.
 *
 * @module
 */

import {
  afterRenderEffect,
  computed,
  inject,
  InjectionToken,
  signal,
  untracked,
  type Provider,
  type Signal,
} from '@angular/core';

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
  StateOf,
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

/** A result whose members are signals. */
export type Signals<Result> = { readonly [Name in keyof Result]: Signal<Result[Name]> };

/** The entities that a component shows. */
export type Entities<T extends object> = Signals<EntitiesResult<T> & Failable>;

/** The entity that a component shows. */
export type Entity<T extends object> = Signals<EntityResult<T> & Failable>;

/** The number of entities that a component shows. */
export type Count = Signals<CountResult & Failable>;

/** The states of the rows of a table. */
export interface RowStates {
  /** Reads the newest state, as a signal does. */
  readonly stateOf: StateOf;
  /** False until the states are known. */
  readonly isLoaded: Signal<boolean>;
}

// An object, because Angular does not tell a provided undefined from a missing provider.
const ACCOUNT = /* @__PURE__ */ new InjectionToken<{ source: AccountSource }>('entitable account');

const ANGULAR: Framework = {
  provided: () => {
    const provided = inject(ACCOUNT, { optional: true });
    return () => provided && provided.source;
  },
  show: stateOf,
};

/** Provides an account to an application, a route or a component. It never closes the account. */
export function provideAccount(account: AccountSource): Provider {
  return { provide: ACCOUNT, useValue: { source: account } };
}

/** Returns the account that was provided: undefined until it is open, and on a server. */
export function injectAccount(): Signal<TableServiceClient | undefined> {
  return computed(readAccount(ANGULAR));
}

/**
 * Returns the entities that fit a filter, as they are now and after each commit in any tab. Pass a
 * signal or a function for what may change. Equal queries share one result. Call it where `inject`
 * may be called.
 */
export function injectEntities<
  Row extends object,
  const S extends readonly SelectableName<Row>[] | undefined = undefined,
>(
  table: ValueOrGetter<TableClient<Row>>,
  options?: ValueOrGetter<EntitiesOptions<S>>,
): Entities<SelectedProperties<Row, S>>;
export function injectEntities<Row extends object, const Names extends RowNames<Row> = undefined>(
  table: ValueOrGetter<DeclaredSource<Row>>,
  options?: ValueOrGetter<EntitiesOptions<Names>>,
): Entities<SelectedPart<Row, Names>>;
export function injectEntities<T extends object = Record<string, unknown>>(
  table: ValueOrGetter<string>,
  options?: ValueOrGetter<EntitiesOptions>,
): Entities<T>;
export function injectEntities(
  table: ValueOrGetter<TableSource<object>>,
  options: ValueOrGetter<EntitiesOptions> = {},
): Entities<object> {
  return signals(readEntities(ANGULAR, table, options));
}

/** Returns one entity, as {@link injectEntities} returns several. */
export function injectEntity<Row extends object = Record<string, unknown>>(
  table: ValueOrGetter<TableSource<Row>>,
  partitionKey: ValueOrGetter<string>,
  rowKey: ValueOrGetter<string>,
): Entity<Row> {
  return signals(readEntity(ANGULAR, table, partitionKey, rowKey, 'injectEntity'));
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function injectCount<Row extends object>(
  table: ValueOrGetter<TableSource<Row>>,
  options: ValueOrGetter<CountOptions> = {},
): Count {
  return signals(readCount(ANGULAR, table, options));
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function injectStatus(): Signal<StoreStatus | undefined> {
  return computed(readStatus(ANGULAR));
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function injectSync(sync: ValueOrGetter<SyncSource>): Signal<SyncStatus> {
  return computed(readSync(ANGULAR, sync));
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. It throws the error that has ended it:
 * `InvalidInput`, if the table is not one of this sync.
 */
export function injectRowStates(
  sync: ValueOrGetter<SyncSource>,
  table: ValueOrGetter<NamedTable>,
): RowStates {
  const states = readRowStates(ANGULAR, sync, table);
  return { stateOf: states.stateOf, isLoaded: computed(() => states.isLoaded) };
}

// These effects run in browsers only, after hydration.
function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  const state = signal<LiveState<R | undefined>>(PENDING);
  const show = livesInto<R>((newest) => state.set(newest));
  afterRenderEffect((onCleanup) => {
    const live = liveNow();
    onCleanup(untracked(() => show(live)));
  });
  return state;
}

function signals<Result extends object>(result: Result): Signals<Result> {
  const names = Object.keys(result) as (keyof Result)[];
  const members = names.map((name) => [name, computed(() => result[name])] as const);
  return Object.fromEntries(members) as Signals<Result>;
}
