/**
 * Remembers what is running, so that the page can say after a reload that it was interrupted.
 *
 * A session storage belongs to one tab and survives its reloads. So whatever a new page finds there
 * has ended, and another tab that is still busy is never meant.
 *
 * @module
 */

const KEY = 'entitable-explorer/running';

let ending: ReturnType<typeof setTimeout> | undefined;

/** @param title - for people: `Loading 200,000 flights`. */
export function noteRunning(title: string): void {
  clearTimeout(ending);
  inSession((session) => session.setItem(KEY, title));
}

/**
 * Also after a failure or a cancellation, which the page shows itself. But a reload makes requests
 * fail just before the page goes; its timers then fire no more.
 */
export function noteEnd(): void {
  ending = setTimeout(forget);
}

/** The title of what an earlier page of this tab did not end. It is told once. */
export function takeInterrupted(): string | undefined {
  const title = inSession((session) => session.getItem(KEY));
  forget();
  return title ?? undefined;
}

const forget = () => inSession((session) => session.removeItem(KEY));

// A browser may refuse it. Then nothing is remembered.
function inSession<T>(work: (session: Storage) => T): T | undefined {
  try {
    return work(sessionStorage);
  } catch {
    return undefined;
  }
}
