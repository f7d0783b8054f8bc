// storages.ts - where an actor keeps an account.

import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { opfsStorage } from '../../../js/src/storage/opfs.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';

export type StorageName = 'IndexedDB' | 'OPFS';

/** OPFS is for dedicated workers alone. */
export function storageOf(storage: StorageName, name: string): PageStorage {
  return storage === 'OPFS' ? opfsStorage(name) : indexedDbStorage(name);
}
