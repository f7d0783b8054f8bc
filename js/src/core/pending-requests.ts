/**
 * Requests that the core has not answered yet.
 *
 * @module
 */

/** A request that waits for its answer. */
export interface PendingRequest {
  /** Takes the frame of the answer, and keeps no part of it. */
  resolve(frame: Uint8Array): void;
  reject(reason: unknown): void;
  /** Stops listening for an abort, and watching the storage. */
  release(): void;
  /** About how much memory it takes in the core. */
  readonly bytes: number;
  /** Of a write: how many commits had begun when the core got it. */
  readonly commitsBefore: number | undefined;
}

// Emptied when it is answered. A Map leaves behind tables that it has outgrown, with their
// contents. Once those tables are old, the whole request would wait for a full collection.
interface Slot {
  pending: PendingRequest | undefined;
}

/** Requests, by the ids of the core. */
export class PendingRequests {
  readonly #slots = new Map<number, Slot>();
  #bytes = 0;

  get isEmpty(): boolean {
    return this.#slots.size === 0;
  }

  /** About how much memory all of them take in the core. */
  get bytes(): number {
    return this.#bytes;
  }

  ids(): Iterable<number> {
    return this.#slots.keys();
  }

  add(id: number, pending: PendingRequest): void {
    this.#bytes += pending.bytes;
    this.#slots.set(id, { pending });
  }

  /**
   * Removes a request, which stops listening; undefined, if there is none.
   *
   * @param settle - called before the request stops listening to its signal. Afterwards the signal
   * may call the account, and the frame of the answer is no longer valid.
   */
  take(id: number, settle?: (pending: PendingRequest) => void): PendingRequest | undefined {
    const slot = this.#slots.get(id);
    const pending = slot?.pending;
    if (!pending) return undefined;
    slot.pending = undefined;
    this.#slots.delete(id);
    this.#bytes -= pending.bytes;
    settle?.(pending);
    pending.release();
    return pending;
  }
}
