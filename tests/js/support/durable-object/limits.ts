// limits.ts - the storage of a Durable Object with the limits of the platform, which the local
// runtime does not enforce. Source: "Limits" of the documentation of Durable Objects.

import type {
  DurableObjectStorageLike,
  KeyValueLike,
  SqlStorageLike,
} from '../../../../js/src/storage/durable-object.js';

const MOST_KEYS = 128;
const MOST_KEY_BYTES = 2048;
const MOST_VALUE_BYTES = 131_072;
const MOST_ROW_BYTES = 2_000_000;
const MOST_BINDINGS = 100;
const MOST_QUERY_BYTES = 100_000;

// What the platform adds to the bytes of a value when it serializes it.
const SERIALIZED_BYTES = 32;

/** What a test asks of the storage besides. */
export interface Trouble {
  /** How many bytes the database seems to have beside its own. */
  readonly extraBytes?: number;
  /** Called before each write of a key or a row. An error fails the write. */
  readonly onWrite?: () => void;
}

export function withLimits(
  storage: DurableObjectStorageLike,
  { extraBytes = 0, onWrite = () => {} }: Trouble = {},
): DurableObjectStorageLike {
  const limited = (inner: KeyValueLike): KeyValueLike => ({
    get: (keys) => (checkKeys(keys), inner.get(keys)),
    delete: (keys) => (onWrite(), checkKeys(keys), inner.delete(keys)),
    list: (options) => inner.list(options),
    put(entries) {
      onWrite();
      checkKeys(Object.keys(entries));
      for (const value of Object.values(entries)) {
        const { buffer } = value as Uint8Array;
        if (buffer.byteLength + SERIALIZED_BYTES > MOST_VALUE_BYTES) {
          throw new Error(`Values cannot be larger than ${MOST_VALUE_BYTES} bytes.`);
        }
      }
      return inner.put(entries);
    },
  });
  return {
    ...limited(storage),
    get sql() {
      return limitedSql(storage.sql!, extraBytes, onWrite);
    },
    transaction: (work) => storage.transaction((transaction) => work(limited(transaction))),
    transactionSync: (work) => storage.transactionSync(work),
    sync: () => storage.sync(),
  };
}

function checkKeys(keys: readonly string[]): void {
  if (keys.length > MOST_KEYS) throw new Error(`At most ${MOST_KEYS} keys, not ${keys.length}.`);
  const long = keys.find((key) => key.length > MOST_KEY_BYTES);
  if (long) throw new Error(`A key has ${long.length} bytes.`);
}

function limitedSql(sql: SqlStorageLike, extraBytes: number, onWrite: () => void): SqlStorageLike {
  return {
    get databaseSize() {
      return sql.databaseSize + extraBytes;
    },
    exec(query, ...bindings) {
      const bytes = bindings.reduce<number>(
        (sum, one) => sum + (one instanceof ArrayBuffer ? one.byteLength : 8),
        0,
      );
      if (bytes > MOST_ROW_BYTES) throw new Error('string or blob too big: SQLITE_TOOBIG');
      if (bindings.length > MOST_BINDINGS || query.length > MOST_QUERY_BYTES) {
        throw new Error('The query is too long.');
      }
      if (/^(INSERT|DELETE)/.test(query)) onWrite();
      return sql.exec(query, ...bindings);
    },
  };
}
