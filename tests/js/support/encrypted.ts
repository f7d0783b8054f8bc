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

/** Changes the bytes that a storage keeps, as somebody would who has no key. */
export async function tamper(
  storage: PageStorage,
  change: (values: Map<StorageKey, Uint8Array>) => void,
): Promise<void> {
  const keys = await storage.list!();
  const { values } = await storage.read({ keys });
  const all = new Map(keys.map((key, at) => [key, values[at]!]));
  change(all);
  await storage.commit(batch({ puts: [...all] }));
}
