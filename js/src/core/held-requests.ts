/**
 * Requests that wait, in their order, until the core has room for them.
 *
 * @module
 */

/** A request that the core does not know yet. */
export interface HeldRequest {
  /** Hands it to the core. Never throws. */
  begin(): void;
  reject(reason: unknown): void;
}

/** First in, first out. */
export class HeldRequests {
  // A set keeps the order of insertion, and lets go of any member at once.
  readonly #requests = new Set<HeldRequest>();

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  /** @returns a function that withdraws it. */
  add(request: HeldRequest): () => void {
    this.#requests.add(request);
    return () => void this.#requests.delete(request);
  }

  /** Begins requests for as long as there is room. */
  begin(hasRoom: () => boolean): void {
    for (const request of this.#requests) {
      if (!hasRoom()) return;
      this.#requests.delete(request);
      request.begin();
    }
  }

  /** Rejects all of them. */
  rejectAll(reason: () => unknown): void {
    for (const request of this.#requests) {
      this.#requests.delete(request);
      request.reject(reason());
    }
  }
}
