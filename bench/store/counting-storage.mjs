// counting-storage.mjs - a storage that counts the bytes of reads and writes, and the stored bytes.

import { memoryStorage } from '../../dist/storage/memory.js';

const LEAF_MAGIC = 'ETLF';

export class CountingStorage {
  #storage = memoryStorage();
  #sizes = new Map();
  #calls = 0;
  writtenBytes = 0;
  storedBytes = 0;
  mostStoredBytes = 0;
  leavesRead = 0;

  async read(request) {
    this.#calls++;
    const snapshot = await this.#storage.read(request);
    for (const value of snapshot.values) {
      if (value && String.fromCharCode(...value.subarray(0, 4)) === LEAF_MAGIC) this.leavesRead++;
    }
    return snapshot;
  }

  async commit(batch, options) {
    this.#calls++;
    const result = await this.#storage.commit(batch, options);
    if (result.outcome === 'ok') this.#count(batch);
    return result;
  }

  #count({ puts, deletes }) {
    for (const key of deletes) this.#setSize(key, 0);
    for (const [key, value] of puts) {
      this.writtenBytes += value.length;
      this.#setSize(key, value.length);
    }
    this.mostStoredBytes = Math.max(this.mostStoredBytes, this.storedBytes);
  }

  #setSize(key, bytes) {
    this.storedBytes += bytes - (this.#sizes.get(key) ?? 0);
    if (bytes > 0) this.#sizes.set(key, bytes);
    else this.#sizes.delete(key);
  }

  // The engine does its background work in a turn of the event loop after each call.
  async untilIdle() {
    for (let last = -1; last !== this.#calls;) {
      last = this.#calls;
      await new Promise((resolve) => setTimeout(resolve, 0));
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  startCounting() {
    this.writtenBytes = 0;
    this.mostStoredBytes = this.storedBytes;
  }

  close() {
    return this.#storage.close();
  }

  destroy() {
    return this.#storage.destroy();
  }
}
