/**
 * Lets the browser paint and handle input between two pieces of work.
 *
 * @module
 */

// Longer than this, and a key stroke could be felt to wait.
const SLICE_MS = 8;

/**
 * Resolves in a task of its own. Awaiting the service is not enough: what it knows
 * already it answers in the same task. A timer would wait 4 ms, a message does not.
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

/** Gives those who work side by side one turn after another, and the browser its own. */
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
