/**
 * The status of a sync, and the listeners that are told when it changes.
 *
 * @module
 */

import { call, tableErrorOf } from './failures.js';
import type { SyncStatus } from './models.js';
import { isNotNow } from './remote-table.js';

/** The status of one sync. */
export class ToldStatus {
  // Rows wait for a late effect, in this round.
  #isSettling = false;
  readonly #listeners = new Set<(status: SyncStatus) => void>();
  #value: SyncStatus = {
    state: 'stopped',
    pending: 0,
    rejected: 0,
    outside: 0,
    lastPull: undefined,
    progress: undefined,
    error: undefined,
  };

  get value(): SyncStatus {
    return this.#value;
  }

  /** Calls a function now and whenever it changes. Returns a function that ends that. */
  subscribe(listener: (status: SyncStatus) => void): () => void {
    this.#listeners.add(listener);
    call(listener, this.#value);
    return () => void this.#listeners.delete(listener);
  }

  /** Changes the status, and tells the listeners if it is a new one. */
  tell(change: Partial<SyncStatus>): void {
    const isNews = Object.entries(change).some(
      ([name, value]) => this.#value[name as keyof SyncStatus] !== value,
    );
    if (!isNews) return;
    this.#value = { ...this.#value, ...change };
    for (const listener of this.#listeners) call(listener, this.#value);
  }

  /** A round has begun. */
  begun(): void {
    this.#isSettling = false;
    this.tell({ state: 'syncing', progress: undefined });
  }

  /** Rows wait until an earlier request can take no effect any more. */
  settle(): void {
    this.#isSettling = true;
  }

  /** A round has ended. */
  ended(failure: Error | undefined): void {
    const state = this.#isSettling ? 'settling' : 'idle';
    const end = failure
      ? failed(failure)
      : ({ state, error: undefined, lastPull: new Date() } as const);
    this.tell({ ...end, progress: undefined });
  }

  /** Rows of the table were fetched or sent. */
  progress(table: string, rows: number, sent: number): void {
    if (rows + sent === 0) return;
    const { progress } = this.#value;
    const before = progress?.table === table ? progress : { rows: 0, sent: 0 };
    this.tell({ progress: { table, rows: before.rows + rows, sent: before.sent + sent } });
  }
}

function failed(failure: Error) {
  const isLate = isNotNow(failure);
  const error = tableErrorOf(isLate ? failure.cause : failure);
  return { state: isLate ? 'offline' : 'paused', error } as const;
}
