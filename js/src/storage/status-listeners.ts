/**
 * The listeners of a storage. A listener may come after the event that it needs.
 *
 * @module
 */

import type { StatusListener, StoreStatus } from './page-storage.js';

/** Calls listeners; each registration counts on its own. */
export class StatusListeners {
  readonly #listeners = new Set<StatusListener>();
  #kept: StoreStatus | undefined;

  /** @returns a function that removes it. */
  add(listener: StatusListener): () => void {
    const own: StatusListener = (status) => listener(status);
    this.#listeners.add(own);
    const kept = this.#kept;
    if (kept) setTimeout(() => this.#listeners.has(own) && own(kept));
    return () => void this.#listeners.delete(own);
  }

  report(status: StoreStatus): void {
    for (const listener of this.#listeners) listener(status);
  }

  /**
   * The same, and also for every listener that comes before `forget()`: an account listens to its
   * storage only after it has opened it.
   */
  reportAndKeep(status: StoreStatus): void {
    this.#kept = status;
    this.report(status);
  }

  /** Forgets the event, because the storage is closed. The next opening may be fine. */
  forget(): void {
    this.#kept = undefined;
  }
}
