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
} from 'vue';

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

/** A result whose members are refs. */
export type Refs<Result> = { readonly [Name in keyof Result]: ComputedRef<Result[Name]> };

/** The entities that a component shows. */
export type Entities<T extends object> = Refs<EntitiesResult<T> & Failable>;

/** The entity that a component shows. */
export type Entity<T extends object> = Refs<EntityResult<T> & Failable>;

/** The number of entities that a component shows. */
export type Count = Refs<CountResult & Failable>;

/** The states of the rows of a table. */
export interface RowStates {
  /** Reads the newest state, so that a template shows it. */
  readonly stateOf: StateOf;
  /** False until the states are known. */
  readonly isLoaded: ComputedRef<boolean>;
}

const ACCOUNT: InjectionKey<AccountSource> = /* @__PURE__ */ Symbol('account');

const VUE: Framework = {
  provided: () => {
    const source = inject(ACCOUNT, null);
    return () => source;
  },
  show: stateOf,
};

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
  return computed(readAccount(VUE));
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
  return refs(readEntities(VUE, tableIn(table), () => toValue(options)));
}

/** Returns one entity, as {@link useEntities} returns several. */
export function useEntity<Row extends object = Record<string, unknown>>(
  table: MaybeRefOrGetter<TableSource<Row>>,
  partitionKey: MaybeRefOrGetter<string>,
  rowKey: MaybeRefOrGetter<string>,
): Entity<Row> {
  const keyIn = (key: MaybeRefOrGetter<string>) => () => toValue(key);
  return refs(readEntity(VUE, tableIn(table), keyIn(partitionKey), keyIn(rowKey)));
}

/** Returns the number of entities that fit a filter, now and after each commit in any tab. */
export function useCount<Row extends object>(
  table: MaybeRefOrGetter<TableSource<Row>>,
  options: MaybeRefOrGetter<CountOptions> = {},
): Count {
  return refs(readCount(VUE, tableIn(table), () => toValue(options)));
}

/**
 * Returns the last event of the storage that no call caused; undefined, if there was none since the
 * first component asked.
 */
export function useStatus(): ComputedRef<StoreStatus | undefined> {
  return computed(readStatus(VUE));
}

/**
 * Returns what a sync is doing, its `status`, now and after each change. Without a sync, it is
 * stopped.
 */
export function useSync(sync: MaybeRefOrGetter<SyncSource>): ComputedRef<SyncStatus> {
  return computed(readSync(VUE, () => toValue(sync)));
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
  const states = readRowStates(
    VUE,
    () => toValue(sync),
    () => toValue(table),
  );
  return { stateOf: states.stateOf, isLoaded: computed(() => states.isLoaded) };
}

// A client in the state of an app is a proxy.
const tableIn =
  <Row extends object>(table: MaybeRefOrGetter<TableSource<Row>>) =>
  (): TableSource<Row> =>
    toRaw(toValue(table));

// A component shows its result after it is mounted: a server shows nothing, and so does hydration.
function stateOf<R>(liveNow: () => Live<R> | undefined): State<R> {
  const state = shallowRef<LiveState<R | undefined>>(PENDING);
  const show = livesInto<R>((newest) => (state.value = newest));
  const begin = () => {
    watch(liveNow, (live, _, onCleanup) => onCleanup(show(live)), { immediate: true });
  };
  if (getCurrentInstance()) onMounted(begin);
  else begin();
  return () => state.value;
}

function refs<Result extends object>(result: Result): Refs<Result> {
  const names = Object.keys(result) as (keyof Result)[];
  const members = names.map((name) => [name, computed(() => result[name])] as const);
  return Object.fromEntries(members) as Refs<Result>;
}
