// encrypted.ts - keys, and what is stored in an encrypted store.

import type { Batch, PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';

export const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

export const batch = (parts: Partial<Batch>): Batch => ({
  expect: [],
  puts: [],
  deletes: [],
  ...parts,
});

export async function valueOf(storage: PageStorage, key: StorageKey) {
  return (await storage.read({ keys: [key] })).values[0];
}
