// sync-support.ts - a synced table to show, whose network can be away, and which rows go through.

import { expect, onTestFinished, vi } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import type { RowState } from '../../../js/src/react.js';
import type { SyncStatus } from '../../../js/src/sync.js';
import { openCloud, openReplica, refusing } from '../sync/support.js';

/** Opens an account that syncs its table `Todos`. */
export async function openSynced() {
  const cloud = await openCloud();
  let isOffline = false;
  const fetch: typeof cloud.fetch = (url, request) =>
    isOffline ? Promise.reject(new TypeError('Failed to fetch')) : cloud.fetch(url, request);
  const { account, sync, todos } = await openReplica({ fetch });
  const goOffline = () => void (isOffline = true);
  const goOnline = () => {
    isOffline = false;
    dispatchEvent(new Event('online'));
  };
  return { account, cloud, sync, todos, goOffline, goOnline };
}

export type Synced = Awaited<ReturnType<typeof openSynced>>;

/** The entities of the synced table, as a live result. */
export const todosOf = (account: TableServiceClient | undefined) =>
  account?.tableClient('Todos').liveEntities();

export const todo = (rowKey: string) => ({ partitionKey: 'p', rowKey });

interface Row {
  readonly partitionKey: string;
  readonly rowKey: string;
}

/** A status and rows as the components of these tests show them. */
export const syncText = (
  { state, pending, rejected }: SyncStatus,
  rows: readonly Row[],
  stateOf: (row: Row) => RowState | undefined,
) =>
  [
    `${state} ${pending} ${rejected}`,
    ...rows.map((row) => {
      const known = stateOf(row);
      return row.rowKey + (known ? ` ${known.reason ?? known.state}` : '');
    }),
  ].join();

/** Starts the sync, and expects what a component shows while rows are written, sent and refused. */
export async function expectStates(
  { cloud, sync, todos, goOffline, goOnline }: Synced,
  text: () => string | null,
) {
  await expect.poll(text).toBe('stopped 0 0');
  sync.start();
  await expect.poll(text).toBe('idle 0 0');

  goOffline();
  await todos.createEntity(todo('a'));
  await expect.poll(text).toBe('offline 1 0,a pending');
  goOnline();
  await expect.poll(text).toBe('idle 0 0,a');

  cloud.faults.push(...refusing('bad'));
  await todos.createEntity(todo('bad'));
  await expect.poll(text).toBe('idle 0 1,a,bad InvalidInput: No.');
  await sync.discard('Todos', 'p', 'bad');
  await expect.poll(text).toBe('idle 0 0,a');
}

/** Counts the functions that the sync calls for components. */
export function listenersOf(sync: Synced['sync']): () => number {
  let count = 0;
  const counted = (end: () => void) => {
    count++;
    return () => {
      count--;
      end();
    };
  };
  const { subscribe, subscribePending } = sync;
  const spies = [
    vi
      .spyOn(sync, 'subscribe')
      .mockImplementation((listener) => counted(subscribe.call(sync, listener))),
    vi
      .spyOn(sync, 'subscribePending')
      .mockImplementation((...given) => counted(subscribePending.apply(sync, given))),
  ];
  onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
  return () => count;
}
