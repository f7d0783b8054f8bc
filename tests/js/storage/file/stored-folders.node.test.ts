// Folders that earlier versions of `fileStorage` wrote: `tests/fixtures/README.md` describes
// them.

import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { exportAll } from '../../../../js/src/archive.js';
import { verify } from '../../../../js/src/recovery.js';
import { fileStorage } from '../../../../js/src/storage/file.js';
import { FILE_VERSION } from '../../../../js/src/storage/file/format.js';
import type { Batch, PageStorage } from '../../../../js/src/storage/page-storage.js';
import { openForTest } from '../../support/accounts.js';
import { behindHead, STORED, valuesOfLines } from '../../support/fixtures.js';

const FIXTURES = 'tests/fixtures';
const folders = readdirSync(FIXTURES).filter((name) => name.startsWith('folder-'));

// The contents of every folder.
const [{ store, archive }] = STORED as [(typeof STORED)[0]];
const values = valuesOfLines(store);

/** A copy, which may be written to. */
function copyOf(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(join(FIXTURES, name), folder, { recursive: true });
  return folder;
}

async function commit(storage: PageStorage, batch: Partial<Batch>): Promise<void> {
  const none = { expect: [], puts: [], deletes: [] };
  expect(await storage.commit({ ...none, ...batch })).toEqual({ outcome: 'ok' });
}

describe.each(folders)('the stored %s', (name) => {
  it('has every value that was written, and the entities in them', async () => {
    const storage = fileStorage(copyOf(name));
    const keys = values.map(([key]) => key);

    expect([...(await storage.list!())].sort()).toEqual([...keys].sort());
    expect((await storage.read({ keys })).values).toEqual(values.map(([, value]) => value));
    expect(await verify(storage)).toEqual([]);
    const account = await openForTest({ storage });
    const exported = await new Response(exportAll(account)).text();
    expect(behindHead(exported)).toBe(behindHead(archive));
  });

  it('is written on, and read again', async () => {
    const folder = copyOf(name);
    const storage = fileStorage(folder);
    await commit(storage, { puts: [['pages/999', Uint8Array.of(9)]], deletes: ['pages/root'] });
    await storage.close();

    const again = fileStorage(folder);
    const { values: read } = await again.read({ keys: ['pages/999', 'pages/root', 'log/base'] });
    await again.close();

    const [, base] = values.find(([key]) => key === 'log/base')!;
    expect(read).toEqual([Uint8Array.of(9), undefined, base]);
  });

  it('has the version of its name', () => {
    const bytes = readFileSync(join(FIXTURES, name, 'entitable.store'));

    expect(`folder-${bytes[4]}`).toBe(name);
  });
});

it('a folder of the version that is written is stored', () => {
  expect(folders).toContain(`folder-${FILE_VERSION}`);
});

// Makes a new fixture, and is no test of the suite.
if (process.env['ENTITABLE_WRITES_FIXTURES']) {
  it('writes a folder', async () => {
    const folder = join(FIXTURES, `folder-${FILE_VERSION}`);
    expect(existsSync(folder)).toBe(false);
    const storage = fileStorage(folder);
    // Some values are overwritten, and one is deleted.
    const first = [1, 'root'].map((id) => [`pages/${id}`, Uint8Array.of(1)] as const);
    await commit(storage, { puts: first as Batch['puts'] });
    for (const put of values) await commit(storage, { puts: [put] });
    await commit(storage, { deletes: ['pages/1'] });
    await storage.close();
    // The reserve for deletions on a full disk has no meaning.
    for (const reserve of ['entitable.reserve', 'entitable.reserve.move']) {
      rmSync(join(folder, reserve), { force: true });
    }
  });
}
