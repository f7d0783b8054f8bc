/**
 * Long work in slices, so that everything else in the thread gets its turn in between.
 *
 * @module
 */

import { inNextTurn } from './next-turn.js';

// A quarter of a frame of most displays. The rest is for the app; and a task that begins late in a
// frame must not hold up the next one for long.
const SLICE_MS = 4;

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
