/**
 * What components read, the same in every framework. The entry of a framework says how it provides
 * an account and shows a live result, and gives the results its own form. So it has overloads of
 * its own: TypeScript cannot declare them once and let a parameter say what wraps an argument or a
 * result, such as a ref or a signal.
 *
 * @module
 */

import type { TableClient } from '../client/table-client.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { TableEntityResult } from '../entity/entities.js';
import type { Live, LiveState } from '../live/live.js';
import type { StoreStatus } from '../storage/page-storage.js';
import type { SyncStatus } from '../sync/models.js';
import type {
  AccountSource,
  CountOptions,
  CountResult,
  EntitiesOptions,
  EntitiesResult,
  Failable,
  NamedTable,
  RowStates,
  SyncSource,
  TableSource,
  ValueOrGetter,
} from './models.js';
import {
  clientOf,
  isClient,
  sharedAccount,
  sharedCount,
  sharedEntities,
  sharedEntity,
  sharedStatus,
} from './queries.js';
import { NOT_KNOWN, sharedRowStates, sharedSync, STOPPED } from './sync.js';

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
export type Read<T> = T & Pick<EntitiesResult<object>, 'isLoaded' | 'isStale'> & Failable;

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

/** The entities that match a filter. */
export function readEntities(
  framework: Framework,
  table: ValueOrGetter<TableSource<object>>,
  options: ValueOrGetter<EntitiesOptions>,
): Read<Pick<EntitiesResult<object>, 'entities'>> {
  const state = ofTable(framework, table, (client) => sharedEntities(client, valueOf(options)));
  return withState(state, {
    get entities() {
      return state().value ?? NONE;
    },
  });
}

/**
 * One entity.
 *
 * @param hook - what the component calls, for messages.
 */
export function readEntity<Row extends object>(
  framework: Framework,
  table: ValueOrGetter<TableSource<Row>>,
  partitionKey: ValueOrGetter<string>,
  rowKey: ValueOrGetter<string>,
  hook?: string,
): Read<{ readonly entity: TableEntityResult<Row> | undefined }> {
  const state = ofTable(framework, table, (client) =>
    sharedEntity(client, valueOf(partitionKey), valueOf(rowKey), hook),
  );
  return withState(state, {
    get entity() {
      return state().value?.[0];
    },
  });
}

/** The number of entities that match a filter. */
export function readCount<Row extends object>(
  framework: Framework,
  table: ValueOrGetter<TableSource<Row>>,
  options: ValueOrGetter<CountOptions>,
): Read<Pick<CountResult, 'count'>> {
  const state = ofTable(framework, table, (client) => sharedCount(client, valueOf(options)));
  return withState(state, {
    get count() {
      return state().value ?? 0;
    },
  });
}

/** The last event of the storage; undefined, if there was none since the first component asked. */
export function readStatus(framework: Framework): () => StoreStatus | undefined {
  const account = readAccount(framework);
  const state = framework.show(() => {
    const opened = account();
    return opened && sharedStatus(opened);
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
  table: ValueOrGetter<NamedTable>,
): RowStates {
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

function ofTable<Row extends object, R>(
  { provided, show }: Framework,
  table: ValueOrGetter<TableSource<Row>>,
  liveOf: (client: TableClient<Row>) => Live<R>,
): State<R> {
  const source = provided();
  const account = show(() => (isClient(valueOf(table)) ? undefined : sharedAccount(source())));
  const state = show(() => {
    const client = clientOf(valueOf(table), account().value);
    return client && liveOf(client);
  });
  return () => {
    const { error } = account();
    return error ? { ...state(), error } : state();
  };
}

function withState<T extends object>(state: State<unknown>, result: T): Read<T> {
  for (const name of STATE) {
    Object.defineProperty(result, name, { get: () => state()[name], enumerable: true });
  }
  return result as Read<T>;
}
