// Stores that earlier versions wrote, and the archive of each: `tests/fixtures/README.md` says what
// they are, and `tests/core/engine/stored_fixture_test.cc` reads them, too.

import { describe, expect, it } from 'vitest';

import { exportAll, importAll } from '../../js/src/archive.js';
import { verify } from '../../js/src/recovery.js';
import { memoryStorage } from '../../js/src/storage/memory.js';
import { openForTest } from './support/accounts.js';
import { behindHead, storageOfLines, STORED } from './support/fixtures.js';

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

describe.each(STORED)('the stored fixture $name', ({ store, archive }) => {
  it('opens with its contents, and is valid', async () => {
    const storage = await storageOfLines(store);
    expect(await verify(storage)).toEqual([]);

    const account = await openForTest({ storage });
    expect(behindHead(await textOf(exportAll(account)))).toBe(behindHead(archive));
  });

  it('has an archive that is read back equal', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await importAll(account, new TextEncoder().encode(archive));

    expect(behindHead(await textOf(exportAll(account)))).toBe(behindHead(archive));
  });
});
