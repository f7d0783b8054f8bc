/**
 * Composables for Vue, over results that stay up to date.
 *
 * @module
 */

import {
  computed,
  getCurrentInstance,
  inject,
  onMounted,
  provide,
  shallowRef,
  toRaw,
  toValue,
  watch,
  type ComputedRef,
  type InjectionKey,
  type MaybeRefOrGetter,
  type Plugin,
  type ShallowRef,
} from 'vue';

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
} from './views/models.js';

/** How far a result is. */
export interface ResultState {
  /** False until the first result is there, and on a server. */
  readonly isLoaded: ComputedRef<boolean>;
  /** The filter has changed, and the result is that of the filter before. */
  readonly isStale: ComputedRef<boolean>;
  /** The error that ended it: `TableNotFound` when the table is deleted. Else undefined. */
  readonly error: ComputedRef<unknown>;
}

/** The entities of a view. */
export interface Entities<T extends object> extends ResultState {
  /** Ordered by their keys; empty until the first result. One that did not change is the same. */
  readonly entities: ComputedRef<readonly TableEntityResult<T>[]>;
}

/** The entity of a view. */
export interface Entity<T extends object> extends ResultState {
  /** Undefined if it does not exist, and until the first result. */
  readonly entity: ComputedRef<TableEntityResult<T> | undefined>;
}

/** The number of entities of a view. */
export interface Count extends ResultState {
  /** 0 until the first result. */
  readonly count: ComputedRef<number>;
}

/** The states of the rows of a table. */
export interface RowStates {
  /** Reads the newest state, so that a template shows it. */
  readonly stateOf: StateOf;
  /** False until the states are known. */
  readonly isLoaded: ComputedRef<boolean>;
}

const ACCOUNT: InjectionKey<AccountSource> = /* @__PURE__ */ Symbol('account');
const NONE: readonly never[] = [];

/** A plugin that gives an account to all components: `app.use(accountPlugin(account))`. */
export function accountPlugin(account: AccountSource): Plugin {
  return { install: (app) => void app.provide(ACCOUNT, account) };
}

/** Gives an account to all components in this one. It never closes the account. */
export function provideAccount(account: AccountSource): void {
  provide(ACCOUNT, account);
}

/** Returns the account that was provided: undefined until it is open, and on a server. */
export function useAccount(): ComputedRef<TableServiceClient | undefined> {
  const source = inject(ACCOUNT, null);
  const state = useView(() => accountView(source));
  return computed(() => state.value.value);
}

/**
 * Returns the entities that fit a filter, as they are now and after each commit in any tab.
 * Arguments may be refs or getters. Equal queries share one result.
 */
export function useEntities<
  Row extends object,
  const S extends readonly SelectableName<Row>[] | undefined = undefined,
>(
  table: MaybeRefOrGetter<TableClient<Row>>,
  options?: MaybeRefOrGetter<EntitiesOptions<S>>,
): Entities<SelectedProperties<Row, S>>;
export function useEntities<Row extends object, const Names extends RowNames<Row> = undefined>(
  table: MaybeRefOrGetter<DeclaredSource<Row>>,
  options?: MaybeRefOrGetter<EntitiesOptions<Names>>,
): Entities<SelectedPart<Row, Names>>;
export function useEntities<T extends object = Record<string, unknown>>(
  table: MaybeRefOrGetter<string>,
  options?: MaybeRefOrGetter<EntitiesOptions>,
): Entities<T>;
export function useEntities(
  table: MaybeRefOrGetter<TableSource<object>>,
  options: MaybeRefOrGetter<EntitiesOptions> = {},
): Entities<object> {
  const state = useTable(table, (client) => entitiesView(client, toValue(options)));
  return { entities: computed(() => state.value.value ?? NONE), ...resultState(state) };
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: MaybeRefOrGetter<TableSource<Row>>,
  partitionKey: MaybeRefOrGetter<string>,
  rowKey: MaybeRefOrGetter<string>,
): Entity<Row> {
  const state = useTable(table, (client) =>
    entityView(client, toValue(partitionKey), toValue(rowKey)),
  );
  return { entity: computed(() => state.value.value), ...resultState(state) };
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: MaybeRefOrGetter<TableSource<Row>>,
  options: MaybeRefOrGetter<CountOptions> = {},
): Count {
  const state = useTable(table, (client) => countView(client, toValue(options)));
  return { count: computed(() => state.value.value ?? 0), ...resultState(state) };
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): ComputedRef<StoreStatus | undefined> {
  const account = useAccount();
  const state = useView(() => account.value && statusView(account.value));
  return computed(() => state.value.value);
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: MaybeRefOrGetter<SyncSource>): ComputedRef<SyncStatus> {
  const state = useView(() => syncView(toValue(sync)));
  return computed(() => statusIn(state.value));
}

/**
 * Returns a function that gives the state of a row: `pending` until it was pushed, `rejected` if
 * the remote account refuses it, else undefined. It throws the error that has ended it:
 * `InvalidInput`, if the table is not one of this sync.
 */
export function useRowStates(
  sync: MaybeRefOrGetter<SyncSource>,
  table: MaybeRefOrGetter<NamedTable>,
): RowStates {
  const state = useView(() => rowStatesView(toValue(sync), toValue(table)));
  return {
    stateOf: (row) => statesIn(state.value)(row),
    isLoaded: computed(() => state.value.isLoaded),
  };
}

type State<R> = Readonly<ShallowRef<ViewState<R>>>;

function resultState(state: State<unknown>): ResultState {
  return {
    isLoaded: computed(() => state.value.isLoaded),
    isStale: computed(() => state.value.isStale),
    error: computed(() => state.value.error),
  };
}

function useTable<Row extends object, R>(
  table: MaybeRefOrGetter<TableSource<Row>>,
  viewOf: (client: TableClient<Row>) => View<R>,
): State<R> {
  const source = inject(ACCOUNT, null);
  const needsAccount = () => !isClient(toValue(table));
  const account = useView(() => (needsAccount() ? accountView(source) : undefined));
  const state = useView(() => {
    const client = clientOf(toRaw(toValue(table)), account.value.value);
    return client && viewOf(client);
  });
  return computed(() => {
    const { error } = account.value;
    return error ? { ...state.value, error } : state.value;
  });
}

// A component shows its view after it is mounted: a server shows nothing, and so does hydration.
function useView<R>(viewNow: () => View<R> | undefined): State<R> {
  const state = shallowRef<ViewState<R>>(PENDING);
  const show = viewsInto<R>((newest) => (state.value = newest));
  const begin = () => {
    watch(viewNow, (view, _, onCleanup) => onCleanup(show(view)), { immediate: true });
  };
  if (getCurrentInstance()) onMounted(begin);
  else begin();
  return state;
}
