/**
 * Hints between the accounts of one storage, in this page and in others: something was committed.
 * They may get lost; the log is the truth.
 *
 * @module
 */

import type { PageStorage } from '../storage/page-storage.js';

/** One account's end of the channel, which is open from the first use on. */
export class Hints {
  readonly #storage: PageStorage;
  #channel: BroadcastChannel | undefined;

  /** Is called when another account has committed something. */
  heard: (() => void) | undefined;

  constructor(storage: PageStorage) {
    this.#storage = storage;
  }

  send(): void {
    this.open()?.postMessage(0);
  }

  open(): BroadcastChannel | undefined {
    // A storage may know its name only after its first use.
    const { channel } = this.#storage;
    if (!this.#channel && channel && typeof BroadcastChannel !== 'undefined') {
      this.#channel = new BroadcastChannel(channel);
      this.#channel.onmessage = () => this.heard?.();
      // Node would not end as long as it is open.
      (this.#channel as { unref?: () => void }).unref?.();
      // Only a page without one is kept for the way back; the next use opens it again.
      globalThis.addEventListener?.('pagehide', this.close);
    }
    return this.#channel;
  }

  readonly close = (): void => {
    globalThis.removeEventListener?.('pagehide', this.close);
    this.#channel?.close();
    this.#channel = undefined;
  };
}
