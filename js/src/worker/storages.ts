/**
 * Makes storages from their descriptions, in a worker.
 *
 * @module
 */

import type { StorageDescription } from '../storage/description.js';
import { indexedDbStorage } from '../storage/indexeddb.js';
import { memoryStorage } from '../storage/memory.js';
import { opfsStorage } from '../storage/opfs.js';
import type { PageStorage } from '../storage/page-storage.js';

const FACTORIES: Record<StorageDescription['factory'], (...args: never[]) => PageStorage> = {
  indexedDbStorage,
  memoryStorage,
  opfsStorage,
};

// Those that accounts share. They live as long as the worker.
const shared = new Map<string, PageStorage>();

/** Makes the storage that a page has described. */
export function storageFrom({ factory, args, id }: StorageDescription): PageStorage {
  const known = id === undefined ? undefined : shared.get(id);
  if (known) return known;
  const storage = FACTORIES[factory](...(args as never[]));
  if (id !== undefined) shared.set(id, storage);
  return storage;
}
