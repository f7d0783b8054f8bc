// stalling.ts - commits that do not end before the browser.

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { StorageKey } from '../../../js/src/storage/page-storage.js';

// After these turns all other transactions that can begin have begun, and written.
const TURNS = 200;

export const stalling = {
  /**
   * Begins to store a log record and a page in separate commits. Resolves after all work that can
   * run at the same time has run.
   */
  async stallCommits(): Promise<void> {
    const storage = indexedDbStorage('stalled');
    await storage.commit({ expect: [], puts: [['log/base', new Uint8Array(1)]], deletes: [] });
    const turned = new Promise<void>((resolve) => {
      IDBTransaction.prototype.commit = function () {
        keepAwake(this, TURNS, resolve);
      };
    });
    for (const key of ['pages/1', 'log/1'] as StorageKey[]) {
      const value = crypto.getRandomValues(new Uint8Array(60_000));
      void storage.commit({ expect: [], puts: [[key, value]], deletes: [] });
    }
    await turned;
  },
};

// A transaction without further requests would end.
function keepAwake(transaction: IDBTransaction, turns: number, onTurns: () => void): void {
  const store = transaction.objectStore(transaction.objectStoreNames[0]!);
  store.count().onsuccess = () => {
    if (turns === 0) onTurns();
    keepAwake(transaction, turns - 1, onTurns);
  };
}
