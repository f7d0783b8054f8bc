/**
 * Hints between the accounts of one storage, in this page and in others: something was committed.
 * They may get lost; the log is the truth.
 *
 * @module
 */

import type { PageStorage } from '../storage/page-storage.js';

// Deno has `unref` only where Node's programs look for channels; they are the same ones.
function denoChannels(): typeof BroadcastChannel | undefined {
  const { Deno, process } = globalThis as {
    Deno?: unknown;
    process?: {
      getBuiltinModule?(name: string): { BroadcastChannel: typeof BroadcastChannel } | undefined;
    };
  };
  return Deno ? process?.getBuiltinModule?.('node:worker_threads')?.BroadcastChannel : undefined;
}

// One hint stands for all that is committed for so long after it. To post one takes a quarter as
// long as a small commit, and every other page has to hear it.
const HINT_MS = 20;

/** One account's end of the channel, which is open from the first use on. */
export class Hints {
  readonly #storage: PageStorage;
  #channel: BroadcastChannel | undefined;
  #sentAt = -HINT_MS;

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

  // An adapter may throw at the question. A commit must not fail for it: what no hint tells is found
  // a few seconds later.
  get #name(): string | undefined {
    try {
      const { channel } = this.#storage;
      return typeof channel === 'string' ? channel : undefined;
    } catch {
      return undefined;
    }
  }

  readonly #post = (): void => {
    this.#timer = undefined;
    this.#sentAt = performance.now();
    this.#channel?.postMessage(0);
  };

  /** @internal */
  open(): BroadcastChannel | undefined {
    // A storage may know its name only after its first use.
    const channel = this.#channel ? undefined : this.#name;
    if (channel && typeof BroadcastChannel !== 'undefined') {
      this.#channel = new (denoChannels() ?? BroadcastChannel)(channel);
      this.#channel.onmessage = () => this.heard?.();
      // Node would not end as long as it is open.
      (this.#channel as { unref?: () => void }).unref?.();
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
    globalThis.removeEventListener?.('pagehide', this.close);
    this.#channel?.close();
    this.#channel = undefined;
  };
}
