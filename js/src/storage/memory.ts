/**
 * A store that lives as long as its object: for tests, servers and previews.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { sameBytes } from './bytes.js';
import type { DescribedStorage, StorageDescription } from './description.js';
import type {
  Batch,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from './page-storage.js';

/** Options of {@link memoryStorage}. */
export interface MemoryStorageOptions {
  /**
   * The most bytes of values. Beyond that, writes fail with `StorageQuotaExceeded`, and deletions
   * still work. By default only the memory is the limit.
   */
  readonly maxBytes?: number | undefined;
}

// Reserved for batches that make room: a deletion needs room before it makes any.
const RESERVE_BYTES = 2 * 2 ** 20;

// About how many bytes a value takes beside its own.
const VALUE_OVERHEAD = 200;

/**
 * Returns a new, empty store. All accounts that are opened on it share it. If the first of them is
 * opened in a worker, the store is in the memory of that worker, and ends with it.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: memoryStorage() });
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown, or is not a number of bytes.
 */
export function memoryStorage(options?: MemoryStorageOptions): PageStorage {
  const { maxBytes } = checkedOptions('memoryStorage', options, { maxBytes: 'bytes' });
  return new MemoryStorage(maxBytes);
}

class MemoryStorage implements DescribedStorage {
  // No other store has this name, not in other pages either.
  readonly channel = `entitable:memory:${Math.random()}`;
  readonly #values = new Map<StorageKey, Uint8Array>();
  readonly #maxBytes: number;
  #bytes = 0;

  // The worker that has the values, if this object has none.
  #worker: object | undefined;

  // The numbers of the log records, ascending. A log grows at its end and is deleted from its
  // start.
  #numbers: number[] = [];

  constructor(maxBytes = Infinity) {
    this.#maxBytes = maxBytes;
  }

  async read({ keys, recordsAfter = Infinity }: ReadRequest): Promise<Snapshot> {
    if (this.#worker) throw inWorker();
    const first = this.#numbers.findLastIndex((number) => number <= recordsAfter) + 1;
    return {
      values: keys.map((key) => this.#values.get(key)?.slice()),
      records: this.#numbers
        .slice(first)
        .map((number) => [number, this.#values.get(`log/${number}`)!.slice()]),
    };
  }

  async commit(batch: Batch): Promise<CommitResult> {
    const { expect, puts, deletes } = batch;
    if (this.#worker) return { outcome: 'refused', cause: inWorker() };
    if (!expect.every(([key, value]) => sameBytes(this.#values.get(key), value))) {
      return { outcome: 'moved' };
    }
    const bytes = this.#bytesAfter(batch);
    const isTooMuch = bytes > this.#maxBytes + (batch.frees ? RESERVE_BYTES : 0);
    if (isTooMuch && bytes > this.#bytes) {
      return { outcome: 'quota', room: { usage: this.#bytes, quota: this.#maxBytes } };
    }
    let copies: Batch['puts'];
    try {
      copies = copiesOf(puts);
    } catch (cause) {
      // The process has no memory for them.
      return { outcome: 'quota', cause };
    }
    this.#store(copies, deletes);
    this.#bytes = bytes;
    return { outcome: 'ok' };
  }

  #store(puts: Batch['puts'], deletes: Batch['deletes']): void {
    const isNumbered = (key: StorageKey) => /^log\/\d/.test(key);
    for (const key of deletes) this.#values.delete(key);
    if (deletes.some(isNumbered)) {
      this.#numbers = this.#numbers.filter((number) => this.#values.has(`log/${number}`));
    }
    for (const [key, value] of puts) {
      if (isNumbered(key) && !this.#values.has(key)) this.#insert(Number(key.slice(4)));
      this.#values.set(key, value);
    }
  }

  #bytesAfter({ puts, deletes }: Batch): number {
    const after = new Map<StorageKey, Uint8Array | undefined>();
    for (const key of deletes) after.set(key, undefined);
    for (const [key, value] of puts) after.set(key, value);
    let bytes = this.#bytes;
    for (const [key, value] of after) bytes += sizeOf(value) - sizeOf(this.#values.get(key));
    return bytes;
  }

  #insert(number: number): void {
    const rank = this.#numbers.findLastIndex((other) => other < number) + 1;
    this.#numbers.splice(rank, 0, number);
  }

  async list(): Promise<StorageKey[]> {
    return [...this.#values.keys()];
  }

  async close(): Promise<void> {}

  describe(worker: object): StorageDescription {
    if (this.#values.size > 0 || (this.#worker ??= worker) !== worker) {
      const place = this.#worker ? 'another worker' : 'this thread';
      throw invalidInput(`The values of this memoryStorage() are in ${place}. Use a new storage.`);
    }
    const options: MemoryStorageOptions = { maxBytes: this.#maxBytes };
    return { factory: 'memoryStorage', args: [options], id: this.channel };
  }

  async destroy(): Promise<void> {
    if (this.#worker) throw inWorker();
    this.#values.clear();
    this.#numbers = [];
    this.#bytes = 0;
  }
}

const copiesOf = (puts: Batch['puts']) => puts.map(([key, value]) => [key, value.slice()] as const);

const inWorker = () => new Error('The store is in the memory of a worker, and ends with it.');

const sizeOf = (value: Uint8Array | undefined) => (value ? VALUE_OVERHEAD + value.length : 0);
