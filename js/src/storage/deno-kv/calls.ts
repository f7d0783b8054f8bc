/**
 * Calls of the database, within its limits.
 *
 * @module
 */

import type { CommitOutcome } from '../page-storage.js';
import type { KeyRange } from './keys.js';
import type { DenoKvEntry, DenoKvKey, DenoKvLike } from './platform.js';

/** The most keys of one `getMany`. */
export const MOST_KEYS = 10;

/** The most values that one call lists. Beyond that, Deno makes several calls of it. */
export const MOST_LISTED = 500;

// For how long a call waits for another process that writes to the same file.
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

/** Values of one moment: the first ones of a range, or with `reverse` the last ones. */
export function allIn(
  kv: DenoKvLike,
  range: KeyRange,
  limit: number,
  reverse = false,
): Promise<DenoKvEntry[]> {
  return patiently(async () => {
    const entries: DenoKvEntry[] = [];
    for await (const entry of kv.list(range, { limit, reverse })) entries.push(entry);
    return entries;
  });
}

/** Values of one moment, of at most `MOST_KEYS` keys. */
export const many = (kv: DenoKvLike, keys: readonly DenoKvKey[]): Promise<readonly DenoKvEntry[]> =>
  patiently(() => kv.getMany(keys));

/**
 * Repeats a call while another process writes to the file of the database. SQLite then refuses the
 * call at once, and has done nothing.
 */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error) || performance.now() - start > PATIENCE_MS) throw error;
    }
    // Not all at the same time.
    const pause = 1 + Math.random() * LONGEST_PAUSE_MS;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

const isLocked = (error: unknown) => /database is locked/.test(String(error));

/** The outcome of a commit that was rejected with this error. */
export function outcomeOf(error: unknown): CommitOutcome {
  // The file of a local database; SQLite rolls the commit back.
  if (/database or disk is full/.test(String(error))) return 'quota';
  // Another process holds the file, or the database was closed before the commit.
  const isRefused = isLocked(error) || (error as Error | undefined)?.name === 'BadResource';
  // A database in the network may have lost its answer alone.
  return isRefused ? 'refused' : 'unknown';
}

/** Groups of at most `size`. */
export function groupsOf<T>(all: readonly T[], size: number): T[][] {
  const count = Math.ceil(all.length / size);
  return Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
}
