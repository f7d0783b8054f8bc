// fixtures.ts - stores of earlier versions, which every version must read.

import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';

// Vite reads the options in the source, so each call needs a literal.
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

/** Parses a store that has one line for each value: the key, and the value in Base64. */
export function valuesOfLines(lines: string): [StorageKey, Uint8Array][] {
  return lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [StorageKey, string])
    .map(([key, base64]) => [key, Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))]);
}

/** A storage with the values of these lines. */
export async function storageOfLines(lines: string): Promise<PageStorage> {
  const storage = memoryStorage();
  await storage.commit({ expect: [], puts: valuesOfLines(lines), deletes: [] });
  return storage;
}

/** An archive without its first line, which has the version of the code that wrote it. */
export function behindHead(archive: string): string {
  return archive.slice(archive.indexOf('\n'));
}
