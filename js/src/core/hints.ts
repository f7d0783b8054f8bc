/**
 * Hints between the accounts of one storage, in this page and in others: something was committed.
 * They may get lost; the log is the truth.
 *
 * @module
 */

import type { PageStorage } from '../storage/page-storage.js';

// One hint stands for all that is committed for so long after it. To post one takes a quarter as
// long as a small commit, and every other page has to hear it.
const HINT_MS = 20;

/** One account's end of the channel, which is open from the first use on. */
export class Hints {
  readonly #storage: PageStorage;
  #channel: BroadcastChannel | undefined;
  #sentAt = -HINT_MS;

  // Then the channel is open only while it is used.
  #keepsProcess = false;

  // Set while one is due that stands for several.
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Is called when another account has committed something. */
  heard: (() => void) | undefined;

  constructor(storage: PageStorage) {
    this.#storage = storage;
  }

  /** Says that something was committed: at once, or as soon as the last hint is old enough. */
  send(): void {
    const channel = this.open();
    if (!channel || this.#timer) return;
    const left = this.#sentAt + HINT_MS - performance.now();
    if (left > 0) this.#timer = setTimeout(this.#post, left);
    else this.#post();
  }

  readonly #post = (): void => {
    this.#timer = undefined;
    this.#sentAt = performance.now();
    this.#channel?.postMessage(0);
    if (this.#keepsProcess && !this.heard) this.#forget();
  };

  /** @internal */
  open(): BroadcastChannel | undefined {
    // A storage may know its name only after its first use.
    const { channel } = this.#storage;
    if (!this.#channel && channel && typeof BroadcastChannel !== 'undefined') {
      this.#channel = new BroadcastChannel(channel);
      this.#channel.onmessage = () => this.heard?.();
      // Node would not end as long as it is open; Deno has no such method, and would not either.
      (this.#channel as { unref?: () => void }).unref?.();
      this.#keepsProcess = 'Deno' in globalThis;
      // Only a page without one is kept for the way back; the next use opens it again.
      globalThis.addEventListener?.('pagehide', this.close);
    }
    return this.#channel;
  }

  readonly close = (): void => {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#post();
    }
    this.#forget();
  };

  #forget(): void {
    globalThis.removeEventListener?.('pagehide', this.close);
    this.#channel?.close();
    this.#channel = undefined;
  }
}
