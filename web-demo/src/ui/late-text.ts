/**
 * A text that says what takes so long.
 *
 * @module
 */

// Most answers come sooner. A text before each of them would flicker. In milliseconds.
const PATIENCE_MS = 300;

export class LateText {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Calls `show` after a while. Only the last of several calls counts. */
  await(show: () => void): void {
    this.stop();
    this.#timer = setTimeout(show, PATIENCE_MS);
  }

  /** The answer is there. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
