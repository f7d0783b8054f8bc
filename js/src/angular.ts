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
import type { SelectableName, SelectedProperties, TableEntityResult } from './entity/entities.js';
import type { StoreStatus } from './storage/page-storage.js';
import type { SyncStatus } from './sync/models.js';
import type {
  AccountSource,
  CountOptions,
  DeclaredSource,
  EntitiesOptions,
  NamedTable,
  StateOf,
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
  DeclaredSource,
  EntitiesOptions,
  NamedTable,
  RowState,
  StateOf,
  SyncSource,
  TableSource,
  ValueOrGetter,
} from './views/models.js';

/** How far a result is. */
export interface ResultState {
  /** False until the first result is there, and on a server. */
  readonly isLoaded: Signal<boolean>;
  /** The filter has changed, and the result is that of the filter before. */
  readonly isStale: Signal<boolean>;
  /** The error that ended it: `TableNotFound` when the table is deleted. Else undefined. */
  readonly error: Signal<unknown>;
}

/** The entities of a view. */
export interface Entities<T extends object> extends ResultState {
  /** Ordered by their keys; empty until the first result. One that did not change is the same. */
  readonly entities: Signal<readonly TableEntityResult<T>[]>;
}

/** The entity of a view. */
export interface Entity<T extends object> extends ResultState {
  /** Undefined if it does not exist, and until the first result. */
  readonly entity: Signal<TableEntityResult<T> | undefined>;
}

/** The number of entities of a view. */
export interface Count extends ResultState {
  /** 0 until the first result. */
  readonly count: Signal<number>;
}

/** The states of the rows of a table. */
export interface RowStates {
  /** Reads the newest state, as a signal does. */
  readonly stateOf: StateOf;
  /** False until the states are known. */
  readonly isLoaded: Signal<boolean>;
}

// An object, because Angular does not tell a provided undefined from a missing provider.
const ACCOUNT = /* @__PURE__ */ new InjectionToken<{ source: AccountSource }>('entitable account');
const NONE: readonly never[] = [];

/** Provides an account to an application, a route or a component. It never closes the account. */
export function provideAccount(account: AccountSource): Provider {
  return { provide: ACCOUNT, useValue: { source: account } };
}

/** Returns the account that was provided: undefined until it is open, and on a server. */
export function injectAccount(): Signal<TableServiceClient | undefined> {
  const source = accountSource();
  const state = useView(() => accountView(source));
  return computed(() => state().value);
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
  const state = useTable(table, (client) => entitiesView(client, valueOf(options)));
  return { entities: computed(() => state().value ?? NONE), ...resultState(state) };
}

/** Returns one entity, as {@link injectEntities} returns several. */
export function injectEntity<Row extends object = Record<string, unknown>>(
  table: ValueOrGetter<TableSource<Row>>,
  partitionKey: ValueOrGetter<string>,
  rowKey: ValueOrGetter<string>,
): Entity<Row> {
  const state = useTable(table, (client) =>
    entityView(client, valueOf(partitionKey), valueOf(rowKey), 'injectEntity'),
  );
  return { entity: computed(() => state().value), ...resultState(state) };
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function injectCount<Row extends object>(
  table: ValueOrGetter<TableSource<Row>>,
  options: ValueOrGetter<CountOptions> = {},
): Count {
  const state = useTable(table, (client) => countView(client, valueOf(options)));
  return { count: computed(() => state().value ?? 0), ...resultState(state) };
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function injectStatus(): Signal<StoreStatus | undefined> {
  const account = injectAccount();
  const state = useView(() => {
    const opened = account();
    return opened && statusView(opened);
  });
  return computed(() => state().value);
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function injectSync(sync: ValueOrGetter<SyncSource>): Signal<SyncStatus> {
  const state = useView(() => syncView(valueOf(sync)));
  return computed(() => statusIn(state()));
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
  const state = useView(() => rowStatesView(valueOf(sync), valueOf(table)));
  return {
    stateOf: (row) => statesIn(state())(row),
    isLoaded: computed(() => state().isLoaded),
  };
}

// Null without a provider.
function accountSource(): AccountSource | null {
  const provided = inject(ACCOUNT, { optional: true });
  return provided && provided.source;
}

function resultState(state: Signal<ViewState<unknown>>): ResultState {
  return {
    isLoaded: computed(() => state().isLoaded),
    isStale: computed(() => state().isStale),
    error: computed(() => state().error),
  };
}

function useTable<Row extends object, R>(
  table: ValueOrGetter<TableSource<Row>>,
  viewOf: (client: TableClient<Row>) => View<R>,
): Signal<ViewState<R>> {
  const source = accountSource();
  const needsAccount = () => !isClient(valueOf(table));
  const account = useView(() => (needsAccount() ? accountView(source) : undefined));
  const state = useView(() => {
    const client = clientOf(valueOf(table), account().value);
    return client && viewOf(client);
  });
  return computed(() => {
    const { error } = account();
    return error ? { ...state(), error } : state();
  });
}

// These effects run in browsers only, after hydration.
function useView<R>(viewNow: () => View<R> | undefined): Signal<ViewState<R>> {
  const state = signal<ViewState<R>>(PENDING);
  const show = viewsInto<R>((newest) => state.set(newest));
  afterRenderEffect((onCleanup) => {
    const view = viewNow();
    onCleanup(untracked(() => show(view)));
  });
  return state;
}
