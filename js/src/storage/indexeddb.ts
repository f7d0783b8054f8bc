/**
 * A store in IndexedDB, which all tabs and workers of an origin share.
 *
 * It has two object stores, and its version is always 1. `log` has the log records under their
 * numbers, and the checkpoint under `'base'`. `pages` has the pages under their numbers, and the
 * manifest under `'root'`. `indexeddb/reserve.ts` has one more key in each.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import { sameBytes } from './bytes.js';
import { Connection, type StoreName } from './indexeddb/connection.js';
import { Reserve, type Effect } from './indexeddb/reserve.js';
import {
  comparedByReading,
  fetchAndStore,
  fetchSnapshot,
  isKey,
  scopeOf,
  store,
} from './indexeddb/transactions.js';
import type { DescribedStorage, StorageDescription } from './description.js';
import { untilLost } from './indexeddb/until-lost.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StatusListener,
  StorageKey,
} from './page-storage.js';

/** Options of {@link indexedDbStorage}. */
export interface IndexedDbStorageOptions {
  /** By default `relaxed`: a commit survives the death of the process, but not a power cut. */
  readonly durability?: Durability | undefined;
}

/**
 * Returns the store in the IndexedDB database of that name. Its first use opens or creates the
 * database. Without IndexedDB (on a server, in some private windows, in a sandboxed frame) that use
 * fails with `StorageUnavailable`.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: indexedDbStorage('my-app') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if the name is not a string, or an option is unknown.
 */
export function indexedDbStorage(name: string, options?: IndexedDbStorageOptions): PageStorage {
  if (typeof name !== 'string') {
    throw invalidInput(`The name of a database must be a string, not ${shown(name)}.`);
  }
  const kinds = { durability: ['relaxed', 'strict'] };
  const { durability = 'relaxed' } = checkedOptions('indexedDbStorage', options, kinds);
  return new IndexedDbStorage(name, durability);
}

// An expected value that was found under its key.
interface Found {
  readonly on: IDBDatabase;
  readonly key: StorageKey;
  readonly value: Uint8Array;
}

class IndexedDbStorage implements DescribedStorage {
  readonly channel: string;
  readonly #name: string;
  readonly #connection: Connection;
  readonly #durability: Durability;
  readonly #reserve = new Reserve();

  // An optimistic commit needs the same value to have been found before on the same connection: a
  // new connection may lead to another store of that name.
  #found: Found | undefined;

  // How often the connection had been lost when an outcome was last unknown.
  #losses = 0;

