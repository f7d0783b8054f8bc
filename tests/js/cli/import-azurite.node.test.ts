import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { importAzurite } from '../../../js/src/cli/import-azurite.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';

const ACCOUNT = 'devstoreaccount1';

function fileWith(...tables: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, '__azurite_db_table__.json');
  const list = {
    name: '$TABLES_COLLECTION$',
    data: tables.map((table) => ({ account: ACCOUNT, table })),
  };
  const times = { lastModifiedTime: '2024-05-01T10:20:30.1234567Z' };
  const entity = { PartitionKey: 'p', RowKey: 'r', ...times, properties: {} };
  const contents = tables.map((table) => ({ name: `${ACCOUNT}$${table}`, data: [entity] }));
  writeFileSync(file, JSON.stringify({ collections: [list, ...contents] }));
  return file;
}

it('takes back its own tables alone if it fails at the table of another process', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const listTables = account.listTables.bind(account);
  // The other process comes between the check and the import.
  account.listTables = () => {
    account.listTables = listTables;
    return Object.assign(listTables(), {
      async *[Symbol.asyncIterator]() {
        yield* listTables();
        await account.createTable('Pets');
      },
    });
  };

  const target = { file: fileWith('Birds', 'Pets', 'Trees'), name: ACCOUNT };
  await expect(importAzurite(account, target, () => undefined)).rejects.toThrow(
    /table Pets is refused with TableAlreadyExists/,
  );
  expect(await collect(account.listTables())).toEqual([{ name: 'Pets' }]);
});
