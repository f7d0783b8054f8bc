// received.ts - the calls that a listener received, and a way to wait for the next.

/** Collects; `listener` is what to subscribe. */
export class Received<T> {
  readonly all: T[] = [];
  #wake = () => {};

  readonly listener = (one: T): void => {
    this.all.push(one);
    this.#wake();
  };

  /** Waits for the first one that fits, of those that come later than what was taken before. */
  async next(fits: (one: T) => boolean = () => true): Promise<T> {
    for (;;) {
      const at = this.all.findIndex(fits);
      const found = this.all[at];
      this.all.splice(0, at < 0 ? this.all.length : at + 1);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}
