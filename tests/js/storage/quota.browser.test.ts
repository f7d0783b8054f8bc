import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { Batch, PageStorage } from '../../../js/src/storage/page-storage.js';
import { freshName } from '../support/storages.js';

// A part of the origin with a quota of its own: https://wicg.github.io/storage-buckets/
interface StorageBuckets {
  open(name: string, options: { quota: number }): Promise<{ readonly indexedDB: IDBFactory }>;
  delete(name: string): Promise<void>;
}
const { storageBuckets } = navigator as Navigator & { storageBuckets?: StorageBuckets };

const record = (number: number, bytes: number): Batch => ({
  expect: [[`log/${number}`, undefined]],
  puts: [[`log/${number}`, new Uint8Array(bytes)]],
  deletes: [],
});

// The browser's own quota, not an imitation.
describe.runIf(storageBuckets)('indexedDbStorage at the quota of the browser', () => {
  const name = freshName();
  let storage: PageStorage;

  beforeEach(async () => {
    const bucket = await storageBuckets!.open(name, { quota: 1 << 20 });
    vi.stubGlobal('indexedDB', bucket.indexedDB);
    storage = indexedDbStorage(name);
  });
  afterEach(async () => {
    await storage.destroy();
    vi.unstubAllGlobals();
    await storageBuckets!.delete(name);
  });

  it('reports it, stores nothing, and stays usable', async () => {
    expect((await storage.commit(record(1, 10))).outcome).toBe('ok');

    const { outcome, cause } = await storage.commit(record(2, 2 << 20));

    expect(outcome).toBe('quota');
    expect(cause).toMatchObject({ name: 'QuotaExceededError' });
    expect((await storage.read({ keys: [], recordsAfter: 0 })).records).toHaveLength(1);
    expect((await storage.commit(record(2, 10))).outcome).toBe('ok');
  });
});
