// app.ts - an app in a page that syncs the table `Todos`. The tests call it.

import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import { openAccount } from '../../../js/src/index.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { syncTables, type AccountSync } from '../../../js/src/sync.js';

let account: TableServiceClient;
let todos: TableClient;
let sync: AccountSync;
let lastState = '';

export interface AppOptions {
  readonly url: string;
  readonly sas: string;
  readonly remoteTable: string;
  readonly interval?: number;
}

type Row = Record<string, unknown>;

export const app = {
  /** Opens the account that all tabs share, and its sync, which does not start. */
  async open({ url, sas, remoteTable, interval }: AppOptions): Promise<void> {
    account = await openAccount({
      storage: indexedDbStorage('todos'),
      wasm: '/entitable-sync.wasm',
    });
    await account.createTable('Todos');
    todos = account.tableClient('Todos');
    const tables = { Todos: { remoteTable } };
    sync = syncTables(account, { remote: { url, sas }, tables, interval });
    sync.subscribe(({ state }) => (lastState = state));
  },

  start: (): void => sync.start(),
  stop: (): Promise<void> => sync.stop(),
  once: (): Promise<void> => sync.once(),
  settled: (): Promise<void> => sync.settled(),

  /** Makes its clock show a later time, by milliseconds. */
  setClock(ahead: number): void {
    const { now } = Date;
    Date.now = () => now() + ahead;
  },

  merge: async (row: Row): Promise<void> => void (await todos.upsertEntity(row as never, 'Merge')),
  remove: async (partitionKey: string, rowKey: string): Promise<void> =>
    void (await todos.deleteEntity(partitionKey, rowKey)),
  transact: async (rows: Row[]): Promise<void> =>
    void (await todos.submitTransaction(
      rows.map((row) => ['upsert', row, 'Merge'] as never) as never,
    )),

  /** The rows of this account, without etags and timestamps. */
  async rows(): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const { etag: _, timestamp: __, ...row } of todos.listEntities()) rows.push(row);
    return rows;
  },

  /** The last state and counts that sync has told. */
  status() {
    const { pending, rejected, error } = sync.status;
    return { state: lastState, pending, rejected, error: error?.message };
  },

  /** What waits, and how many conflicts were resolved. */
  async left() {
    const [pending, conflicts] = [await sync.pending('Todos'), await sync.conflicts('Todos')];
    return { pending: pending.length, conflicts: conflicts.length };
  },
};

declare global {
  var app: typeof import('./app.js').app;
}
globalThis.app = app;
