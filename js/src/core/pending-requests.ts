/**
 * Requests that the core has and has not answered.
 *
 * @module
 */

/** Who waits for the answer to a request. */
export interface PendingRequest {
  /** Takes the frame of the answer, and keeps nothing of it. */
  resolve(frame: Uint8Array): void;
  reject(reason: unknown): void;
  /** Stops to listen for an abort, and to watch the storage. */
  release(): void;
  /** About how much memory it takes in the core. */
  readonly bytes: number;
  /** Of a write: how many commits had been begun when the core got it. */
  readonly commitsBefore: number | undefined;
}

// Emptied when it is answered. A Map leaves behind tables that it has outgrown, with what was in
// them; once those are old, all of it, with the whole of a request, waits for a full collection.
interface Slot {
  pending: PendingRequest | undefined;
}

/** Requests by the ids that the core gave them. */
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

  /** Removes a request, which no longer listens for anything; undefined, if there is none. */
  take(id: number): PendingRequest | undefined {
    const slot = this.#slots.get(id);
    const pending = slot?.pending;
    if (!pending) return undefined;
    slot.pending = undefined;
    this.#slots.delete(id);
    pending.release();
    this.#bytes -= pending.bytes;
    return pending;
  }
}
