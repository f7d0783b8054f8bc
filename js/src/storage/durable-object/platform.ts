/**
 * The members of the platform that the storages of Durable Objects need. The types of Workers fit.
 *
 * @module
 */

/** The storage of keys and values, and its transaction. */
export interface KeyValueLike {
  get(keys: string[]): Promise<Map<string, unknown>>;
  put(entries: Record<string, unknown>): Promise<void>;
  delete(keys: string[]): Promise<number>;
  list(options: {
    prefix?: string;
    start?: string;
    startAfter?: string;
    end?: string;
    limit?: number;
  }): Promise<Map<string, unknown>>;
}

/** The SQLite database of an object. */
export interface SqlStorageLike {
  /** In bytes. */
  readonly databaseSize: number;
  exec(
    query: string,
    ...bindings: (ArrayBuffer | string | number | null)[]
  ): Iterable<Record<string, ArrayBuffer | string | number | null>>;
}

/** The storage of a Durable Object: `ctx.storage`. */
export interface DurableObjectStorageLike extends KeyValueLike {
  readonly sql?: SqlStorageLike;
  transaction<T>(work: (transaction: KeyValueLike) => Promise<T>): Promise<T>;
  transactionSync<T>(work: () => T): T;
  sync(): Promise<void>;
}
