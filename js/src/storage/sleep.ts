/**
 * Notices that a page sleeps and wakes up.
 *
 * "Page Lifecycle" and HTML, "Page transition": a page sleeps between `freeze` and `resume`, and
 * between `pagehide` and `pageshow`. Workers get none of these events.
 *
 * @module
 */

/**
 * Reports when the page falls asleep, and when it is back.
 *
 * @returns a function that stops that.
 */
export function watchSleep(report: (isAsleep: boolean) => void): () => void {
  // Every page is shown once before it has slept.
  let wasAsleep = false;
  const change = (isAsleep: boolean) => {
    if (isAsleep !== wasAsleep) report(isAsleep);
    wasAsleep = isAsleep;
  };
  const fallAsleep = () => change(true);
  const wakeUp = () => change(false);
  const on = (how: 'addEventListener' | 'removeEventListener') => {
    for (const type of ['pagehide', 'freeze']) globalThis[how]?.(type, fallAsleep, true);
    for (const type of ['pageshow', 'resume']) globalThis[how]?.(type, wakeUp, true);
  };
  on('addEventListener');
  return () => on('removeEventListener');
}
