/**
 * Lets the browser paint and handle input between two pieces of work.
 *
 * @module
 */

// Longer work would delay the answer to a key stroke noticeably.
const SLICE_MS = 8;

/**
 * Resolves in a new task. To await the service is not enough: it answers from its cache in the same
 * task. A timer would wait 4 ms, a message does not.
 */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/** Lets concurrent work proceed in turns, and gives the browser a turn between them. */
export class Pace {
  #lastTurn = Promise.resolve();
  #sliceStart = performance.now();

  /** Resolves when the caller may work for some milliseconds. */
  turn(): Promise<void> {
    this.#lastTurn = this.#lastTurn.then(async () => {
      if (performance.now() - this.#sliceStart < SLICE_MS) return;
      await nextTask();
      this.#sliceStart = performance.now();
    });
    return this.#lastTurn;
  }
}
