// storages.ts - where an actor keeps an account.

import { encryptedStorage } from '../../../js/src/storage/encrypted.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { opfsStorage } from '../../../js/src/storage/opfs.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';

export type StorageName = 'IndexedDB' | 'OPFS' | 'Encrypted IndexedDB';

// The same in every life of the browser.
const KEY = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, [
  'encrypt',
  'decrypt',
]);

/** OPFS is for dedicated workers alone. */
export function storageOf(storage: StorageName, name: string): PageStorage {
  if (storage === 'OPFS') return opfsStorage(name);
  const database = indexedDbStorage(name);
  return storage === 'IndexedDB' ? database : encryptedStorage(database, KEY);
}
