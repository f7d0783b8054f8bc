/**
 * Requests that wait in a queue until the core has room for them.
 *
 * @module
 */

import { abortError } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';

/** A request that the core does not have yet. */
export interface QueuedRequest {
  /** Hands it to the core. If this throws, the request is rejected with the error. */
  begin(): void;
  reject(reason: unknown): void;
  /** Withdraws it. */
  readonly signal?: AbortSignalLike | undefined;
}

/** First in, first out. */
export class QueuedRequests {
  readonly #hasRoom: () => boolean;

  // Each with a function that stops listening for an abort. A map keeps the order of insertion, and
  // removes any member quickly.
  readonly #requests = new Map<QueuedRequest, () => void>();

  /** @param hasRoom - whether the core has room for one more. */
  constructor(hasRoom: () => boolean) {
    this.#hasRoom = hasRoom;
  }

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  add(request: QueuedRequest): void {
    const { signal } = request;
    const abort = () => {
      this.#remove(request);
      request.reject(abortError(signal));
    };
    // eslint-disable-next-line entitable/abort-listeners -- submit() has read it just before
    signal?.addEventListener('abort', abort);
    this.#requests.set(request, () => signal?.removeEventListener('abort', abort));
  }

  /** Begins requests while there is room. */
  begin(): void {
    for (const request of this.#requests.keys()) {
      if (!this.#hasRoom()) return;
      this.#remove(request);
      try {
        request.begin();
      } catch (error) {
        request.reject(error);
      }
    }
  }

  /** Rejects all of them. */
  rejectAll(reason: () => unknown): void {
    for (const request of this.#requests.keys()) {
      this.#remove(request);
      request.reject(reason());
    }
  }

  #remove(request: QueuedRequest): void {
    this.#requests.get(request)?.();
    this.#requests.delete(request);
  }
}