  constructor(name: string, durability: Durability) {
    this.channel = `entitable:${name}`;
    this.#name = name;
    this.#connection = new Connection(name);
    this.#durability = durability;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const { keys, recordsAfter } = copyOfRequest(request);
    const stores = scopeOf(keys);
    if (recordsAfter !== undefined) stores.add('log');
    if (stores.size > 0) {
      return this.#connection.within(stores, 'readonly', {}, (transaction) =>
        fetchSnapshot(transaction, keys, recordsAfter),
      );
    }
    await this.#connection.open();
    return { values: [], records: [] };
  }

  async commit(batch: Batch, options: CommitOptions = {}): Promise<CommitResult> {
    // Before the first await: the caller may reuse its buffers.
    return this.#commit(copyOf(batch), options.durability ?? this.#durability, true);
  }

  async #commit(copy: Batch, durability: Durability, isFirst: boolean): Promise<CommitResult> {
    const { expect, puts, deletes } = copy;
    const stores = scopeOf([...expect, ...puts].map(([key]) => key).concat(deletes));
    // A transaction needs an object store.
    if (stores.size === 0) return { outcome: 'ok' };
    for (const store of this.#reserve.stores) stores.add(store);
    const losses = this.#losses;
    try {
      return await this.#connection.within(
        stores,
        'readwrite',
        { durability },
        async (transaction) => {
          if (this.#hasLostSight(losses)) {
            transaction.abort();
            return this.#unknown();
          }
          const optimistic = copy.optimistic && this.#isFound(transaction.db, copy);
          const canWait = comparedByReading(copy).length > 0;
          const effect = this.#reserve.begin(transaction, copy, canWait);
          const result = await this.#store(transaction, { ...copy, optimistic });
          const hasRoom = await this.#reserve.end(transaction.db, copy, effect, result, isFirst);
          return hasRoom ? this.#commit(copy, durability, false) : withRoom(result);
        },
      );
    } catch (cause) {
      return { outcome: 'refused', cause };
    }
  }

  async exclusively(
    asked: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    options: CommitOptions = {},
  ): Promise<CommitResult | undefined> {
    const request = copyOfRequest(asked);
    const durability = options.durability ?? this.#durability;
    const stores = scopeOf([...request.keys, 'log/base']);
    for (const store of this.#reserve.stores) stores.add(store);
    this.#found = undefined;
    const losses = this.#losses;
    return this.#connection.within(stores, 'readwrite', { durability }, async (transaction) => {
      const hasLostSight = this.#hasLostSight(losses);
      let batch: Batch | undefined;
      let effect: Effect;
      const result = await fetchAndStore(transaction, request, (snapshot) => {
        const decided = decide(snapshot);
        batch = decided && copyOf(decided);
        if (hasLostSight) return undefined;
        if (batch) effect = this.#reserve.begin(transaction, batch, false);
        return batch;
      });
      if (batch && hasLostSight) return this.#unknown();
      if (!batch || !result) return result;
      const hasRoom = await this.#reserve.end(transaction.db, batch, effect, result, true);
      return hasRoom ? this.#commit(batch, durability, false) : withRoom(result);
    });
  }

  list(): Promise<StorageKey[]> {
    const stores: StoreName[] = ['log', 'pages'];
    return this.#connection.within(new Set(stores), 'readonly', {}, (transaction) =>
      untilLost(transaction, (resolve, reject) => {
        const [log, pages] = stores.map((name) => transaction.objectStore(name).getAllKeys());
        transaction.onabort = () => reject(transaction.error);
        transaction.oncomplete = () =>
          resolve([
            ...log!.result.filter(isKey).map((key) => `log/${key}` as StorageKey),
            ...pages!.result.filter(isKey).map((key) => `pages/${key}` as StorageKey),
          ]);
      }),
    );
  }

  async #store(transaction: IDBTransaction, batch: Batch): Promise<CommitResult> {
    const found = this.#found;
    this.#found = undefined;
    try {
      const result = await store(transaction, batch);
      if (result.outcome === 'ok')
        this.#found = batch.optimistic ? found : foundBy(transaction, batch);
      return result;
    } catch (cause) {
      return this.#unknown(cause);
    }
  }

  // Commits right before a lost connection may be lost with it. So the outcome of the next commit
  // is unknown, and of all commits that were called before that outcome was reported. Their callers
  // read the store.
  #hasLostSight(sinceLosses: number): boolean {
    return sinceLosses !== this.#connection.losses;
  }

  #unknown(cause?: unknown): CommitResult {
    this.#losses = this.#connection.losses;
    return { outcome: 'unknown', cause };
  }

  #isFound(on: IDBDatabase, batch: Batch): boolean {
    const found = this.#found;
    return comparedByReading(batch).every(
      ([key, value]) => found?.on === on && found.key === key && sameBytes(found.value, value),
    );
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  destroy(): Promise<void> {
    this.#reserve.forget();
    return this.#connection.destroy();
  }

  onStatus(listener: StatusListener): () => void {
    return this.#connection.onStatus(listener);
  }

  describe(): StorageDescription {
    const options: IndexedDbStorageOptions = { durability: this.#durability };
    return { factory: 'indexedDbStorage', args: [this.#name, options] };
  }
}

// Only this answer waits for it, so the estimate may take its time.
async function withRoom(result: CommitResult): Promise<CommitResult> {
  if (result.outcome !== 'quota') return result;
  // Some workers do not have it, and documents without an origin may not use it.
  const room = await globalThis.navigator?.storage?.estimate?.().catch(() => undefined);
  return { ...result, room: room && { usage: room.usage, quota: room.quota } };
}

// A copy, as of a batch: the caller may change the request while the database is opened.
const copyOfRequest = ({ keys, recordsAfter }: ReadRequest) => ({ keys: [...keys], recordsAfter });

// A copy has a buffer of its own. IndexedDB would clone the whole buffer of a view.
function copyOf({ expect, puts, deletes, optimistic, frees }: Batch): Batch {
  return {
    expect: expect.map(([key, value]) => [key, value?.slice()]),
    puts: puts.map(([key, value]) => [key, value.slice()]),
    deletes: [...deletes],
    optimistic,
    frees,
  };
}

// The first expected value of a batch: an optimistic batch expects only one.
function foundBy({ db }: IDBTransaction, batch: Batch): Found | undefined {
  const [key, value] = comparedByReading(batch)[0] ?? [];
  return key && value && { on: db, key, value };
}
