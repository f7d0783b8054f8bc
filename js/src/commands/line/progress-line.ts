/**
 * One line of a terminal that changes while something goes on.
 *
 * @module
 */

import { printable } from '../../server/printable.js';

/** The parts of a stream that the line needs. */
export interface TerminalLike {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const ERASE = '\r\x1b[K';
// Nobody can read faster.
const INTERVAL_MS = 100;

/** Shows nothing if the stream is not a terminal. */
export class ProgressLine {
  readonly #terminal: TerminalLike;
  readonly #isOff: boolean;
  #isShown = false;
  #shownAt = -Infinity;

  constructor(terminal: TerminalLike, isQuiet: boolean) {
    this.#terminal = terminal;
    this.#isOff = isQuiet || terminal.isTTY !== true;
  }

  /** Shows a text in place of the one before, unless that was shown a moment ago. */
  readonly show = (text: string): void => {
    const now = performance.now();
    if (this.#isOff || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    this.#isShown = true;
    const { columns = 80 } = this.#terminal;
    this.#terminal.write(`${ERASE}${printable(text).slice(0, columns - 1)}`);
  };

  /** Removes the text, so that other lines may follow. */
  readonly clear = (): void => {
    if (!this.#isShown) return;
    this.#isShown = false;
    this.#shownAt = -Infinity;
    this.#terminal.write(ERASE);
  };
}
