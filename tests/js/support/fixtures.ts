// fixtures.ts - stores that were written once, and are read for ever after.

import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';

/** A storage with what lines of keys and values in Base64 tell. */
export async function storageOfLines(lines: string): Promise<PageStorage> {
  const storage = memoryStorage();
  const puts = lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [StorageKey, string])
    .map(([key, base64]) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      return [key, bytes] as const;
    });
  await storage.commit({ expect: [], puts, deletes: [] });
  return storage;
}
