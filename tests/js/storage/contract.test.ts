import { describe, expect, it } from 'vitest';

import { storageContract, type StorageCheck } from '../../../js/src/storage/contract.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { BROKEN_STORAGES, BROKEN_VALUE_BYTES } from '../support/broken-storages.js';

/** The names of the checks that a storage does not pass. */
async function failedChecks(
  open: () => PageStorage,
  checks: readonly StorageCheck[] = storageContract,
): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks) {
    await run(open, { maxValueBytes: BROKEN_VALUE_BYTES }).catch(() => failed.push(name));
  }
  return failed;
}

describe('the storage contract', () => {
  it('is kept by a storage in memory', async () => {
    expect(await failedChecks(memoryStorage)).toEqual([]);
  });

  it('has a name for each check, and no name twice', () => {
    const names = storageContract.map(({ name }) => name);

    expect(new Set(names).size).toBe(names.length);
  });

  it.each(BROKEN_STORAGES)(
    'catches a storage that $fault',
    { timeout: 60_000 },
    async ({ open, caughtBy }) => {
      const named = storageContract.filter(({ name }) => caughtBy.includes(name));

      expect((await failedChecks(open, named)).toSorted()).toEqual(caughtBy.toSorted());
    },
  );

  it('has no check that no such storage is named for', () => {
    const caught = new Set(BROKEN_STORAGES.flatMap(({ caughtBy }) => caughtBy));

    expect(storageContract.map(({ name }) => name).filter((name) => !caught.has(name))).toEqual([]);
  });

  it('destroys its stores, also when a check fails', async () => {
    let isDestroyed = 0;
    const open = () => ({
      ...onlyMethodsOf(memoryStorage()),
      destroy: async () => void isDestroyed++,
      read: () => Promise.reject(new Error('no')),
    });
    const { run } = storageContract[0]!;

    await expect(run(open)).rejects.toThrow('no');
    expect(isDestroyed).toBe(1);
  });
});

function onlyMethodsOf(storage: PageStorage): PageStorage {
  return {
    read: (request) => storage.read(request),
    commit: (batch, options) => storage.commit(batch, options),
    close: () => storage.close(),
    destroy: () => storage.destroy(),
  };
}
