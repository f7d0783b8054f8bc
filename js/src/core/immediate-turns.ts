/**
 * Turns of the event loop for other code while answers come at once. A loop that awaits nothing
 * else would keep timers, input and sockets waiting until its end.
 *
 * @module
 */

import { inNextTurn } from '../base/next-turn.js';

// How long answers may come at once, one after another.
const MAX_MS = 50;

// Looking at the clock takes a part of the time of an answer, so only a few answers do.
const LOOK_EVERY = 64;

/** Counts answers that come at once. */
export class ImmediateTurns {
  #answers = 0;
  // When the current turn of the event loop was first looked at.
  #begunAt: number | undefined;

  /** Whether this answer must come in a later turn. Each answer asks once. */
  get isDue(): boolean {
    if (++this.#answers % LOOK_EVERY !== 0) return false;
    const now = performance.now();
    if (this.#begunAt !== undefined) return now - this.#begunAt >= MAX_MS;
    this.#begunAt = now;
    inNextTurn(() => (this.#begunAt = undefined));
    return false;
  }
}

/** Resolves in a later turn of the event loop. */
export const inLaterTurn = <T>(answer: T | Promise<T>): Promise<T> =>
  new Promise((resolve) => inNextTurn(() => resolve(answer)));
