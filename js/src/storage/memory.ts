/**
 * A store that lives as long as the object: for tests, servers and previews.
 *
 * @module
 */

import { sameBytes } from './bytes.js';
import type {
  Batch,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from './page-storage.js';

/**
 * Returns a new, empty store. Every account opened on it shares it, so what one
 * wrote is there when another opens. Never throws.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: memoryStorage() });
 * ```
 */
export function memoryStorage(): PageStorage {
  return new MemoryStorage();
}

class MemoryStorage implements PageStorage {
  // Nobody else's, in other pages either.
  readonly channel = `entitable:memory:${Math.random()}`;
  readonly #values = new Map<StorageKey, Uint8Array>();

  // Of the records, ascending.  A log is written at its end and deleted at its start.
  #numbers: number[] = [];

  async read({ keys, recordsAfter = Infinity }: ReadRequest): Promise<Snapshot> {
    const first = this.#numbers.findLastIndex((number) => number <= recordsAfter) + 1;
    return {
      values: keys.map((key) => this.#values.get(key)?.slice()),
      records: this.#numbers
        .slice(first)
        .map((number) => [number, this.#values.get(`log/${number}`)!.slice()]),
    };
  }

  async commit({ expect, puts, deletes }: Batch): Promise<CommitResult> {
    if (!expect.every(([key, value]) => sameBytes(this.#values.get(key), value))) {
      return { outcome: 'moved' };
    }
    const isNumbered = (key: StorageKey) => /^log\/\d/.test(key);
    for (const key of deletes) this.#values.delete(key);
    if (deletes.some(isNumbered)) {
      this.#numbers = this.#numbers.filter((number) => this.#values.has(`log/${number}`));
    }
    for (const [key, value] of puts) {
      if (isNumbered(key) && !this.#values.has(key)) this.#insert(Number(key.slice(4)));
      this.#values.set(key, value.slice());
    }
    return { outcome: 'ok' };
  }

  #insert(number: number): void {
    const rank = this.#numbers.findLastIndex((other) => other < number) + 1;
    this.#numbers.splice(rank, 0, number);
  }

  async list(): Promise<StorageKey[]> {
    return [...this.#values.keys()];
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#values.clear();
    this.#numbers = [];
  }
}
