/**
 * Iterates over the results of a query that stays up to date.
 *
 * @module
 */

import { isTableError, remade } from '../base/errors.js';
import type { LiveObserver, Unsubscribe } from './models.js';

/** The end of a live result: empty, or one error. */
export type End = readonly unknown[];

/** The live result. */
interface Subscribed<Value> {
  readonly subscribe: (observer: LiveObserver<Value>) => Unsubscribe;
}

/** Iterates over results. It subscribes with the first `next()`. */
export class LiveIterator<Value> implements AsyncIterableIterator<Value> {
  readonly #live: Subscribed<Value>;
  #unsubscribe: Unsubscribe | undefined;
  // In an object, because a count may be 0.
  #latest: { readonly value: Value } | undefined;
  #end: End | undefined;
  #waiting: (() => void)[] = [];

  constructor(live: Subscribed<Value>) {
    this.#live = live;
  }

  async next(): Promise<IteratorResult<Value, undefined>> {
    this.#unsubscribe ??= this.#live.subscribe({
      next: (value) => {
        this.#latest = { value };
        this.#wake();
      },
      error: (error) => this.#finish([error]),
      complete: () => this.#finish([]),
    });
    while (!this.#latest && !this.#end) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const latest = this.#latest;
    if (latest) {
      this.#latest = undefined;
      return { done: false, value: latest.value };
    }
    const end = this.#end!;
    this.#end = [];
    // A new error, so that its stack has the loop.
    if (end.length) throw isTableError(end[0]) ? remade(end[0]) : end[0];
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Value, undefined>> {
    this.#unsubscribe?.();
    this.#latest = undefined;
    this.#finish([]);
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #finish(end: End): void {
    this.#end ??= end;
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting = [];
  }
}
