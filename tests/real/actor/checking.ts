// checking.ts - holds the storage to its contract, in the engine that the actor runs in.

import { storageContract } from '../../../js/src/storage/contract.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';

export const checking = {
  /** How many checks there are, and which of them failed. */
  async checkContract(): Promise<{ checks: number; failures: string[] }> {
    const failures: string[] = [];
    for (const [number, { name, run }] of storageContract.entries()) {
      try {
        await run(() => indexedDbStorage(`contract-${number}`));
      } catch (error) {
        failures.push(`${name}: ${(error as Error).message}`);
      }
    }
    return { checks: storageContract.length, failures };
  },

  /** What becomes of a batch whose page is new, but whose record is not. */
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
