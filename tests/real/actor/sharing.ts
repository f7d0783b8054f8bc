// sharing.ts - uses a store together with other actors. Each has one account.

import { deleteAccount } from '../../../js/src/client/delete-account.js';
import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableServiceClient } from '../../../js/src/client/table-service-client.js';
import { openAccount } from '../../../js/src/index.js';
import type { PageStorage, StoreStatus } from '../../../js/src/storage/page-storage.js';
import { counted, newCounts } from './counts.js';
import { storageOf, type StorageName } from './storages.js';

const STORE = 'shared';
const BLOCKED = 'blocked';

const counts = newCounts();
const statuses: StoreStatus[] = [];
let storageName: StorageName = 'IndexedDB';
let account: TableServiceClient;
let table: TableClient;

/** The result of writing one entity after another. */
export interface Work {
  /** How many writes were acknowledged. Their row keys begin with 0. */
  readonly written: number;
  /** The codes of failed writes. */
  readonly failed: readonly string[];
  /** The time of the longest write, in milliseconds. */
  readonly longest: number;
  readonly commits: number;
  readonly lost: number;
  readonly flushes: number;
}

let work:
  { stop(): Promise<Work>; onWritten: (count: number) => void; written: number } | undefined;

export const sharing = {
  /** @param slowness - the milliseconds between the evaluation of a commit and its storing. */
  async open({ slowness = 0, storageName: name = 'IndexedDB' as StorageName } = {}): Promise<void> {
    storageName = name;
    const storage = slowed(counted(await storageOf(name, STORE), counts), slowness);
    account = await openAccount({ storage, wasm: '/entitable.wasm' });
    account.onStatus((status) => statuses.push(status));
    await account.createTable('Pets');
    table = account.tableClient('Pets');
  },

  statuses: () => statuses,

  /** Moves its clock ahead of the other clocks, by milliseconds. */
  setClock(ahead: number): void {
    const { now } = Date;
    Date.now = () => now() + ahead;
  },

  insert: async (partitionKey: string, rowKey: string, text = ''): Promise<string> =>
    (await table.createEntity({ partitionKey, rowKey, text })).etag!,

  async update(partitionKey: string, rowKey: string, text: string, etag: string): Promise<string> {
    const entity = { partitionKey, rowKey, text };
    return (await table.updateEntity(entity, 'Replace', { etag })).etag!;
  },

  async get(partitionKey: string, rowKey: string) {
    const { text, etag, timestamp } = await table.getEntity<{ text: string }>(partitionKey, rowKey);
    return { text, etag: etag!, timestamp: String(timestamp) };
  },

  /** The keys that the account sees. */
  keys: (): Promise<string[]> => keysIn(table),

  /** The keys that a newly opened account sees. */
  async storedKeys(): Promise<string[]> {
    const another = await openAccount({
      storage: await storageOf(storageName, STORE),
      wasm: '/entitable.wasm',
    });
    try {
      return await keysIn(another.tableClient('Pets'));
    } finally {
      await another.close();
    }
  },

  /** The numbers of the first and the last log record. */
  async recordNumbers(): Promise<{ oldest: number; newest: number }> {
    const storage = await storageOf(storageName, STORE);
    const { records } = await storage.read({ keys: [], recordsAfter: 0 });
    await storage.close();
    return { oldest: records[0]![0], newest: records.at(-1)![0] };
  },

  /** Deletes the store while others use it. */
  deleteStore: async (): Promise<void> => deleteAccount(await storageOf(storageName, STORE)),

  /** Begins to write into a partition, one entity after another, with texts of this length. */
  startWork(partition: string, length = 0): void {
    work = begin(partition, 'x'.repeat(length));
  },

  /** Resolves after this number of further writes. */
  async untilWritten(more: number): Promise<void> {
    const goal = work!.written + more;
    await new Promise<void>((resolve) => {
      work!.onWritten = (written) => {
        if (written >= goal) resolve();
      };
    });
  },

  stopWork: (): Promise<Work> => work!.stop(),

  /** Blocks its thread for some milliseconds, right after a write has committed its transaction. */
  async beBusy(partition: string, milliseconds: number): Promise<void> {
    const { commit } = IDBTransaction.prototype;
    let wasBusy = false;
    IDBTransaction.prototype.commit = function () {
      IDBTransaction.prototype.commit = commit;
      commit.call(this);
      spin(milliseconds);
      wasBusy = true;
    };
    await sharing.insert(partition, 'busy');
    if (!wasBusy) throw new Error('No transaction has called commit().');
  },

  /** Resolves when another actor begins to block its thread. */
  untilBlocked: (): Promise<void> =>
    new Promise((resolve) => {
      const channel = new BroadcastChannel(BLOCKED);
      channel.onmessage = () => {
        channel.close();
        resolve();
      };
    }),

  /**
   * Writes an entity in a worker, and then blocks its thread while it still has the files of the
   * store.
   */
  async writeAndBlock(partition: string, milliseconds: number): Promise<void> {
    await sharing.insert(partition, 'blocked');
    new BroadcastChannel(BLOCKED).postMessage('now');
    // Only the module's memory can be shared in a site that is not isolated from others.
    const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
    Atomics.wait(new Int32Array(buffer), 0, 0, milliseconds);
  },
};

async function keysIn(rows: TableClient): Promise<string[]> {
  const keys: string[] = [];
  for await (const { partitionKey, rowKey } of rows.listEntities({
    select: ['partitionKey', 'rowKey'],
  })) {
    keys.push(`${partitionKey}/${rowKey}`);
  }
  return keys;
}

function begin(partition: string, text: string): NonNullable<typeof work> {
  let isOver = false;
  let longest = 0;
  const failed: string[] = [];
  const before = { ...counts };
  const state = { written: 0, onWritten: (_count: number) => {}, stop };
  const ended = (async () => {
    while (!isOver) {
      const start = performance.now();
      try {
        await sharing.insert(partition, String(state.written), text);
        state.onWritten(++state.written);
      } catch (error) {
        failed.push((error as { code: string }).code);
        isOver = true;
      }
      longest = Math.max(longest, performance.now() - start);
    }
  })();
  async function stop(): Promise<Work> {
    isOver = true;
    await ended;
    return {
      ...{ written: state.written, failed, longest },
      commits: counts.commits - before.commits,
      lost: counts.lost - before.lost,
      flushes: counts.flushes - before.flushes,
    };
  }
  return state;
}

function slowed(storage: PageStorage, milliseconds: number): PageStorage {
  return {
    ...storage,
    commit(batch, options) {
      spin(milliseconds);
      return storage.commit(batch, options);
    },
    exclusively: (request, decide, options) =>
      storage.exclusively!(
        request,
        (snapshot) => {
          spin(milliseconds);
          return decide(snapshot);
        },
        options,
      ),
  };
}

function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}
