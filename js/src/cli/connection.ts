/**
 * The requests of one connection: one after another, and only as fast as its client reads.
 *
 * @module
 */

import type { Socket } from 'node:net';

// So many requests of a connection may wait; no more of it is read meanwhile.
const MAX_WAITING = 32;

/** Carries out the requests of a connection in their order. */
export class Connection {
  readonly #socket: Socket;
  readonly #waiting: (() => Promise<void>)[] = [];
  #isBusy = false;
  #hasEnded = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    // Node reads on when it is done with a request.
    socket.on('resume', () => {
      if (this.#isFull) socket.pause();
    });
  }

  /** @param answer - resolves when the answer was handed to the socket. */
  add(answer: () => Promise<void>): void {
    if (this.#hasEnded) return;
    this.#waiting.push(answer);
    if (this.#isFull) this.#socket.pause();
    if (!this.#isBusy) this.#run().catch(() => this.#socket.destroy());
  }

  /** Carries out no further request: its client was told that the connection ends. */
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
      const settle = () => {
        this.#socket.off('drain', settle).off('close', settle);
        resolve();
      };
      this.#socket.on('drain', settle).on('close', settle);
    });
  }
}
