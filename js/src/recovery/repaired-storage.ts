/**
 * The pages of a damaged store under a new log and a new manifest.
 *
 * @module
 */

import type {
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../storage/page-storage.js';
import type { Readable } from './value-reader.js';

/** The storage is read-only: it refuses every commit. */
export class RepairedStorage implements PageStorage {
  readonly #store: Readable;
  readonly #values: ReadonlyMap<StorageKey, Uint8Array>;

  /** Closes the damaged store, too. */
  readonly close: () => Promise<void>;

  /** @param values - the whole log, the manifest, and new pages. */
  constructor(
    store: Readable,
    values: ReadonlyMap<StorageKey, Uint8Array>,
    close: () => Promise<void>,
  ) {
    this.#store = store;
    this.#values = values;
    this.close = close;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const { recordsAfter = Infinity } = request;
    const keys = [...request.keys];
    const isInStore = (key: StorageKey) => /^pages\/\d/.test(key) && !this.#values.has(key);
    const pagesOfStore = keys.filter(isInStore);
    const { values } = await this.#store.read({ keys: pagesOfStore });
    const pages = values.values();
    const records = [...this.#values]
      .filter(([key]) => /^log\/\d/.test(key))
      .map(([key, value]) => [Number(key.slice(4)), value.slice()] as const)
      .filter(([number]) => number > recordsAfter);
    return {
      values: keys.map((key) =>
        isInStore(key) ? pages.next().value : this.#values.get(key)?.slice(),
      ),
      records: records.sort(([a], [b]) => a - b),
    };
  }

  async commit(): Promise<CommitResult> {
    return { outcome: 'refused', cause: new Error('A repaired store is read-only.') };
  }

  async destroy(): Promise<void> {
    throw new Error('A repaired store is read-only.');
  }
}
