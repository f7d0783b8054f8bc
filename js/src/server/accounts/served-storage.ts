/**
 * Where the accounts of a server are kept.
 *
 * @module
 */

import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';

import { fileStorage } from '../../storage/file.js';
import { STORE_NAME } from '../../storage/file/store-folder.js';
import { memoryStorage } from '../../storage/memory.js';
import type { PageStorage } from '../../storage/page-storage.js';
import { postgresStorage } from '../../storage/postgres.js';
import { failureText } from '../failure-text.js';
import type { CheckedServer } from '../server-options.js';

/** The place of the accounts. */
export interface ServedStorage {
  /**
   * Makes the storage of an account, for its first opening, and for each one after its module has
   * aborted.
   */
  make(account: string): PageStorage;
  /** Releases what all of them share. */
  end(): Promise<void>;
}

const nothing = async () => {};

/**
 * Opens the place of the accounts.
 *
 * @throws an `Error`, if the folder was filled by another number of accounts.
 */
export async function servedStorage(options: CheckedServer): Promise<ServedStorage> {
  const { data, postgres, postgresConnections } = options;
  if (postgres !== undefined) {
    const { openPool } = await import('../postgres-pool.js');
    const pool = openPool(postgres, postgresConnections);
    return { make: (account) => postgresStorage(pool, account), end: () => pool.end() };
  }
  return { make: data === undefined ? inMemory(options) : inFolders(options, data), end: nothing };
}

function inMemory({ accounts, maxBytes }: CheckedServer): ServedStorage['make'] {
  const limit = { maxBytes: maxBytes ?? Math.floor(shareOfMemory() / accounts.length) };
  const storages = new Map(accounts.map(({ name }) => [name, memoryStorage(limit)]));
  return (account) => storages.get(account)!;
}

function inFolders(
  { accounts, durability = 'strict', onWarning }: CheckedServer,
  data: string,
): ServedStorage['make'] {
  const isOne = accounts.length === 1;
  for (const { name } of accounts) refuseOtherLayout(data, name, isOne);
  const onProblem = (problem: unknown) => onWarning(failureText(problem));
  return (name) => fileStorage(isOne ? data : join(data, name), { durability, onProblem });
}

// The account would seem to be empty.
function refuseOtherLayout(data: string, name: string, isOne: boolean): void {
  const [whole, own] = [data, join(data, name)].map((folder) => join(folder, STORE_NAME));
  if (isOne && existsSync(own!) && !existsSync(whole!)) {
    throw new Error(
      `the folder ${data} has a folder for each of several accounts; for ${name} alone, name the ` +
        `folder ${join(data, name)}`,
    );
  }
  if (!isOne && existsSync(whole!)) {
    throw new Error(
      `the folder ${data} has the files of one account; where there are several, each has a ` +
        `folder in it: move the files to ${join(data, 'NAME')}, with the name of their account`,
    );
  }
}

// What a store in memory may take at least, however little seems to be free.
const LEAST_STORE_BYTES = 64 * 2 ** 20;

// The modules, their page caches, requests and other programs need memory, too. When it is full, V8
// ends the process.
function shareOfMemory(): number {
  const limit = process.constrainedMemory?.() || Infinity;
  // In a container, what files left in memory counts as used; 0 means that nobody knows.
  const free = Math.max(process.availableMemory?.() || Infinity, 2 * LEAST_STORE_BYTES);
  return Math.floor(Math.min(totalmem() / 4, limit / 4, free / 2));
}
