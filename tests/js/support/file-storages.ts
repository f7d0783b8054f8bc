// file-storages.ts - stores in folders that go when the tests end.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fileStorage } from '../../../js/src/storage/file.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';

let root: string | undefined;
let folders = 0;

/** A folder that is not there yet, and that no other test has. */
export function freshFolder(): string {
  if (!root) {
    const made = realpathSync(mkdtempSync(join(tmpdir(), 'entitable-test-')));
    process.on('exit', () => rmSync(made, { recursive: true, force: true }));
    root = made;
  }
  return join(root, `store-${folders++}`);
}

/** Relaxed, because it is faster, and no test sees another difference. */
export function freshFileStorage(): PageStorage {
  return fileStorage(freshFolder(), { durability: 'relaxed' });
}
