// checking.ts - runs the contract of a storage, in the browser of the actor.

import { storageContract } from '../../../js/src/storage/contract.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { storageOf, type StorageName } from './storages.js';

export const checking = {
  /** Returns the number of checks, and those that failed. */
  async checkContract(storage: StorageName): Promise<{ checks: number; failures: string[] }> {
    const failures: string[] = [];
    for (const [number, { name, run }] of storageContract.entries()) {
      try {
        await run(() => storageOf(storage, `contract-${number}`));
      } catch (error) {
        failures.push(`${name}: ${(error as Error).message}`);
      }
    }
    return { checks: storageContract.length, failures };
  },

  /** Commits a batch with a new page, but with a log record that exists already. */
  async commitHalfPossible(): Promise<{ outcome: string; isPageStored: boolean }> {
    const storage = indexedDbStorage('half-possible');
    const value = Uint8Array.of(1);
    const put = (keys: readonly ('log/1' | 'log/base' | 'pages/1')[]) =>
      keys.map((key) => [key, value] as const);
    await storage.commit({ expect: [], puts: put(['log/base', 'log/1']), deletes: [] });

    const { outcome } = await storage.commit({
      expect: [
        ['log/base', value],
        ['log/1', undefined],
      ],
      puts: put(['pages/1', 'log/1']),
      deletes: [],
    });

    const { values } = await storage.read({ keys: ['pages/1'] });
    await storage.destroy();
    return { outcome, isPageStored: values[0] !== undefined };
  },
};
