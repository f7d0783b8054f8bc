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
  readonly #values = new Map<StorageKey, Uint8Array>();
  // No record has a lower or a higher number, so a reader need not look further.
  #firstRecord = 1;
  #lastRecord = 0;

  // By default after the last one: none.
  async read({ keys, recordsAfter = this.#lastRecord }: ReadRequest): Promise<Snapshot> {
    const records: [number, Uint8Array][] = [];
    const first = Math.max(recordsAfter + 1, this.#firstRecord);
    for (let number = first; number <= this.#lastRecord; number++) {
      const value = this.#values.get(`log/${number}`);
      if (value) records.push([number, value.slice()]);
    }
    return { values: keys.map((key) => this.#values.get(key)?.slice()), records };
  }

  async commit({ expect, puts, deletes }: Batch): Promise<CommitResult> {
    if (!expect.every(([key, value]) => sameBytes(this.#values.get(key), value))) {
      return { outcome: 'moved' };
    }
    for (const key of deletes) this.#values.delete(key);
    for (const [key, value] of puts) {
      this.#values.set(key, value.slice());
      const record = /^log\/(\d+)$/.exec(key);
      if (record) this.#lastRecord = Math.max(this.#lastRecord, Number(record[1]));
    }
    while (this.#firstRecord <= this.#lastRecord && !this.#values.has(`log/${this.#firstRecord}`)) {
      this.#firstRecord++;
    }
    return { outcome: 'ok' };
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#values.clear();
    this.#firstRecord = 1;
    this.#lastRecord = 0;
  }
}
