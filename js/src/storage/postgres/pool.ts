/**
 * The members of `pg` that the storage needs. A `Pool` of `pg` fits, and so do pools that imitate
 * it.
 *
 * @module
 */

/** The result of a statement. */
export interface PostgresResult {
  /** `SELECT`, `COMMIT` or `ROLLBACK`, say. */
  readonly command: string;
  readonly rows: readonly Record<string, unknown>[];
}

/** A connection of a pool. */
export interface PostgresClient {
  /** Whether it sends a statement before the ones before it are answered. */
  readonly pipeline?: boolean | undefined;
  /** A text may have several statements, if there are no values; then there are several results. */
  query(text: string, values?: unknown[]): Promise<PostgresResult | PostgresResult[]>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'notification', listener: (message: { payload?: string }) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** Gives it back to the pool, which ends it if `end` is true. */
  release(end?: boolean): void;
  /** Lets the process end while the connection is open. */
  unref?(): void;
}

/** A `Pool` of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  readonly options?: { readonly max?: number | undefined };
}
