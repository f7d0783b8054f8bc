/**
 * Writes lines for a reader that may be slow, or gone.
 *
 * @module
 */

import { forTerminal } from '../line/terminal.js';

/** The parts of a stream that the writer needs. */
export interface LogStream {
  /** How many bytes wait for the reader. */
  readonly writableLength: number;
  readonly destroyed: boolean;
  readonly isTTY?: boolean | undefined;
  write(text: string, done?: () => void): unknown;
  once(event: 'drain', listener: () => void): unknown;
}

// So much may wait. A pipe takes what its reader leaves unread into the memory of this process.
const MOST_WAITING_BYTES = 2 ** 20;

/**
 * Never waits. While too much waits for the reader, further lines are left out until it has read
 * everything. Then a line says how many they were.
 */
export class LogWriter {
  readonly #stream: LogStream;
  readonly #gap: (lines: number) => string;
  #leftOut = 0;

  /** @param gap - the line that stands for so many lines. */
  constructor(stream: LogStream, gap: (lines: number) => string) {
    this.#stream = stream;
    this.#gap = gap;
  }

  readonly write = (line: string): void => {
    if (this.#stream.destroyed) return;
    if (this.#leftOut > 0) {
      this.#leftOut++;
    } else if (this.#stream.writableLength < MOST_WAITING_BYTES) {
      this.#stream.write(`${this.#stream.isTTY === true ? forTerminal(line) : line}\n`);
    } else {
      this.#leftOut = 1;
      this.#stream.once('drain', () => this.#goOn());
    }
  };

  /** Waits until the reader has everything, at most so long. Resolves to whether it has. */
  async end(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const isRead = await Promise.race([
      new Promise<boolean>((resolve) => void this.#stream.write('', () => resolve(true))),
      new Promise<boolean>((resolve) => (timer = setTimeout(resolve, ms, false))),
    ]);
    clearTimeout(timer);
    return isRead;
  }

  #goOn(): void {
    const lines = this.#leftOut;
    this.#leftOut = 0;
    this.write(this.#gap(lines));
  }
}
