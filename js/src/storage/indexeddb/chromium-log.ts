/**
 * What Chromium does to its databases when it was killed, and what keeps it from that.
 *
 * It has all databases of an origin in one LevelDB, whose log ends in a torn record if the browser
 * died while that was written. This alone does no harm. But the next process goes on in the same
 * log, behind the tear; and the one after that takes the log for damaged, and removes everything.
 * Seen in Chromium 156, with three ways to tear a log: whatever was stored since the tear, or
 * long before it, was gone at the second start.
 *
 * @module
 */

const SCRATCH = 'entitable-scratch';

// Reading what is needed first is over by then.
const DELAY_MS = 100;

let isDue = typeof IDBVersionChangeEvent !== 'undefined' && tellsOfLoss(IDBVersionChangeEvent);

/**
 * Has Chromium begin a new log, a while after the first call: LevelDB does so when a database is
 * deleted, whichever it is. That takes 5 to 16 ms. Other browsers have nothing to begin.
 */
export function beginNewLog(): void {
  if (!isDue) return;
  isDue = false;
  setTimeout(() => {
    const request = indexedDB.open(SCRATCH);
    request.onsuccess = () => {
      request.result.close();
      indexedDB.deleteDatabase(SCRATCH);
    };
  }, DELAY_MS);
}

/** Whether a database is made because Chromium has removed the one that was there. */
export function isMadeAfterLoss(event: IDBVersionChangeEvent): boolean {
  return (event as { dataLoss?: string }).dataLoss === 'total';
}

// A property of its own, which is in no standard.
function tellsOfLoss({ prototype }: typeof IDBVersionChangeEvent): boolean {
  return 'dataLoss' in prototype;
}
