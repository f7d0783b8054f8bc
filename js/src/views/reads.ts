/**
 * What components read, the same in every framework. The entry of a framework says how it provides
 * an account and shows a live result, and gives the results its own form. So it declares the types
 * of its functions itself: TypeScript cannot let a parameter say what wraps an argument or a
 * result, such as a ref or a signal.
 *
 * @module
 */

import type { TableServiceClient } from '../client/table-service-client.js';
import type { LiveState } from '../live/live-making.js';
import type { Live } from '../live/live.js';
import type { TableDefinition } from '../schema/table-definition.js';
import type { StoreStatus } from '../storage/page-storage.js';
import type { SyncStatus } from '../sync/models.js';
import type { Table } from '../tables/table.js';
import type {
  AccountSource,
  Failable,
  InitialOptions,
  LiveSource,
  SyncSource,
  ValueOrGetter,
} from './models.js';
import { liveFailure, liveRow, liveStatus, sharedAccount } from './queries.js';
import { shared } from './shared.js';
import { NOT_KNOWN, sharedRowStates, sharedSync, STOPPED, type AnyStateOf } from './sync.js';

/** Returns the state to show now. What calls it is called again after a change. */
export type State<R> = () => LiveState<R | undefined>;

/** What each framework does in its own way, where a component is set up. */
export interface Framework {
  /** Returns a function that returns the provided account; null without a provider. */
  readonly provided: () => () => AccountSource | null;

  /** Shows a live result as long as the component is there. Another one may take its place. */
  readonly show: <R>(liveNow: () => Live<R> | undefined) => State<R>;
}

/** A result with its state: each member is read when it is asked for. */
export type Read<T> = T & Failable & { readonly isLoaded: boolean; readonly isStale: boolean };

/** A table of any kind, or its declaration. The entries declare the types for apps. */
type AnyTable = ValueOrGetter<object>;

/** Options of any table. */
type AnyOptions<Value> = ValueOrGetter<InitialOptions<Value>>;

const NONE: readonly never[] = [];
const STATE = ['isLoaded', 'isStale', 'error'] as const;

/** The current value of an argument. A function is a getter, because no argument is a function. */
export function valueOf<T>(given: ValueOrGetter<T>): T {
  return typeof given === 'function' ? (given as () => T)() : given;
}

/** The provided account: undefined until it is open, and on a server. */
export function readAccount({ provided, show }: Framework): () => TableServiceClient | undefined {
  const source = provided();
  const state = show(() => sharedAccount(source()));
  return () => state().value;
}

/** The table of a declaration: undefined until the account is open, and on a server. */
export function readTable(
  framework: Framework,
  table: ValueOrGetter<object>,
): () => Table | undefined {
  const account = readAccount(framework);
  return () => tableOf(account(), valueOf(table));
}

/** The rows that fit. */
export function readRows(
  framework: Framework,
  table: AnyTable,
  options: AnyOptions<readonly object[]>,
): Read<{ readonly rows: readonly object[] }> {
  const state = ofTable(framework, table, (one) => one.live(queryOf(valueOf(options))));
  return withState(state, {
    get rows() {
      const { isLoaded, value } = state();
      return (isLoaded ? value : valueOf(options).initial) ?? NONE;
    },
  });
}

/** The row of a key; none, if the key is undefined. */
export function readRow(
  framework: Framework,
  table: AnyTable,
  key: ValueOrGetter<unknown>,
  options: AnyOptions<object>,
): Read<{ readonly row: object | undefined }> {
  const state = ofTable(framework, table, (one) => {
    const named = valueOf(key);
    return named === undefined ? undefined : liveRow(one, named);
  });
  // Never another row than that of the key.
  const own: State<readonly object[]> = () => {
    const now = state();
    return now.isStale ? { ...now, isLoaded: false, isStale: false } : now;
  };
  return withState(own, {
    get row() {
      const { isLoaded, value } = own();
      return isLoaded ? value?.[0] : valueOf(options).initial;
    },
  });
}

