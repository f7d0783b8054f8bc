// A store that an earlier version wrote, and its archive: tests/core/engine/stored_fixture_test.cc
// reads the same two files, and says how they came about.

import { describe, expect, it } from 'vitest';

import { exportAll, importAll } from '../../js/src/archive.js';
import { verify } from '../../js/src/recovery.js';
import { memoryStorage } from '../../js/src/storage/memory.js';
import archive from '../fixtures/store-1.jsonl?raw';
import store from '../fixtures/store-1.txt?raw';
import { openForTest } from './support/accounts.js';
import { storageOfLines } from './support/fixtures.js';

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

describe('a stored fixture', () => {
  it('opens, has what it had, and is whole', async () => {
    const storage = await storageOfLines(store);
    expect(await verify(storage)).toEqual([]);

    const account = await openForTest({ storage });
    expect(await textOf(exportAll(account))).toBe(archive);
  });

  it('has an archive that is read back equal', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await importAll(account, new TextEncoder().encode(archive));

    expect(await textOf(exportAll(account))).toBe(archive);
  });
});
