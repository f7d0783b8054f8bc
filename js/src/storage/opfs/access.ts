/**
 * The access of this worker to the files of a store that other tabs use, too.
 *
 * @module
 */

import type { Access, Release } from '../file/access.js';
import type { OpfsFileSystem } from './file-system.js';
import { Lease } from './lease.js';

export class OpfsAccess implements Access {
  readonly isShared = true;
  readonly #fileSystem: OpfsFileSystem;
  readonly #lease: Lease;
  readonly #lockName: string;
  readonly #writer: string;

  // Gives back the lock that shows others that this writer lives.
  #die: (() => void) | undefined;

  /**
   * @param lockName - all tabs that use the store have the same name.
   * @param writer - the end of the names of the files that only this worker writes.
   */
  constructor(fileSystem: OpfsFileSystem, lockName: string, writer: string) {
    this.#fileSystem = fileSystem;
    this.#lockName = lockName;
    this.#writer = writer;
    this.#lease = new Lease({
      name: lockName,
      onAcquired: () => this.#resume(),
      onRelease: () => fileSystem.pause(),
    });
  }

  get readsWithoutHold(): boolean {
    return this.#fileSystem.keepsFilesOpen;
  }

  get isHeld(): boolean {
    return this.#lease.isHeld;
  }

  get turn(): number {
    return this.#lease.turn;
  }

  hold({ joins = false } = {}): Promise<Release> {
    return this.#lease.hold(joins);
  }

  async isRewriting(name: string): Promise<boolean> {
    const writer = name.slice(name.indexOf('-') + 1);
    const { held = [] } = await navigator.locks.query();
    return held.some((lock) => lock.name === this.#lockName + writer);
  }

  async close(): Promise<void> {
    await this.#lease.close();
    this.#fileSystem.close();
    this.#die?.();
    this.#die = undefined;
  }

  async #resume(): Promise<void> {
    if (!this.#die) await this.#live();
    try {
      await this.#fileSystem.resume();
    } catch (cause) {
      this.#fileSystem.pause();
      throw cause;
    }
  }

  #live(): Promise<void> {
    return new Promise((resolve, reject) => {
      navigator.locks
        .request(
          this.#lockName + this.#writer,
          () => new Promise<void>((die) => ((this.#die = die), resolve())),
        )
        .catch(reject);
    });
  }
}
