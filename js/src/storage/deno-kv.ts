/**
 * A store in Deno KV.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import { shown } from '../base/shown.js';
import { Committer } from './deno-kv/commit.js';
import { StoreKeys } from './deno-kv/keys.js';
import type { DenoKvLike } from './deno-kv/platform.js';
import { listKeys, readAtOnce } from './deno-kv/read.js';
import { withMaxValueBytes } from './max-value-bytes.js';
import type {
  Batch,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from './page-storage.js';

export type { DenoKvAtomic, DenoKvEntry, DenoKvKey, DenoKvLike } from './deno-kv/platform.js';

// The limit of Deno KV is 64 KiB.
const VALUE_BYTES = 65_536;

// The limit of Deno KV is 800 KiB of values and keys. The rest is for the keys and our notes.
const BATCH_BYTES = 700_000;

// Printable, so that each character is one byte.
const NAME = /^[ -~]{1,64}$/;

/**
 * Returns the store of that name in a database of Deno KV. Its first use creates it. All its keys
 * begin with `'entitable'` and the name, and nothing else in the database is touched.
 *
 * Any number of processes may use a store at the same time. A commit is acknowledged when the
 * database has stored it; `relaxed` and `strict` do not differ. Closing the storage leaves the
 * database open, because it belongs to the caller.
 *
 * @param kv - what `Deno.openKv()` returns.
 * @param name - 1 to 64 printable ASCII characters.
 * @example
 * ```ts
 * const account = await openAccount({ storage: denoKvStorage(await Deno.openKv(), 'my-app') });
 * ```
 * @throws {@link TableError} `InvalidInput`, if this is not such a database or name.
 */
export function denoKvStorage(kv: DenoKvLike, name: string): PageStorage {
  if (!hasMethod(kv, 'atomic') || !hasMethod(kv, 'getMany')) {
    throw invalidInput(
      'The first argument of denoKvStorage must be a database of Deno KV: await Deno.openKv().',
    );
  }
  if (typeof name !== 'string' || !NAME.test(name)) {
    throw invalidInput(
      `The name of a store in Deno KV must have 1 to 64 printable ASCII characters, not ${shown(name)}.`,
    );
  }
  const storage = new DenoKvStorage(kv, new StoreKeys(name));
  return withMaxValueBytes(storage, VALUE_BYTES, { maxBatchBytes: BATCH_BYTES });
}

/**
 * For short values and short batches. `withMaxValueBytes()` copies all values, runs commits one
 * after another, and waits for all calls before it closes or destroys the storage.
 */
class DenoKvStorage implements PageStorage {
  readonly #kv: DenoKvLike;
  readonly #keys: StoreKeys;
  readonly #committer: Committer;

  constructor(kv: DenoKvLike, keys: StoreKeys) {
    this.#kv = kv;
    this.#keys = keys;
    this.#committer = new Committer(kv, keys);
  }

  read(request: ReadRequest): Promise<Snapshot> {
    return readAtOnce(this.#kv, this.#keys, request);
  }

  commit(batch: Batch): Promise<CommitResult> {
    return this.#committer.commit(batch);
  }

  list(): Promise<StorageKey[]> {
    return listKeys(this.#kv, this.#keys);
  }

  close(): Promise<void> {
    return this.#committer.close();
  }

  destroy(): Promise<void> {
    return this.#committer.deleteAll();
  }
}
