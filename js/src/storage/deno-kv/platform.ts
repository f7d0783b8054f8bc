/**
 * The members of Deno KV that the storage needs. `Deno.Kv` fits.
 *
 * @module
 */

/** The parts of a key. Deno sorts texts before numbers. */
export type DenoKvKey = readonly (string | number)[];

/** What is stored under a key. Without a value, the versionstamp is null. */
export interface DenoKvEntry {
  readonly key: readonly unknown[];
  readonly value: unknown;
  /** Of the commit that stored the value. Later commits have greater ones. */
  readonly versionstamp: string | null;
}

/** A commit that is being made: `kv.atomic()`. */
export interface DenoKvAtomic {
  check(...checks: { key: DenoKvKey; versionstamp: string | null }[]): DenoKvAtomic;
  set(key: DenoKvKey, value: unknown, options?: { expireIn?: number }): DenoKvAtomic;
  delete(key: DenoKvKey): DenoKvAtomic;
  commit(): Promise<{ ok: true; versionstamp: string } | { ok: false }>;
}

/** A database: what `Deno.openKv()` returns. */
export interface DenoKvLike {
  /** All values are of one moment. */
  getMany(keys: readonly DenoKvKey[]): Promise<readonly DenoKvEntry[]>;
  list(
    range: { start: DenoKvKey; end: DenoKvKey },
    options?: { limit: number; reverse?: boolean },
  ): AsyncIterable<DenoKvEntry>;
  atomic(): DenoKvAtomic;
}
