/**
 * Long work in slices, so that everything else in the thread gets its turn in between.
 *
 * @module
 */

import { inNextTurn } from './next-turn.js';

// An eighth of a frame of most displays. A frame waits for the task that runs, so it is at most so
// much late. Shorter slices are no smoother: with another busy thread, frames come 2 ms late anyway.
const SLICE_MS = 2;

/** The slices of one piece of work. The first one begins at once. */
export class Slices {
  #begunAt = performance.now();

  /** Whether the work must give up its turn. */
  get isOver(): boolean {
    return performance.now() - this.#begunAt >= SLICE_MS;
  }

  /** If the slice is over, begins the next one in a later turn of the event loop. */
  async turn(): Promise<void> {
    if (!this.isOver) return;
    await new Promise<void>(inNextTurn);
    this.#begunAt = performance.now();
  }
}
