/**
 * Carries out the requests of one connection: one after another, and only as fast as its client
 * reads.
 *
 * @module
 */

import type { Socket } from 'node:net';

// So many requests of a connection may wait. Then the server stops reading from it.
const MAX_WAITING = 32;

/** The requests of a connection, in their order. */
export class Connection {
  readonly #socket: Socket;
  readonly #waiting: (() => Promise<void>)[] = [];
  #isBusy = false;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node reads the next request when it has finished one.
    socket.on('resume', () => {
      if (this.#isFull) socket.pause();
    });
  }

  /** @param answer - resolves when the socket has the answer. */
  add(answer: () => Promise<void>): void {
    if (this.#hasEnded) return;
    this.#waiting.push(answer);
    if (this.#isFull) this.#socket.pause();
    if (!this.#isBusy) this.#run().catch(() => this.#socket.destroy());
  }

  /** Carries out no further request: the last answer says that the connection ends. */
  end(): void {
    this.#hasEnded = true;
    this.#waiting.length = 0;
  }

  get #isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    for (let next; (next = this.#waiting.shift());) {
      if (this.#waiting.length === MAX_WAITING - 1) this.#socket.resume();
      await next();
      if (this.#socket.writableNeedDrain) await this.#untilDrained();
    }
    this.#isBusy = false;
  }

  #untilDrained(): Promise<void> {
    return new Promise((resolve) => {
      const finish = () => {
        this.#socket.off('drain', finish).off('close', finish);
        resolve();
      };
      this.#socket.on('drain', finish).on('close', finish);
    });
  }
}
