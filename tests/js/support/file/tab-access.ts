// tab-access.ts - a lock that tabs share. A test sees a tab wait, and lets its holder die.

import type { Access, Release } from '../../../../js/src/storage/file/access.js';

export class TabLock {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #onWait: (() => void) | undefined;

  /** Resolves when a tab begins to wait for another one. */
  whenWaiting(): Promise<void> {
    return new Promise((resolve) => (this.#onWait = resolve));
  }

  async take(): Promise<void> {
    if (this.#isTaken) {
      this.#onWait?.();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    this.#isTaken = true;
  }

  /** The tab that has the lock gives it back, or dies. */
  free(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }
}

/** The access of one tab, which has the lock only while it needs it. */
export class TabAccess implements Access {
  readonly isShared = true;
  readonly readsWithoutHold = true;
  isHeld = false;
  turn = 0;
  readonly #lock: TabLock;
  #users = 0;
  #taking: Promise<void> | undefined;

  constructor(lock: TabLock) {
    this.#lock = lock;
  }

  async hold(): Promise<Release> {
    this.#users++;
    await (this.#taking ??= this.#take());
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--this.#users > 0) return;
      this.#taking = undefined;
      this.isHeld = false;
      this.#lock.free();
    };
  }

  async isRewriting(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {}

  async #take(): Promise<void> {
    await this.#lock.take();
    this.isHeld = true;
    this.turn++;
  }
}
