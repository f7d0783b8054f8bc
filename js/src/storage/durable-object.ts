/**
 * A store in a Durable Object of Cloudflare Workers.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import { checkedOptions } from '../base/options.js';
import { KEY_VALUE_BYTES, KeyValueStorage } from './durable-object/key-value.js';
import type { DurableObjectStorageLike } from './durable-object/platform.js';
import { SQL_VALUE_BYTES, SqlStorage } from './durable-object/sql.js';
import { withMaxValueBytes } from './max-value-bytes.js';
import type { Durability, PageStorage } from './page-storage.js';

export type {
  DurableObjectStorageLike,
  KeyValueLike,
  SqlStorageLike,
} from './durable-object/platform.js';

/** Options of {@link durableObjectStorage}. */
export interface DurableObjectStorageOptions {
  /**
   * By default `relaxed`: a commit is acknowledged at once. The platform holds back every answer
   * of the object until earlier writes are on several disks. So only code in the object can see a
   * commit that is lost later, and then the object is lost with it. With `strict`, a commit is
   * acknowledged when it is on several disks.
   */
  readonly durability?: Durability | undefined;

  /**
   * The most bytes of the object's SQLite database; by default 10 GB, the limit of the platform.
   * Beyond that, writes fail with `StorageQuotaExceeded`, and deletions still work. Objects without
   * SQLite have no limit.
   */
  readonly maxBytes?: number | undefined;
}

// The limit of the platform, in bytes.
const MAX_DATABASE_BYTES = 10_000_000_000;

/**
 * Returns the store in the storage of a Durable Object, which is `ctx.storage`. Its first use
 * creates it. There is one store in each object; other values of the object are not touched.
 *
 * In an object with SQLite (`new_sqlite_classes`), the store is in two tables whose names begin
 * with `entitable_`. In an older object (`new_classes`) it is in keys that begin with `entitable/`.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: durableObjectStorage(ctx.storage), wasm });
 * ```
 * @throws {@link TableError} `InvalidInput`, if this is not the storage of a Durable Object, or an
 * option is unknown.
 */
export function durableObjectStorage(
  storage: DurableObjectStorageLike,
  options?: DurableObjectStorageOptions,
): PageStorage {
  const { durability = 'relaxed', maxBytes = MAX_DATABASE_BYTES } = checkedOptions(
    'durableObjectStorage',
    options,
    { durability: ['relaxed', 'strict'], maxBytes: 'bytes' },
  );
  if (!hasMethod(storage, 'transaction')) {
    throw invalidInput(
      'The first argument of durableObjectStorage must be the storage of a Durable Object: ctx.storage.',
    );
  }
  return hasSql(storage)
    ? withMaxValueBytes(new SqlStorage(storage, { durability, maxBytes }), SQL_VALUE_BYTES)
    : withMaxValueBytes(new KeyValueStorage(storage, { durability }), KEY_VALUE_BYTES);
}

// Objects without SQLite also have the member `sql`, but its members throw.
function hasSql(storage: DurableObjectStorageLike): boolean {
  try {
    return typeof storage.sql?.databaseSize === 'number';
  } catch {
    return false;
  }
}
