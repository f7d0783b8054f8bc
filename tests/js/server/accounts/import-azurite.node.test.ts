import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { importAzurite } from '../../../../js/src/server/accounts/import-azurite.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';
import { collect, openForTest } from '../../support/accounts.js';

const ACCOUNT = 'devstoreaccount1';

// Each table has one entity, with these properties.
function fileWith(tables: string[], properties: object = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'entitable-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, '__azurite_db_table__.json');
  const list = {
    name: '$TABLES_COLLECTION$',
    data: tables.map((table) => ({ account: ACCOUNT, table })),
  };
  const times = { lastModifiedTime: '2024-05-01T10:20:30.1234567Z' };
  const entity = { PartitionKey: 'p', RowKey: 'r', ...times, properties };
  const contents = tables.map((table) => ({ name: `${ACCOUNT}$${table}`, data: [entity] }));
  writeFileSync(file, JSON.stringify({ collections: [list, ...contents] }));
  return file;
}

const SILENT = { onNotice: () => undefined, onWarning: () => undefined };

function newLines() {
  const lines: string[] = [];
  const add = (kind: string) => (line: string) => void lines.push(`${kind} ${line}`);
  return { lines, onNotice: add('notice'), onWarning: add('warning') };
}

it('names what it leaves out, and stores the rest', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const old = { 'Born@odata.type': 'Edm.DateTime', Born: '0001-01-01T00:00:00Z', Name: 'Rex' };
  const file = fileWith(['Birds', 'Pets'], old);
  const heard = newLines();

  await expect(importAzurite(account, { file, name: ACCOUNT, ...heard })).rejects.toThrow(
    /2 of its entities were left out/,
  );
  expect(heard.lines).toHaveLength(3);
  expect(heard.lines[0]).toMatch(
    /^warning left out entity \('p', 'r'\) of table Birds, property Born: OutOfRangeInput: /,
  );
  expect(await collect(account.listTables())).toEqual([{ name: 'Birds' }, { name: 'Pets' }]);
  // The next start serves what is there.
  const again = newLines();
  await importAzurite(account, { file, name: ACCOUNT, ...again });
  expect(again.lines).toEqual(['notice left the tables Birds, Pets alone: they exist already']);
});

it('adds the tables that are missing', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('pets');

  const file = fileWith(['Birds', 'Pets'], { Name: 'Rex' });
  await importAzurite(account, { file, name: ACCOUNT, ...SILENT });
  expect(await collect(account.tableClient('Birds').listEntities())).toMatchObject([
    { Name: 'Rex' },
  ]);
  expect(await collect(account.tableClient('Pets').listEntities())).toEqual([]);
});

it('warns of a file without tables', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const heard = newLines();

  const file = fileWith([]);
  await importAzurite(account, { file, name: ACCOUNT, ...heard });
  expect(heard.lines).toEqual([`warning ${file} has no tables of ${ACCOUNT}`]);
});

it('does not take a table for complete whose import was cut off', async () => {
  const storage = memoryStorage();
  const killed = await openForTest({ storage });
  const target = { file: fileWith(['Birds', 'Pets']), name: ACCOUNT, ...SILENT };
  // As if the process had ended after the tables.
  killed.deleteTable = () => Promise.reject(new Error('killed'));
  await importAzurite(killed, target).catch(() => undefined);

  const account = await openForTest({ storage });
  await expect(importAzurite(account, target)).rejects.toThrow(
    /cut off: delete the table AzuriteImportUnfinished, and the tables Birds, Pets/,
  );
});

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

  const target = { file: fileWith(['Birds', 'Pets', 'Trees']), name: ACCOUNT, ...SILENT };
  await expect(importAzurite(account, target)).rejects.toThrow(
    /table Pets is refused with TableAlreadyExists/,
  );
  expect(await collect(account.listTables())).toEqual([{ name: 'Pets' }]);
});
