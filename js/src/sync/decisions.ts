/**
 * The decisions on conflicts that functions of the app are making.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { stopped } from './failures.js';

/** The decisions that the app has not made yet. */
export class Decisions {
  readonly #open = new Set<() => void>();

  /**
   * Asks the app.
   *
   * @throws an `AbortError`, after `abandon()`; what `decide` throws.
   */
  async make<T>(decide: () => T | Promise<T>): Promise<T> {
    let abandon!: () => void;
    const end = new Promise<never>((_, reject) => (abandon = () => reject(stopped())));
    this.#open.add(abandon);
    try {
      return await Promise.race([end, decide()]);
    } finally {
      this.#open.delete(abandon);
    }
  }

  /** Stops waiting for all of them. */
  abandon(): void {
    for (const abandon of this.#open) abandon();
  }

  /**
   * Checks that none is open. Otherwise the function of the app may be the caller. It would wait
   * for the round, and the round would wait for it.
   *
   * @throws {@link TableError} `InvalidInput`.
   */
  checkNone(method: string): void {
    if (this.#open.size === 0) return;
    throw invalidInput(`${method}() cannot wait for a round that waits for the option conflict.`);
  }
}

/** The conflicts that the app has not decided in this round, by names. */
export class Undecided {
  readonly #names = new Set<string>();

  has(name: string): boolean {
    return this.#names.has(name);
  }

  add(name: string): void {
    this.#names.add(name);
  }

  clear(): void {
    this.#names.clear();
  }
}
