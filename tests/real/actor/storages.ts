// storages.ts - where an actor keeps an account.

import { encryptedStorage } from '../../../js/src/storage/encrypted.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { opfsStorage } from '../../../js/src/storage/opfs.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';

export type StorageName = 'IndexedDB' | 'OPFS' | 'encrypted IndexedDB';

/** OPFS is for dedicated workers alone. */
export async function storageOf(storage: StorageName, name: string): Promise<PageStorage> {
  if (storage === 'OPFS') return opfsStorage(name);
  const plain = indexedDbStorage(name);
  return storage === 'IndexedDB' ? plain : encryptedStorage(plain, await sameKey());
}

// The same after a kill.
const sameKey = () =>
  crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', false, ['encrypt', 'decrypt']);
