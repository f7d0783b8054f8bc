/**
 * The pages of a store under a log and a root that go with them.
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

/** Is only read: every commit is refused. */
export class SavedStorage implements PageStorage {
  readonly #store: PageStorage;
  readonly #top: ReadonlyMap<StorageKey, Uint8Array>;

  /** @param top - all of the log, the root, and pages of its own. */
  constructor(store: PageStorage, top: ReadonlyMap<StorageKey, Uint8Array>) {
    this.#store = store;
    this.#top = top;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const { recordsAfter = Infinity } = request;
    const keys = [...request.keys];
    const isBelow = (key: StorageKey) => /^pages\/\d/.test(key) && !this.#top.has(key);
    const below = keys.filter(isBelow);
    const { values } = await this.#store.read({ keys: below });
    const pages = values.values();
    const records = [...this.#top]
      .filter(([key]) => /^log\/\d/.test(key))
      .map(([key, value]) => [Number(key.slice(4)), value.slice()] as const)
      .filter(([number]) => number > recordsAfter);
    return {
      values: keys.map((key) => (isBelow(key) ? pages.next().value : this.#top.get(key)?.slice())),
      records: records.sort(([a], [b]) => a - b),
    };
  }

  async commit(): Promise<CommitResult> {
    return { outcome: 'refused', cause: new Error('What was salvaged can only be read.') };
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async destroy(): Promise<void> {
    throw new Error('What was salvaged can only be read.');
  }
}
