// fixtures.ts - stores that were written once, and are read for ever after.

import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';

// Vite reads the options, so each call spells them out.
const stores = import.meta.glob('../../fixtures/store-*.txt', {
  eager: true,
  query: '?raw',
  import: 'default',
});
const archives = import.meta.glob('../../fixtures/store-*.jsonl', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/** Every store in `tests/fixtures`, with its archive. */
export const STORED = Object.entries(stores).map(([path, store]) => ({
  name: /store-\d+/.exec(path)![0],
  store,
  archive: archives[path.replace('.txt', '.jsonl')]!,
}));

/** The keys and values of a store that is written as lines of a key and a value in Base64. */
export function valuesOfLines(lines: string): [StorageKey, Uint8Array][] {
  return lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [StorageKey, string])
    .map(([key, base64]) => [key, Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]);
}

/** A storage with what such lines tell. */
export async function storageOfLines(lines: string): Promise<PageStorage> {
  const storage = memoryStorage();
  await storage.commit({ expect: [], puts: valuesOfLines(lines), deletes: [] });
  return storage;
}

/**
 * The lines of an archive that tell what is in the account. The first one tells the version of the
 * code that wrote it.
 */
export function behindHead(archive: string): string {
  return archive.slice(archive.indexOf('\n'));
}
