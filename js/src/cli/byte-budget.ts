/**
 * A number of bytes that requests share: who finds too few left waits for its turn.
 *
 * @module
 */

/** A part of a budget, held until it is released. */
export interface Share {
  /** Is so large from now on, even where that is more than there is. */
  resize(bytes: number): void;
  /** Gives all of it back. May be called again. */
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
   * Takes a share. One that is larger than the whole budget is had when nobody else has any; one
   * of no bytes is had at once.
   *
   * @param withinMs - how long it may take.
   * @returns undefined, if it took longer.
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
