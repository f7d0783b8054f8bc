/**
 * A reserve of room in an IndexedDB database: at the quota of the browser not even a deletion can
 * be noted, but to remove a value is always possible. So a value that says nothing is kept, and
 * given up for batches that make room; all others then wait until it is back.
 *
 * `pages/reserve` is the value. `log/short` says, to every tab, that it was given up.
 *
 * @module
 */

import { WRITERS_SHARE } from './indexeddb/chromium.js';
import type { Batch, CommitResult } from './page-storage.js';

const RESERVE = 'reserve';
// As much as a fold, the steps of a merge that are not complete, and many deletions take at a time.
const RESERVE_BYTES = 2 ** 21;
const SHORT = 'short';

// How long others may not notice that the reserve was given up.
const LOOK_MS = 1000;

// As much as one call gives.
const RANDOM_BYTES = 2 ** 16;

/** What a batch does: brings the reserve back, says that it is gone, or looks whether it is there. */
export type Effect = 'restores' | 'marks' | 'looks' | undefined;

export class Reserve {
  #isShort = false;
  #isMarked = false;
  #isThere = false;
  #lookedAt = -LOOK_MS;

  /** Those that a transaction has to be over for its sake, beside the log. */
  get stores(): readonly 'pages'[] {
    return this.#isShort ? ['pages'] : [];
  }

  /**
   * Adds to the transaction of a batch what it has to do with the reserve, before the batch.
   *
   * @param canWait - whether the transaction goes on when these requests are answered.
   */
  begin(transaction: IDBTransaction, { puts, frees }: Batch, canWait: boolean): Effect {
    const log = transaction.objectStore('log');
    if (this.#isShort && transaction.objectStoreNames.contains('pages')) {
      if (frees) {
        // Once, because deletions alone must not need room.
        if (this.#isMarked) return undefined;
        log.put(true, SHORT);
        return 'marks';
      }
      log.delete(SHORT);
      transaction.objectStore('pages').put(incompressible(), RESERVE);
      return 'restores';
    }
    const now = performance.now();
    if (now >= this.#lookedAt + LOOK_MS) {
      this.#lookedAt = now;
      const look = log.getKey(SHORT);
      look.onsuccess = () => {
        if (look.result !== undefined) this.#isShort = this.#isMarked = true;
      };
    }
    // A store that is small, or only read, has none.
    if (this.#isThere || !canWait || !puts.some(([key]) => key === 'pages/root')) return undefined;
    const pages = transaction.objectStore('pages');
    const look = pages.getKey(RESERVE);
    look.onsuccess = () => {
      if (look.result === undefined && !this.#isShort) pages.put(incompressible(), RESERVE);
    };
    return 'looks';
  }

  /** Notes what became of the batch. True: it is to be tried once more, with the room there is now. */
  async end(
    database: IDBDatabase,
    batch: Batch,
    effect: Effect,
    { outcome }: CommitResult,
  ): Promise<boolean> {
    if (outcome === 'ok' && effect) {
      this.#isMarked = effect === 'marks';
      this.#isThere = !this.#isMarked;
      if (effect === 'restores') this.#isShort = false;
    }
    if (outcome !== 'quota' || !batch.frees || this.#isShort) return false;
    this.#isThere = false;
    this.#isShort = await remove(database);
    return this.#isShort;
  }

  /** Forgets what it knows of a store that is gone. */
  forget(): void {
    this.#isShort = this.#isMarked = this.#isThere = false;
  }
}

function remove(database: IDBDatabase): Promise<boolean> {
  return new Promise((resolve) => {
    const transaction = database.transaction(['pages', WRITERS_SHARE], 'readwrite');
    transaction.objectStore('pages').delete(RESERVE);
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => resolve(false);
    transaction.commit();
  });
}

// Or it would take less room than it is to give.
function incompressible(): Uint8Array {
  const bytes = new Uint8Array(RESERVE_BYTES);
  for (let at = 0; at < RESERVE_BYTES; at += RANDOM_BYTES) {
    crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES));
  }
  return bytes;
}
