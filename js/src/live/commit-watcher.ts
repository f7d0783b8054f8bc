/**
 * Finds the commits of other accounts while a live view, a subscription or a list of pending rows
 * follows a table.
 *
 * @module
 */

import type { AccountSession } from '../core/account-session.js';

// Hints get lost, and not every storage gives hints.
const REFRESH_MS = 5000;

const watchers = new WeakMap<AccountSession, CommitWatcher>();

/**
 * Reads the log whenever another account may have committed, so that the core reports those
 * commits.
 *
 * @param fail - called with the error, if the storage cannot be read.
 * @param refreshed - called each time after the log was read, even if it has no new commit.
 * @returns a function that stops that.
 */
export function watchCommits(
  session: AccountSession,
  fail: (reason: unknown) => void,
  refreshed?: () => void,
): () => void {
  let watcher = watchers.get(session);
  if (!watcher) watchers.set(session, (watcher = new CommitWatcher(session)));
  // An object of its own, because one follower may join twice.
  return watcher.join({ fail, refreshed });
}

interface Member {
  readonly fail: (reason: unknown) => void;
  readonly refreshed: (() => void) | undefined;
}

class CommitWatcher {
  readonly #session: AccountSession;
  readonly #members = new Set<Member>();
  #stopListening: (() => void) | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isRefreshing = false;
  #isDue = false;

  constructor(session: AccountSession) {
    this.#session = session;
  }

  join(member: Member): () => void {
    this.#members.add(member);
    if (this.#members.size === 1) this.#begin();
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#end();
    };
  }

  #begin(): void {
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- members get its errors
    this.#stopListening = this.#session.onHint(() => void this.#refresh());
    this.#listen('addEventListener');
    this.#timer = setInterval(this.#refreshIfVisible, REFRESH_MS);
    // Node would not end while the timer runs.
    (this.#timer as { unref?: () => void }).unref?.();
  }

  #end(): void {
    this.#stopListening?.();
    this.#listen('removeEventListener');
    clearInterval(this.#timer);
  }

  // Only in a page, which may have been frozen.
  #listen(method: 'addEventListener' | 'removeEventListener'): void {
    globalThis[method]?.('pageshow', this.#refreshIfVisible);
    globalThis.document?.[method]('resume', this.#refreshIfVisible);
    globalThis.document?.[method]('visibilitychange', this.#refreshIfVisible);
  }

  readonly #refreshIfVisible = (): void => {
    if (globalThis.document?.visibilityState === 'hidden') return;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- members get its errors
    void this.#refresh();
  };

  // One refresh at a time. A hint during a refresh leads to one more.
  async #refresh(): Promise<void> {
    this.#isDue = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    try {
      while (this.#isDue && this.#members.size > 0) {
        this.#isDue = false;
        await this.#session.request({ kind: 'queryTables', top: '1', fresh: true });
        for (const { refreshed } of this.#members) refreshed?.();
      }
    } catch (reason) {
      for (const { fail } of this.#members) fail(reason);
    } finally {
      this.#isRefreshing = false;
    }
  }
}
