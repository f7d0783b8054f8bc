/**
 * The calls to the storage that have not ended, and those that will never end.
 *
 * A Cloudflare Worker ends all I/O of a request when the request is answered. If several requests
 * share an account, such a call of the account gets lost: it neither resolves nor rejects, and the
 * other requests wait for it.
 *
 * @module
 */

import type { ErrorCode } from '../base/error-codes.js';
import { TableError } from '../base/errors.js';

// No storage takes so long.
const PATIENCE_MS = 10_000;

const LOST_CALL = 'A call to the storage has not ended for ten seconds.';
const LOST_CALL_HELP =
  'A Worker ends it with the request that made it: keep the account in a Durable Object, or open and ' +
  'close it within each request.';

/** The error of a request that waits for a call that is lost. */
export function callLost(code: ErrorCode): TableError {
  return new TableError(code, LOST_CALL, { sentence: LOST_CALL_HELP });
}

/** Counts calls, and finds lost calls on platforms that lose them. */
export class StorageCalls {
  #open = 0;
  #ended = 0;
  #isLost = false;

  /** Whether no call is left that may still end. */
  get areOver(): boolean {
    return this.#open === 0 || this.#isLost;
  }

  begin(): void {
    this.#open++;
  }

  end(): void {
    this.#open--;
    this.#ended++;
  }

  /**
   * Calls back if calls are lost.
   *
   * @returns a function that stops the watch; undefined on platforms where calls always end.
   */
  watch(onLost: () => void): (() => void) | undefined {
    if (globalThis.navigator?.userAgent !== 'Cloudflare-Workers') return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const check = () => {
      const ended = this.#ended;
      timer = setTimeout(() => {
        this.#isLost = this.#open > 0 && this.#ended === ended;
        if (this.#isLost) onLost();
        else check();
      }, PATIENCE_MS);
    };
    check();
    return () => clearTimeout(timer);
  }
}
