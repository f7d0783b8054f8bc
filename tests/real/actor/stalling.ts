// stalling.ts - commits that are under way until the browser ends.

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { StorageKey } from '../../../js/src/storage/page-storage.js';

// Whatever else can begin has begun, and written, by then.
const TURNS = 200;

export const stalling = {
  /**
   * Begins to store a record and a page, apart; resolves when as much of that as may run at once
   * has run.
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

// A transaction ends by itself when nothing more is asked of it.
function keepAwake(transaction: IDBTransaction, turns: number, tell: () => void): void {
  const store = transaction.objectStore(transaction.objectStoreNames[0]!);
  store.count().onsuccess = () => {
    if (turns === 0) tell();
    keepAwake(transaction, turns - 1, tell);
  };
}
