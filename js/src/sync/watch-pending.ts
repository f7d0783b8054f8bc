/**
 * Follows the rows of a table that are not pushed yet. It is loaded on demand.
 *
 * @module
 */

import type { AccountSession } from '../core/account-session.js';
import { watchCommits } from '../live/commit-watcher.js';
import { pause } from '../remote/exchange.js';
import { call } from './failures.js';
import type { PendingRow } from './models.js';
import { rowsOf } from './pending-rows.js';
import type { TableRounds } from './rounds.js';

/** What to follow. */
export interface PendingSource {
  readonly session: AccountSession;
  readonly rounds: TableRounds;
  /** Its status changes when this account has pushed rows, or has taken rows back. */
  readonly sync: { subscribe(changed: () => void): () => void };
}

// Writes of one moment are read together.
const LEAST_REST_MS = 50;
// At most a tenth of the time is spent on reading.
const REST = 9;

/**
 * Reports the rows at once, and after each change in any tab. Ends when the signal fires or the
 * account is closed.
 *
 * @throws {@link TableError} as `pending()`.
 */
export async function watchPending(
  { session, rounds, sync }: PendingSource,
  report: (rows: readonly PendingRow[]) => void,
  signal: AbortSignal,
): Promise<void> {
  // It may have fired while this script was loaded.
  if (signal.aborted) return;
  const triggers = new Triggers({ session, rounds, sync }, signal);
  let last: string | undefined;
  try {
    for (;;) {
      const begun = performance.now();
      const rows = await rowsToPush(rounds);
      if (signal.aborted) return;
      const text = JSON.stringify(rows);
      if (text !== last) call(report, rows);
      last = text;
      await pause(Math.max(LEAST_REST_MS, REST * (performance.now() - begun)), signal);
      await triggers.next();
    }
  } catch (error) {
    const isEnd = signal.aborted || (error as { code?: string }).code === 'AccountClosed';
    if (!isEnd) throw error;
  } finally {
    triggers.end();
  }
}

async function rowsToPush(rounds: TableRounds): Promise<PendingRow[]> {
  const groups = await rounds.pending();
  return rowsOf(
    groups.filter(({ isRejected, partitionKey }) => isRejected || rounds.isInside(partitionKey)),
  );
}

// Reports what may change the rows: writes, pulls and pushes of this account, commits of others.
class Triggers {
  readonly #source: PendingSource;
  readonly #signal: AbortSignal;
  readonly #ends: (() => void)[];
  #loss: { readonly reason: unknown } | undefined;
  #position: string | undefined;
  #isFollowing = false;
  #isDue = false;
  #wake = () => {};

  constructor(source: PendingSource, signal: AbortSignal) {
    this.#source = source;
    this.#signal = signal;
    this.#ends = [
      source.sync.subscribe(this.#changed),
      watchCommits(source.session, this.#lose, this.#changed),
    ];
  }

  /** Waits for the next one, unless there was one since the last call. */
  async next(): Promise<void> {
    const changed = new Promise<void>((resolve) => (this.#wake = resolve));
    if (!this.#isFollowing) this.#follow().catch(this.#lose);
    if (!this.#isDue && !this.#loss) await changed;
    this.#isDue = false;
    if (this.#loss) throw this.#loss.reason;
  }

  end(): void {
    for (const end of this.#ends) end();
  }

  readonly #changed = (): void => {
    this.#isDue = true;
    this.#wake();
  };

  readonly #lose = (reason: unknown): void => {
    this.#loss ??= { reason };
    this.#wake();
  };

  // Waits for one change of the table. The next wait begins after the rows were read, so that many
  // changes make one answer.
  async #follow(): Promise<void> {
    this.#isFollowing = true;
    const { session, rounds } = this.#source;
    const { table } = rounds.table.steps;
    const wait = { kind: 'awaitChanges', table, position: this.#position } as const;
    // The body is not read: only the fact of a change matters.
    ({ position: this.#position } = await session.request(wait, this.#signal, () => {}));
    this.#isFollowing = false;
    this.#changed();
  }
}
