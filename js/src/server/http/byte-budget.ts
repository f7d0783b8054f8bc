/**
 * A number of bytes that requests share. A request waits until enough bytes are free.
 *
 * @module
 */

/** A part of a budget, held until it is released. */
export interface Share {
  /** Changes its size at once, even beyond the budget. */
  resize(bytes: number): void;
  /** Gives all of its bytes back. May be called again. */
  release(): void;
}

interface Waiting {
  readonly bytes: number;
  admit(): void;
}

/** First come, first served. */
export class ByteBudget {
  readonly #bytes: number;
  #taken = 0;
  readonly #waiting = new Set<Waiting>();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /**
   * Takes a share. A share that is larger than the whole budget waits until no other share is left;
   * a share of no bytes never waits.
   *
   * @param withinMs - how long it may wait.
   * @returns undefined, if that took longer.
   */
  take(bytes: number, withinMs: number): Share | Promise<Share | undefined> {
    const isNext = this.#waiting.size === 0 && this.#hasRoomFor(bytes);
    if (isNext || bytes === 0) return this.#share(bytes);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(waiting);
        resolve(undefined);
        this.#admit();
      }, withinMs);
      const admit = () => {
        clearTimeout(timer);
        resolve(this.#share(bytes));
      };
      const waiting = { bytes, admit };
      this.#waiting.add(waiting);
    });
  }

  #hasRoomFor(bytes: number): boolean {
    return this.#taken === 0 || this.#taken + bytes <= this.#bytes;
  }

  #share(bytes: number): Share {
    this.#taken += bytes;
    let held = bytes;
    const resize = (to: number) => {
      this.#taken += to - held;
      held = to;
      this.#admit();
    };
    return { resize, release: () => resize(0) };
  }

  #admit(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoomFor(waiting.bytes)) return;
      this.#waiting.delete(waiting);
      waiting.admit();
    }
  }
}
