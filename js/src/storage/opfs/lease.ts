/**
 * A lock that a tab keeps for a short while after its use, because to get it takes longer than a
 * commit. Another tab asks for it, and gets it at once.
 *
 * @module
 */

import { TableError } from '../../base/errors.js';
import { inNextTurn } from '../../base/next-turn.js';
import type { Release } from '../file/access.js';

// How long an unused lock is kept.
const KEPT_MS = 50;

// How long a call waits for a tab that is frozen or busy.
const PATIENCE_MS = 10_000;

// After that, files that the browser has removed are noticed.
const MAX_KEPT_MS = 1_000;

// A message may come while the other tab is about to wait, too.
const ASK_AGAIN_MS = 100;

// Messages of other tabs come in tasks of their own, which calls in a row would never let in.
const TURN_MS = 10;

/**
 * The cause of a `StorageUnavailable`: another tab, which is frozen or busy, has kept the files of
 * an `opfsStorage` for ten seconds. Nothing was stored, and the call can be made again.
 */
export class StoreHeld extends Error {
  override readonly name = 'StoreHeld';
}

/** What happens when the lock comes and goes. */
export interface LeaseSetting {
  /** The name of the lock, which all tabs share. */
  readonly name: string;

  /** Called when the lock is there. If it rejects, the lock is given back. */
  readonly onAcquired: () => Promise<void>;

  /** Called before the lock is given back. */
  readonly onRelease: () => void;
}

export class Lease {
  readonly #setting: LeaseSetting;
  #asks: BroadcastChannel | undefined;

  /** How often the lock was acquired. */
  turn = 0;

  // Set while this tab has the lock.
  #giveBack: (() => void) | undefined;
  #acquiring: Promise<void> | undefined;

  // Calls that have the lock or wait for it to come.
  #users = 0;
  #isWanted = false;
  #onReleased: (() => void)[] = [];
  #acquiredAt = 0;
  #usedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turnedAt = 0;

  constructor(setting: LeaseSetting) {
    this.#setting = setting;
  }

  get isHeld(): boolean {
    return this.#giveBack !== undefined && this.#acquiring === undefined;
  }

  /**
   * @param joins - whether this call goes on with the lock although another tab waits for it.
   * @throws {@link TableError} `StorageUnavailable` with a {@link StoreHeld}
   */
  async hold(joins = false): Promise<Release> {
    if (performance.now() > this.#turnedAt + TURN_MS) {
      await new Promise<void>((resolve) => inNextTurn(resolve));
      this.#turnedAt = performance.now();
    }
    if (this.isHeld && performance.now() > this.#acquiredAt + MAX_KEPT_MS) this.#offer();
    while (this.isHeld && this.#isWanted && !joins) await this.#untilReleased();
    this.#users++;
    try {
      if (!this.isHeld) await (this.#acquiring ??= this.#acquire());
    } catch (cause) {
      this.#users--;
      throw cause;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#end();
    };
  }

  /** Waits for the calls that have the lock, and gives it back. */
  async close(): Promise<void> {
    this.#isWanted = true;
    if (this.#users > 0) await this.#untilReleased();
    this.#release();
    this.#asks?.close();
    this.#asks = undefined;
  }

  async #acquire(): Promise<void> {
    try {
      this.#listen();
      if (!(await this.#request({ ifAvailable: true }))) await this.#requestFromOthers();
      await this.#setting.onAcquired();
      this.#acquiredAt = performance.now();
      this.turn++;
    } catch (cause) {
      this.#giveBackLock();
      throw cause;
    } finally {
      this.#acquiring = undefined;
    }
  }

  async #requestFromOthers(): Promise<void> {
    const ask = () => this.#asks?.postMessage('ask');
    ask();
    const asking = setInterval(ask, ASK_AGAIN_MS);
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(), PATIENCE_MS);
    try {
      await this.#request({ signal: patience.signal });
    } catch (cause) {
      if (!patience.signal.aborted) throw cause;
      const held = new StoreHeld(
        `Another tab has kept the files for ${PATIENCE_MS / 1000} seconds: it is frozen or busy.`,
      );
      const sentence = 'Nothing was stored. Try again when that tab is closed or active.';
      throw new TableError('StorageUnavailable', held.message, { sentence, cause: held });
    } finally {
      clearInterval(asking);
      clearTimeout(timer);
    }
  }

  // Resolves to false, if the lock is not available.
  #request(options: LockOptions): Promise<boolean> {
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(this.#setting.name, options, (lock) => {
          resolve(lock !== null);
          return lock ? new Promise<void>((giveBack) => (this.#giveBack = giveBack)) : undefined;
        })
        .catch(reject);
    });
  }

  #listen(): void {
    if (this.#asks) return;
    this.#asks = new BroadcastChannel(this.#setting.name);
    this.#asks.onmessage = () => this.#offer();
  }

  // Gives the lock back as soon as the calls that have it are over.
  #offer(): void {
    this.#isWanted = this.isHeld || this.#acquiring !== undefined;
    if (this.isHeld && this.#users === 0) this.#release();
  }

  #end(): void {
    this.#usedAt = performance.now();
    if (--this.#users > 0) return;
    if (this.#isWanted) this.#release();
    else this.#timer ??= setTimeout(() => this.#releaseIfUnused(), KEPT_MS);
  }

  #releaseIfUnused(): void {
    this.#timer = undefined;
    if (this.#users > 0 || !this.isHeld) return;
    const left = this.#usedAt + KEPT_MS - performance.now();
    if (left > 1) this.#timer = setTimeout(() => this.#releaseIfUnused(), left);
    else this.#release();
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.isHeld) this.#setting.onRelease();
    this.#giveBackLock();
  }

  #giveBackLock(): void {
    this.#giveBack?.();
    this.#giveBack = undefined;
    this.#isWanted = false;
    for (const resolve of this.#onReleased.splice(0)) resolve();
  }

  #untilReleased(): Promise<void> {
    return new Promise((resolve) => this.#onReleased.push(resolve));
  }
}
