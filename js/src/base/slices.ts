/**
 * Long work in slices, so that everything else in the thread gets its turn in between.
 *
 * @module
 */

import { inNextTurn } from './next-turn.js';

// An eighth of a frame of most displays. A slice delays a frame by about 2 ms. Shorter slices gain
// nothing: a busy worker alone delays frames by 2 ms.
const SLICE_MS = 2;

/** The slices of one piece of work. The first one begins at once. */
export class Slices {
  #begunAt = performance.now();

  // The work of this slice up to its last pause, in milliseconds.
  #workedMs = 0;

  /** Whether the work must give up its turn. */
  get isOver(): boolean {
    return this.#workedMs + performance.now() - this.#begunAt >= SLICE_MS;
  }

  /** If the slice is over, begins the next one in a later turn of the event loop. */
  async turn(): Promise<void> {
    if (!this.isOver) return;
    await new Promise<void>(inNextTurn);
    this.restart();
  }

  /** What follows until {@link resume} is no work of this slice. */
  pause(): void {
    this.#workedMs += performance.now() - this.#begunAt;
  }

  /** Goes on with the slice. */
  resume(): void {
    this.#begunAt = performance.now();
  }

  /** Begins the next slice. */
  restart(): void {
    this.#workedMs = 0;
    this.resume();
  }
}
