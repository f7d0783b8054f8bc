// tab-access.ts - the lock that tabs share, as a test sees it: who waits for it, and who dies.

import type { Access, Release } from '../../../../js/src/storage/file/access.js';

export class TabLock {
  #waiting: (() => void)[] = [];
  #isTaken = false;
  #onWait: (() => void) | undefined;

  /** Resolves when a tab waits for another one. */
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
    this.#isTaken = false;
    this.#waiting.shift()?.();
  }
}

/** The access of one tab, which has the lock only while it needs it. */
export class TabAccess implements Access {
  readonly isShared = true;
  readonly readsWithoutHold = true;
  turn = 0;
  readonly #lock: TabLock;
  #users = 0;
  #taking: Promise<void> | undefined;

  constructor(lock: TabLock) {
    this.#lock = lock;
  }

  get isHeld(): boolean {
    return this.#users > 0;
  }

  async hold(): Promise<Release> {
    this.#users++;
    await (this.#taking ??= this.#lock.take().then(() => void this.turn++));
    return () => {
      if (--this.#users > 0) return;
      this.#taking = undefined;
      this.#lock.free();
    };
  }

  async isRewriting(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {}
}
