/**
 * A store in the SQLite database of a Durable Object: a table of the log and one of the pages, each
 * from a number to a value. `log/base` and `pages/root` have a number that no other key has.
 *
 * All calls of SQLite are synchronous, so each method reads or writes at one moment.
 *
 * @module
 */

import { sameBytes } from '../bytes.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  Durability,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../page-storage.js';
import type { DurableObjectStorageLike, SqlStorageLike } from './platform.js';

/** The most bytes of a value. A row has at most 2 MB. */
export const SQL_VALUE_BYTES = 1_900_000;

/** Reserved for deletions: each begins with a log record, which has at most so many bytes. */
const RESERVE_BYTES = 2 * 2 ** 20;

// About how many bytes of the database a value takes in addition to its own.
const VALUE_OVERHEAD = 100;

const TABLES = ['entitable_log', 'entitable_pages'] as const;

// The number of `log/base` and `pages/root`, below those of all parts.
const NAMED = -(2 ** 53);

export interface SqlStorageSetting {
  readonly durability: Durability;
  readonly maxBytes: number;
}

export class SqlStorage implements PageStorage {
  readonly #storage: DurableObjectStorageLike;
  readonly #sql: SqlStorageLike;
  readonly #durability: Durability;
  readonly #maxBytes: number;
  #hasTables = false;

  constructor(storage: DurableObjectStorageLike, { durability, maxBytes }: SqlStorageSetting) {
    this.#storage = storage;
    this.#sql = storage.sql!;
    this.#durability = durability;
    this.#maxBytes = maxBytes;
  }

  async read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    const asked = [...keys];
    return this.#withTables(() => ({
      values: asked.map((key) => this.#valueOf(key)),
      records: recordsAfter === undefined ? [] : this.#recordsAfter(recordsAfter),
    }));
  }

  commit(
    batch: Batch,
    { durability = this.#durability }: CommitOptions = {},
  ): Promise<CommitResult> {
    const result = this.#inTransaction(batch);
    if (durability === 'relaxed' || result.outcome !== 'ok') return Promise.resolve(result);
    return this.#storage.sync().then(
      () => result,
      (cause: unknown) => ({ outcome: 'unknown', cause }),
    );
  }

  #inTransaction(batch: Batch): CommitResult {
    try {
      return this.#withTables(() => this.#storage.transactionSync(() => this.#stored(batch)));
    } catch (cause) {
      // The transaction was rolled back.
      const isFull = /SQLITE_FULL/.test(String(cause));
      return isFull ? { ...this.#quota(), cause } : { outcome: 'refused', cause };
    }
  }

  #stored(batch: Batch): CommitResult {
    const { expect, puts, deletes } = batch;
    if (!expect.every(([key, value]) => sameBytes(this.#valueOf(key), value))) {
      return { outcome: 'moved' };
    }
    if (!this.#hasRoom(batch)) return this.#quota();
    for (const key of deletes) {
      const [table, number] = placeOf(key);
      this.#sql.exec(`DELETE FROM ${table} WHERE number = ?`, number);
    }
    for (const [key, value] of puts) {
      const [table, number] = placeOf(key);
      const query = `INSERT OR REPLACE INTO ${table} (number, value) VALUES (?, ?)`;
      this.#sql.exec(query, number, bufferOf(value));
    }
    return { outcome: 'ok' };
  }

  // Only batches that free room may use the reserve.
  #hasRoom({ puts, frees }: Batch): boolean {
    if (puts.length === 0) return true;
    const bytes = puts.reduce((sum, [, value]) => sum + value.length + VALUE_OVERHEAD, 0);
    const most = frees ? this.#maxBytes : this.#maxBytes - RESERVE_BYTES;
    return this.#sql.databaseSize + bytes <= most;
  }

  #quota(): CommitResult {
    const room = { usage: this.#sql.databaseSize, quota: this.#maxBytes };
    return { outcome: 'quota', room };
  }

  async list(): Promise<StorageKey[]> {
    return this.#withTables(() =>
      TABLES.flatMap((table) =>
        [...this.#sql.exec(`SELECT number FROM ${table}`)].map(({ number }) =>
          keyOf(table, number as number),
        ),
      ),
    );
  }

  async close(): Promise<void> {}

  async destroy(): Promise<void> {
    this.#storage.transactionSync(() => {
      for (const table of TABLES) this.#sql.exec(`DROP TABLE IF EXISTS ${table}`);
    });
  }

  // The tables are created once, since each creation reads rows, which are billed. Another adapter
  // on the same object, or the app, may remove them later: then they are created again.
  #withTables<T>(work: () => T): T {
    if (this.#hasTables) {
      try {
        return work();
      } catch (cause) {
        if (!/no such table/.test(String(cause))) throw cause;
      }
    }
    for (const table of TABLES) {
      this.#sql.exec(
        `CREATE TABLE IF NOT EXISTS ${table} (number INTEGER PRIMARY KEY, value BLOB NOT NULL)`,
      );
    }
    this.#hasTables = true;
    return work();
  }

  #valueOf(key: StorageKey): Uint8Array | undefined {
    const [table, number] = placeOf(key);
    const [row] = this.#sql.exec(`SELECT value FROM ${table} WHERE number = ?`, number);
    return row && new Uint8Array(row['value'] as ArrayBuffer);
  }

  #recordsAfter(after: number): [number, Uint8Array][] {
    const query = 'SELECT number, value FROM entitable_log WHERE number > ? ORDER BY number';
    return [...this.#sql.exec(query, after)].map(({ number, value }) => [
      number as number,
      new Uint8Array(value as ArrayBuffer),
    ]);
  }
}

function placeOf(key: StorageKey): [table: (typeof TABLES)[number], number: number] {
  const [store, name] = key.split('/');
  const number = Number(name);
  return [store === 'log' ? TABLES[0] : TABLES[1], Number.isNaN(number) ? NAMED : number];
}

function keyOf(table: (typeof TABLES)[number], number: number): StorageKey {
  if (table === 'entitable_log') return number === NAMED ? 'log/base' : `log/${number}`;
  return number === NAMED ? 'pages/root' : `pages/${number}`;
}

// The database copies it.
function bufferOf(value: Uint8Array): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = value;
  return (
    byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)
  ) as ArrayBuffer;
}
