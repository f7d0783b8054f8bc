/**
 * Iterates over the results of a query that stays up to date.
 *
 * @module
 */

import { isTableError, remade } from '../base/errors.js';
import type { TableEntityResult } from '../entity/models.js';
import type { LiveObserver, Unsubscribe } from './models.js';

/** How it ended: with an error, if there is one. */
export type End = readonly unknown[];

type Result<T extends object> = readonly TableEntityResult<T>[];

/** The live result. */
interface Live<T extends object> {
  readonly subscribe: (observer: LiveObserver<T>) => Unsubscribe;
}

/** Subscribes with the first `next()`. */
export class LiveIterator<T extends object> implements AsyncIterableIterator<Result<T>> {
  readonly #live: Live<T>;
  #unsubscribe: Unsubscribe | undefined;
  #latest: Result<T> | undefined;
  #end: End | undefined;
  #waiting: (() => void)[] = [];

  constructor(live: Live<T>) {
    this.#live = live;
  }

  async next(): Promise<IteratorResult<Result<T>, undefined>> {
    this.#unsubscribe ??= this.#live.subscribe({
      next: (entities) => {
        this.#latest = entities;
        this.#wake();
      },
      error: (error) => this.#finish([error]),
      complete: () => this.#finish([]),
    });
    while (!this.#latest && !this.#end) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    const value = this.#latest;
    if (value) {
      this.#latest = undefined;
      return { done: false, value };
    }
    const end = this.#end!;
    this.#end = [];
    // A new error, so that its stack has the loop.
    if (end.length) throw isTableError(end[0]) ? remade(end[0]) : end[0];
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Result<T>, undefined>> {
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
