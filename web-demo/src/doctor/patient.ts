/**
 * The store of the page: 20,000 visits to a vet, in a database of its own.
 *
 * @module
 */

import {
  deleteAccount,
  openAccount,
  type PageStorage,
  type TableClient,
  type TableServiceClient,
} from 'entitable';
import { repair, verify, type Finding } from 'entitable/recovery';
import type { StorageKey } from 'entitable/storage/contract';
import { indexedDbStorage } from 'entitable/storage/indexeddb';

import { importedVisits, TABLE, writtenVisits } from './visits.js';

const DATABASE = 'entitable-doctor';

// How many bytes in the middle of a value are inverted.
const DAMAGED_BYTES = 16;

/** A value that the database keeps. */
export interface StoredValue {
  readonly key: StorageKey;
  readonly bytes: number;
}

/** What `repair` has brought back. */
export interface Rescued {
  readonly account: TableServiceClient;
  readonly visits: number;
  readonly findings: readonly Finding[];
}

/** Deletes the store, and fills a new one. */
export async function admit(): Promise<void> {
  await deleteAccount(DATABASE);
  const account = await openAccount({ storage: indexedDbStorage(DATABASE) });
  try {
    const visits = account.tableClient(TABLE);
    await visits.createTable();
    await visits.importEntities(importedVisits());
    // One by one, so that the log has some records.
    for (const visit of writtenVisits()) await visits.createEntity(visit);
  } finally {
    await account.close();
  }
}

/** The values of the store, the log first. */
export async function storedValues(): Promise<StoredValue[]> {
  return withStorage(async (storage) => {
    const keys = [...(await storage.list!())].sort(byPlace);
    const { values } = await storage.read({ keys });
    return keys.map((key, index) => ({ key, bytes: values[index]?.length ?? 0 }));
  });
}

const byPlace = (one: StorageKey, other: StorageKey) =>
  one.localeCompare(other, 'en', { numeric: true });

/** Inverts some bytes of a value, as a bad disk would. */
export async function damage(key: StorageKey): Promise<void> {
  await withStorage(async (storage) => {
    const { values } = await storage.read({ keys: [key] });
    const damaged = values[0]!.slice();
    const middle = Math.max(0, Math.floor((damaged.length - DAMAGED_BYTES) / 2));
    for (let at = middle; at < damaged.length && at < middle + DAMAGED_BYTES; at++) {
      damaged[at]! ^= 0xff;
    }
    await storage.commit({ expect: [], puts: [[key, damaged]], deletes: [] });
  });
}

/**
 * Reads all visits, as an app would.
 *
 * @returns how many there are.
 * @throws {@link TableError} `StorageDamaged`
 */
export async function readAll(): Promise<number> {
  const account = await openAccount({ storage: indexedDbStorage(DATABASE) });
  try {
    return await countOf(account.tableClient(TABLE));
  } finally {
    await account.close();
  }
}

/** Reads every value, and returns the faults. */
export function examine(): Promise<Finding[]> {
  return withStorage((storage) => verify(storage));
}

/** Opens an account on what can be read. The caller closes it. */
export async function rescue(): Promise<Rescued> {
  const { storage, findings } = await repair(indexedDbStorage(DATABASE));
  const account = await openAccount({ storage });
  const tables: string[] = [];
  for await (const { name = '' } of account.listTables()) tables.push(name);
  let visits = 0;
  for (const name of tables) visits += await countOf(account.tableClient(name));
  return { account, visits, findings };
}

// Every entity is read, and not only counted.
async function countOf(visits: TableClient): Promise<number> {
  let count = 0;
  for await (const page of visits.listEntities().byPage()) count += page.length;
  return count;
}

async function withStorage<T>(work: (storage: PageStorage) => Promise<T>): Promise<T> {
  const storage = indexedDbStorage(DATABASE);
  try {
    return await work(storage);
  } finally {
    await storage.close();
  }
}
