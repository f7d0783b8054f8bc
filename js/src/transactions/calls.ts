/**
 * The calls that a function makes within a transaction. One that it forgets to await must not fail
 * in silence, and leave the others to be stored.
 *
 * @module
 */

import { hasMethod } from '../base/kinds.js';

/** A promise that knows whether anybody has asked for its result. */
class Call<T> extends Promise<T> {
  isAwaited = false;

  static override get [Symbol.species]() {
    return Promise;
  }

  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true;
    return super.then(fulfilled, rejected);
  }

  /** Resolves when it has ended; rejects if it has failed, and nobody has asked. */
  end(): Promise<void> {
    return super.then(
      () => undefined,
      (reason: unknown) => {
        if (!this.isAwaited) throw reason;
      },
    );
  }
}

/** The calls of one run of the function. */
export class Calls {
  readonly #calls = new Set<Call<unknown>>();

  /** The object, whose calls are waited for by `end()`. */
  of<T extends object>(target: T): T {
    return new Proxy(target, {
      get: (_, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...given: unknown[]) => {
          const result: unknown = Reflect.apply(member, target, given);
          return hasMethod(result, 'then') ? this.#add(result as Promise<unknown>) : result;
        };
      },
    });
  }

  /**
   * Waits for all calls.
   *
   * @throws what the first one has failed with that was not awaited.
   */
  async end(): Promise<void> {
    // A call may have led to further ones.
    for (const call of this.#calls) await call.end();
  }

  #add<T>(result: Promise<T>): Call<T> {
    const call = new Call<T>((resolve, reject) => {
      result.then(resolve, reject);
    });
    this.#calls.add(call);
    // It is reported by `end()`, and not as an unhandled rejection.
    call.end().catch(() => undefined);
    return call;
  }
}
