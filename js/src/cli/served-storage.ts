/**
 * Where a served account is kept.
 *
 * @module
 */

import { totalmem } from 'node:os';
import process from 'node:process';

import { fileStorage } from '../storage/file.js';
import { memoryStorage } from '../storage/memory.js';
import type { PageStorage } from '../storage/page-storage.js';
import { postgresStorage } from '../storage/postgres.js';
import type { ServeArguments } from './arguments.js';

/** The place of an account. */
export interface ServedStorage {
  /** Makes the storage for the first opening, and for each one after the module has aborted. */
  make(): PageStorage;
  /** Releases what all of them share. */
  end(): Promise<void>;
}

/** @param onProblem - called with problems that fail no request. */
export async function servedStorage(
  { account, data, isRelaxed, maxBytes, postgres }: ServeArguments,
  onProblem: (problem: unknown) => void,
): Promise<ServedStorage> {
  const end = async () => {};
  if (postgres !== undefined) {
    const { openPool } = await import('./postgres-pool.js');
    const pool = openPool(postgres);
    return { make: () => postgresStorage(pool, account), end: () => pool.end() };
  }
  if (data !== undefined) {
    const durability = isRelaxed ? 'relaxed' : 'strict';
    return { make: () => fileStorage(data, { durability, onProblem }), end };
  }
  const storage = memoryStorage({ maxBytes: maxBytes ?? defaultMaxBytes() });
  return { make: () => storage, end };
}

/** Its name for people, without a password. */
export function placeOf({ data, postgres }: ServeArguments): string {
  if (postgres === undefined) return data === undefined ? 'in memory' : `in ${data}`;
  const { host, pathname } = new URL(postgres);
  return `in PostgreSQL at ${host}${pathname}`;
}

// A quarter of the memory of the machine: the module, its page cache, requests and other programs
// need memory, too.
function defaultMaxBytes(): number {
  const limit = process.constrainedMemory?.() || Infinity;
  return Math.floor(Math.min(totalmem(), limit) / 4);
}