/** The number of rows that fit. */
export function readCount(
  framework: Framework,
  table: AnyTable,
  options: AnyOptions<number>,
): Read<{ readonly count: number }> {
  const state = ofTable(framework, table, (one) => one.liveCount(queryOf(valueOf(options))));
  return withState(state, {
    get count() {
      const { isLoaded, value } = state();
      return (isLoaded ? value : valueOf(options).initial) ?? 0;
    },
  });
}

/** Any live result. */
export function readLive<R>(
  { show }: Framework,
  given: LiveSource<R>,
): Read<{ readonly value: R | undefined }> {
  const state = show(() => {
    return typeof given === 'function' ? orFailure(() => sharedIfAny(given())) : shown(given);
  });
  return withState(state, {
    get value() {
      return state().value;
    },
  });
}

/** The last event of the storage; undefined, if there was none since the first component asked. */
export function readStatus(framework: Framework): () => StoreStatus | undefined {
  const account = readAccount(framework);
  const state = framework.show(() => {
    const opened = account();
    return opened && shared(liveStatus(opened));
  });
  return () => state().value;
}

/** The status of a sync. */
export function readSync(framework: Framework, sync: ValueOrGetter<SyncSource>): () => SyncStatus {
  const state = framework.show(() => sharedSync(valueOf(sync)));
  return () => state().value ?? STOPPED;
}

/** The states of the rows of a table. `stateOf` throws the error that has ended them. */
export function readRowStates(
  framework: Framework,
  sync: ValueOrGetter<SyncSource>,
  table: AnyTable | string,
): { readonly stateOf: AnyStateOf; readonly isLoaded: boolean } {
  const state = framework.show(() => sharedRowStates(valueOf(sync), valueOf(table)));
  return {
    stateOf: (row) => {
      const { value = NOT_KNOWN, error } = state();
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- it was caught
      if (error) throw error;
      return value(row);
    },
    get isLoaded() {
      return state().isLoaded;
    },
  };
}

function ofTable<R>(
  { provided, show }: Framework,
  given: AnyTable,
  liveOf: (table: Table) => Live<R, never> | undefined,
): State<R> {
  const source = provided();
  const account = show(() => (isTable(valueOf(given)) ? undefined : sharedAccount(source())));
  const state = show(() => {
    const named = valueOf(given);
    const { value } = account();
    return orFailure(() => {
      const table = isTable(named) ? named : tableOf(value, named);
      return table && sharedIfAny(liveOf(table));
    });
  });
  return () => {
    const { error } = account();
    return error ? { ...state(), error } : state();
  };
}

// A table knows its account, so no account must be provided.
const isTable = (given: object): given is Table => 'requests' in given;

// The table of a declaration, without the types of its rows.
const tableOf = (account: TableServiceClient | undefined, declared: object): Table | undefined =>
  account?.table(declared as TableDefinition) as unknown as Table | undefined;

// Without what is no part of a query.
function queryOf({ initial: _, ...query }: InitialOptions<unknown>): object {
  return query;
}

const sharedIfAny = <R>(live: Live<R, never> | undefined) => live && shared(live as Live<R>);

// An app may have made it without `onError`.
function shown<R>(live: Live<R, never> | undefined): Live<R> | undefined {
  if (live) live.onError ??= () => undefined;
  return live as Live<R> | undefined;
}

// A filter of the app may throw. Components show that as they show a query that has failed.
function orFailure<R>(make: () => Live<R> | undefined): Live<R> | undefined {
  try {
    return make();
  } catch (error) {
    return liveFailure(error);
  }
}

function withState<T extends object>(state: State<unknown>, result: T): Read<T> {
  for (const name of STATE) {
    Object.defineProperty(result, name, { get: () => state()[name], enumerable: true });
  }
  return result as Read<T>;
}
