/**
 * A reserve of room in an IndexedDB database. At the quota of the browser there is no room even for
 * a deletion, but a value can always be removed. So the store has a value without meaning, and
 * gives it up for batches that make room. All other batches then wait until it is restored.
 *
 * `pages/reserve` is the value. `log/short` shows every tab that it was given up.
 *
 * @module
 */

import { WRITE_LOCK_STORE } from './chromium.js';
import type { Batch, CommitResult } from '../page-storage.js';

const RESERVE = 'reserve';
// As much as a flush, the unfinished steps of a compaction and many deletions need at the same
// time.
const RESERVE_BYTES = 2 ** 21;
const SHORT = 'short';

// A key that never has a value.
const NOTHING = 'nothing';

// How long it may take until other tabs see that the reserve was given up.
const CHECK_MS = 1000;

// The most that one call gives.
const RANDOM_BYTES = 2 ** 16;

/** What a batch does with the reserve: restores it, marks it as given up, or checks it. */
export type Effect = 'restores' | 'marks' | 'checks' | undefined;

export class Reserve {
  #isShort = false;
  #isMarked = false;
  #isThere = false;
  #checkedAt = -CHECK_MS;

  /** The object stores that a transaction needs for it, beside the log. */
  get stores(): readonly 'pages'[] {
    return this.#isShort ? ['pages'] : [];
  }

  /**
   * Adds to the transaction of a batch what it must do with the reserve, before the batch.
   *
   * @param canWait - whether the transaction can go on after these requests are answered.
   */
  begin(transaction: IDBTransaction, { puts, frees }: Batch, canWait: boolean): Effect {
    const log = transaction.objectStore('log');
    if (this.#isShort && transaction.objectStoreNames.contains('pages')) {
      if (frees) {
        // Only once, because deletions alone must not need room.
        if (this.#isMarked) return undefined;
        log.put(true, SHORT);
        return 'marks';
      }
      log.delete(SHORT);
      transaction.objectStore('pages').put(incompressible(), RESERVE);
      return 'restores';
    }
    const now = performance.now();
    if (now >= this.#checkedAt + CHECK_MS) {
      this.#checkedAt = now;
      const request = log.getKey(SHORT);
      request.onsuccess = () => {
        if (request.result !== undefined) this.#isShort = this.#isMarked = true;
      };
    }
    // A store that is small, or only read, has no reserve.
    if (this.#isThere || !canWait || !puts.some(([key]) => key === 'pages/root')) return undefined;
    const pages = transaction.objectStore('pages');
    const request = pages.getKey(RESERVE);
    request.onsuccess = () => {
      if (request.result === undefined && !this.#isShort) pages.put(incompressible(), RESERVE);
    };
    return 'checks';
  }

  /**
   * Notes the outcome of an attempt to store the batch. True: a second attempt may find more room.
   *
   * @param isFirst - whether this was the first attempt.
   */
  async end(
    database: IDBDatabase,
    { frees }: Batch,
    effect: Effect,
    { outcome }: CommitResult,
    isFirst: boolean,
  ): Promise<boolean> {
    if (outcome === 'ok' && effect) {
      this.#isMarked = effect === 'marks';
      this.#isThere = !this.#isMarked;
      if (effect === 'restores') this.#isShort = false;
    }
    if (outcome !== 'quota') return false;
    // Chromium may count what the aborted transaction would have stored, until the next one is
    // complete. A deletion is always possible, also of nothing.
    const isCounted = await remove(database, frees ? RESERVE : NOTHING);
    if (!frees) return false;
    this.#isThere = false;
    this.#isShort ||= isCounted;
    return isFirst && isCounted;
  }

  /** Forgets a store that was deleted. */
  forget(): void {
    this.#isShort = this.#isMarked = this.#isThere = false;
  }
}

// False if the connection is lost.
async function remove(database: IDBDatabase, key: string): Promise<boolean> {
  try {
    const transaction = database.transaction(['pages', WRITE_LOCK_STORE], 'readwrite');
    return await new Promise((resolve) => {
      transaction.objectStore('pages').delete(key);
      transaction.oncomplete = () => resolve(true);
      transaction.onabort = () => resolve(false);
      transaction.commit();
    });
  } catch {
    return false;
  }
}

// Compressible bytes would take less room than they must give.
function incompressible(): Uint8Array {
  const bytes = new Uint8Array(RESERVE_BYTES);
  for (let at = 0; at < RESERVE_BYTES; at += RANDOM_BYTES) {
    crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES));
  }
  return bytes;
}
