/**
 * The listeners of a storage, also those who can listen only after something has happened.
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

  tell(status: StoreStatus): void {
    for (const listener of this.#listeners) listener(status);
  }

  /**
   * Also tells it to everyone who listens before `forget()`: an account listens to its storage only
   * after it has opened it.
   */
  tellAndKeep(status: StoreStatus): void {
    this.#kept = status;
    this.tell(status);
  }

  /** Forgets what was kept, because the storage is closed: the next opening may find it well. */
  forget(): void {
    this.#kept = undefined;
  }
}
