/**
 * Two ways in which Chromium (156) takes its databases for damaged and removes them all after it was
 * killed, and how they are kept from happening.
 *
 * It has all databases of an origin in one LevelDB, and notes there which transactions write, and
 * what they have locked: to undo, at the next start, what they had not finished. If there are two
 * of one database, over different object stores, that start takes the notes for damaged. So none
 * of ours writes beside another one: each has {@link WRITERS_SHARE} in its scope.
 *
 * And the log of that LevelDB ends in a torn record if the browser died while that was written.
 * This alone does no harm. But the next process goes on in the same log, behind the tear; and the
 * one after that takes the log for damaged. So each page has a new one begun before it writes.
 *
 * @module
 */

/** The object store that every transaction has in its scope that writes. */
export const WRITERS_SHARE = 'log';

const SCRATCH = 'entitable-scratch';

// What is read first is there by then.
const DELAY_MS = 100;

// Another tab may have been frozen while it had the scratch database open.
const PATIENCE_MS = 1_000;

let begun: Promise<void> | undefined;
let isScheduled = false;

/**
 * Has Chromium begin a new log, once, and resolves when it has: LevelDB does so when a database is
 * deleted, whichever it is. That takes 5 to 16 ms. Other browsers have nothing to begin. Never rejects.
 */
export function ensureNewLog(): Promise<void> {
  begun ??= tellsOfLoss() ? beginNewLog().catch(() => undefined) : Promise.resolve();
  return begun;
}

/** The same, a while after the first call. */
export function ensureNewLogSoon(): void {
  if (isScheduled) return;
  isScheduled = true;
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- it never rejects
  setTimeout(ensureNewLog, DELAY_MS);
}

function beginNewLog(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS);
    const request = indexedDB.open(SCRATCH);
    request.onerror = () => resolve();
    request.onsuccess = () => {
      request.result.close();
      const removal = indexedDB.deleteDatabase(SCRATCH);
      removal.onsuccess = removal.onerror = () => resolve();
    };
  });
}

/** Whether a database is made because Chromium has removed the one that was there. */
export function isMadeAfterLoss(event: IDBVersionChangeEvent): boolean {
  return (event as { dataLoss?: string }).dataLoss === 'total';
}

// A property of Chromium's own, which is in no standard.
function tellsOfLoss(): boolean {
  return (
    typeof IDBVersionChangeEvent !== 'undefined' && 'dataLoss' in IDBVersionChangeEvent.prototype
  );
}
