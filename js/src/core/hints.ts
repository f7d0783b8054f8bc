/**
 * Hints between the accounts of one storage, in this page and in others: an account has committed.
 * Hints may get lost; the log has the commits.
 *
 * @module
 */

import type { PageStorage } from '../storage/page-storage.js';

// Only the channels of Deno's Node module have `unref`. Both modules have the same channels.
function denoChannels(): typeof BroadcastChannel | undefined {
  const { Deno, process } = globalThis as {
    Deno?: unknown;
    process?: {
      getBuiltinModule?(name: string): { BroadcastChannel: typeof BroadcastChannel } | undefined;
    };
  };
  return Deno ? process?.getBuiltinModule?.('node:worker_threads')?.BroadcastChannel : undefined;
}

// Where the app may store nothing, Firefox makes no channel either. The storage reports that.
function channelNamed(name: string): BroadcastChannel | undefined {
  try {
    return new (denoChannels() ?? BroadcastChannel)(name);
  } catch {
    return undefined;
  }
}

// One hint is for all commits of the next 20 ms. To post a hint takes a quarter of the time of
// a small commit, and every other page receives it.
const HINT_MS = 20;

let commits = 0;

/** The number of commits in this thread so far. Their hints may not have arrived yet. */
export const commitsHere = (): number => commits;

/** One account's end of the channel, which is open from the first use on. */
export class Hints {
  readonly #storage: PageStorage;
  readonly #listeners = new Set<() => void>();
  #channel: BroadcastChannel | undefined;
  #sentAt = -HINT_MS;

  // Set while a hint for several commits is due.
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(storage: PageStorage) {
    this.#storage = storage;
  }

  /**
   * Calls a listener when another account has committed, or may have.
   *
   * @returns a function that stops that.
   */
  on(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Posts that this account has committed: at once, or as soon as the last hint is old enough. */
  send(): void {
    commits++;
    const channel = this.open();
    if (!channel || this.#timer) return;
    const left = this.#sentAt + HINT_MS - performance.now();
    if (left > 0) this.#timer = setTimeout(this.#post, left);
    else this.#post();
  }

  // The getter of an adapter may throw. A commit must not fail for that: without hints, other
  // accounts find it a few seconds later.
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
    try {
      this.#channel?.postMessage(0);
    } catch {
      // Deno 2.9 sometimes closes the channel shortly before the program ends.
    }
  };

  readonly #hear = (): void => {
    for (const listener of this.#listeners) listener();
  };

  /** Hears hints from now on. Returns undefined where there are none. */
  open(): BroadcastChannel | undefined {
    // A storage may know its name only after its first use.
    const channel = this.#channel ? undefined : this.#name;
    if (channel && typeof BroadcastChannel !== 'undefined') {
      this.#channel = channelNamed(channel);
      if (!this.#channel) return undefined;
      this.#channel.onmessage = this.#hear;
      // Node would not end while it is open.
      (this.#channel as { unref?: () => void }).unref?.();
      globalThis.addEventListener?.('pagehide', this.#hide);
    }
    return this.#channel;
  }

  // Browsers keep a page for the Back button only if it has no open channel.
  readonly #hide = (): void => {
    this.close();
    globalThis.addEventListener('pageshow', this.#show);
  };

  // Hints of what was committed meanwhile are lost.
  readonly #show = (): void => {
    globalThis.removeEventListener('pageshow', this.#show);
    this.open();
    this.#hear();
  };

  close(): void {
    if (this.#timer) {
      clearTimeout(this.#timer);
      this.#post();
    }
    globalThis.removeEventListener?.('pagehide', this.#hide);
    globalThis.removeEventListener?.('pageshow', this.#show);
    this.#channel?.close();
    this.#channel = undefined;
  }
}
