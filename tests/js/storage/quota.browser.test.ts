import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { Batch, CommitResult, PageStorage } from '../../../js/src/storage/page-storage.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { freshName } from '../support/storages.js';

// A part of the origin with a quota of its own: https://wicg.github.io/storage-buckets/
interface StorageBuckets {
  open(name: string, options: { quota: number }): Promise<StorageBucket>;
  delete(name: string): Promise<void>;
}
interface StorageBucket {
  readonly indexedDB: IDBFactory;
  estimate(): Promise<StorageEstimate>;
}
const { storageBuckets } = navigator as Navigator & { storageBuckets?: StorageBuckets };

const QUOTA = 8 << 20;

// It does not compress.
function noise(bytes: number): Uint8Array {
  const values = new Uint8Array(bytes);
  const most = 1 << 16;
  for (let at = 0; at < bytes; at += most) {
    crypto.getRandomValues(values.subarray(at, at + most));
  }
  return values;
}

const record = (number: number, bytes: number): Batch => ({
  expect: [[`log/${number}`, undefined]],
  puts: [[`log/${number}`, noise(bytes)]],
  deletes: [],
});

// The browser's own quota, not an imitation.
describe.runIf(storageBuckets)('indexedDbStorage at the quota of the browser', () => {
  const name = freshName();
  let storage: PageStorage;

  beforeEach(async () => {
    const bucket = await storageBuckets!.open(name, { quota: QUOTA });
    vi.stubGlobal('indexedDB', bucket.indexedDB);
    vi.spyOn(navigator.storage, 'estimate').mockImplementation(() => bucket.estimate());
    storage = indexedDbStorage(name);
  });
  afterEach(async () => {
    await storage.destroy();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
    await storageBuckets!.delete(name);
  });

  it('reports it, stores nothing, and stays usable', async () => {
    expect((await storage.commit(record(1, 10))).outcome).toBe('ok');

    const { outcome, cause, room } = await storage.commit(record(2, 2 * QUOTA));

    expect(outcome).toBe('quota');
    expect(cause).toMatchObject({ name: 'QuotaExceededError' });
    expect(room).toEqual({ usage: expect.any(Number), quota: QUOTA });
    expect((await storage.read({ keys: [], recordsAfter: 0 })).records).toHaveLength(1);
    expect((await storage.commit(record(2, 10))).outcome).toBe('ok');
  });

  // The first manifest, as a flush stores it.
  async function putManifest(): Promise<CommitResult> {
    const base = Uint8Array.of(1);
    await storage.commit({ expect: [], puts: [['log/base', base]], deletes: [] });
    return storage.commit({
      expect: [['log/base', base]],
      puts: [['pages/root', Uint8Array.of(1)]],
      deletes: [],
      frees: true,
    });
  }

  // What an aborted transaction would have stored stays counted, here as twice the quota.
  async function miscount(): Promise<void> {
    const open = indexedDB.open('other', 1);
    open.onupgradeneeded = () => open.result.createObjectStore('values');
    await new Promise((resolve) => (open.onsuccess = resolve));
    const transaction = open.result.transaction('values', 'readwrite');
    const values = transaction.objectStore('values');
    for (let number = 0; number < 160; number++) values.put(noise(QUOTA / 80), number);
    let isCounted = false;
    const wait = () => {
      if (isCounted) transaction.abort();
      else values.get(0).onsuccess = wait;
    };
    wait();
    void navigator.storage.estimate().then(() => (isCounted = true));
    await new Promise((resolve) => (transaction.onabort = resolve));
    open.result.close();
  }

  it('stays usable where the browser counts values that are not there', async () => {
    const outcome = async (batch: Batch) => (await storage.commit(batch)).outcome;
    await putManifest();

    for (let number = 1; number <= 2; number++) {
      await miscount();
      expect(await outcome({ ...record(number, 100), frees: true })).toBe('ok');
    }

    // A write that adds something may be refused, but only once.
    await miscount();
    if ((await outcome(record(3, 100))) === 'quota') {
      expect(await outcome(record(3, 100))).toBe('ok');
    }
    expect(await keysOf('pages')).toEqual(['reserve', 'root']);
  });

  // Fills the storage up to a few bytes. Returns the number of the last log record.
  async function fill(from: number): Promise<number> {
    let number = from;
    for (const bytes of [1 << 18, 1 << 15, 1 << 12, 100]) {
      while ((await storage.commit(record(number + 1, bytes))).outcome === 'ok') number++;
    }
    return number;
  }

  const keysOf = async (store: string) => {
    const open = indexedDB.open(name);
    await new Promise((resolve) => (open.onsuccess = resolve));
    const keys = open.result.transaction(store).objectStore(store).getAllKeys();
    await new Promise((resolve) => (keys.onsuccess = resolve));
    open.result.close();
    return keys.result;
  };

  it('gives its reserve to batches that free room, and refuses others until it is restored', async () => {
    expect(await putManifest()).toEqual({ outcome: 'ok' });
    expect(await keysOf('pages')).toEqual(['reserve', 'root']);
    const last = await fill(0);
    // As much as a flush writes, so that the reserve is not restored with the next log record.
    const freeing = { ...record(last + 1, 700 << 10), frees: true };

    expect(await storage.commit(record(last + 1, 300))).toMatchObject({ outcome: 'quota' });
    expect(await storage.commit(freeing)).toEqual({ outcome: 'ok' });
    expect(await storage.commit(record(last + 2, 300))).toMatchObject({ outcome: 'quota' });
    expect(await keysOf('pages')).toEqual(['root']);

    // Another tab learns of it with its first commit.
    const other = indexedDbStorage(name);
    await other.commit({ expect: [], puts: [['log/base', Uint8Array.of(1)]], deletes: [] });
    expect(await other.commit(record(last + 2, 300))).toMatchObject({ outcome: 'quota' });
    await other.close();

    // The browser decides after which deletion there is enough room.
    let isBack = false;
    for (let number = 1; number <= last && !isBack; number++) {
      const deletes = [`log/${number}` as const];
      expect(await storage.commit({ expect: [], puts: [], deletes, frees: true })).toEqual({
        outcome: 'ok',
      });
      isBack = (await storage.commit(record(last + 2, 300))).outcome === 'ok';
    }
    expect(isBack).toBe(true);
    expect(await keysOf('pages')).toEqual(['reserve', 'root']);
    expect(await keysOf('log')).not.toContain('short');
  });

  it(
    'lets an account read and delete, and write again when there is room',
    { timeout: 120_000 },
    async () => {
      const account = await openForTest({ storage });
      const table = account.tableClient('Full');
      await table.createTable();
      const entity = (number: number) => ({
        partitionKey: 'p',
        rowKey: String(number).padStart(4, '0'),
        Data: noise(60_000),
      });
      let count = 0;
      const error = await tableError(
        (async () => {
          for (; ; count++) await table.createEntity(entity(count));
        })(),
      );
      expect(error.code).toBe('StorageQuotaExceeded');
      expect(error.cause).toMatchObject({ name: 'QuotaExceededError' });
      const { needed, usage, quota } = error.details.room!;
      expect(needed).toBeGreaterThan(60_000);
      expect(needed).toBeLessThan(61_000);
      expect(quota).toBe(QUOTA);
      // Not exactly: Chromium counts files.
      expect(usage).toBeGreaterThan(QUOTA / 2);
      expect(count).toBeGreaterThan(50);

      expect((await collect(table.listEntities())).length).toBe(count);
      expect(await table.getEntity('p', '0007')).toMatchObject({ rowKey: '0007' });
      for (let number = 0; number < count - 10; number++) {
        await table.deleteEntity('p', entity(number).rowKey);
      }
      expect((await collect(table.listEntities())).length).toBe(10);

      // The store frees deleted values when it is idle.
      const create = (number: number) =>
        vi.waitFor(() => table.createEntity(entity(number)), { timeout: 60_000, interval: 100 });
      for (let number = 0; number < count / 2; number++) await create(number);
      expect((await collect(table.listEntities())).length).toBe(10 + Math.ceil(count / 2));
      await account.close();
    },
  );
});
