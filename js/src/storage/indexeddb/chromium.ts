/**
 * Two ways in which Chromium (156), after it was killed, finds its databases damaged and removes
 * them all; and how this package avoids them.
 *
 * Chromium has all databases of an origin in one LevelDB. It notes there which transactions write,
 * and what they have locked, to undo unfinished ones at the next start. If there are two of one
 * database, over different object stores, that start finds the notes damaged. So no transaction of
 * ours writes beside another one: each has {@link WRITE_LOCK_STORE} in its scope.
 *
 * The log of that LevelDB ends in a torn record if the browser died while it wrote the record. This
 * alone does no harm. But the next process appends to the same log, behind the torn record, and the
 * process after that finds the log damaged. So each page has a new log begun before it writes.
 *
 * @module
 */

/** Every writing transaction has this object store in its scope. */
export const WRITE_LOCK_STORE = 'log';

const SCRATCH = 'entitable-scratch';

// A page that has read nothing for so long has its first screen.
const DELAY_MS = 100;

// Another tab may have been frozen while it had the scratch database open.
const PATIENCE_MS = 1_000;

let begun: Promise<void> | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Makes Chromium begin a new log, once, and resolves when it has. LevelDB does so when any database
 * is deleted. That takes 5 to 16 ms. Other browsers need nothing. Never rejects.
 */
export function ensureNewLog(): Promise<void> {
  begun ??= marksDataLoss() ? beginNewLog().catch(() => undefined) : Promise.resolve();
  return begun;
}

/** The same, when no transaction has begun for a while: the browser would delay it. */
export function ensureNewLogSoon(): void {
  holdNewLog();
  // eslint-disable-next-line @typescript-eslint/no-misused-promises -- it never rejects
  if (!begun) timer = setTimeout(ensureNewLog, DELAY_MS);
}

/** Takes back the last {@link ensureNewLogSoon}: a transaction begins. */
export function holdNewLog(): void {
  clearTimeout(timer);
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

/** Whether a database is new because Chromium has removed the old one. */
export function isMadeAfterLoss(event: IDBVersionChangeEvent): boolean {
  return (event as { dataLoss?: string }).dataLoss === 'total';
}

// A property of Chromium, which is in no standard.
function marksDataLoss(): boolean {
  return (
    typeof IDBVersionChangeEvent !== 'undefined' && 'dataLoss' in IDBVersionChangeEvent.prototype
  );
}
