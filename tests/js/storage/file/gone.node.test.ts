// The file of a store that is removed, replaced or cut while it is open, or while it is closed.

import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../../js/src/client/table-service-client.js';
import { openAccount } from '../../../../js/src/index.js';
import { fileStorage } from '../../../../js/src/storage/file.js';
import { openForTest } from '../../support/accounts.js';
import { freshFolder } from '../../support/file-storages.js';
import { FaultFileSystem } from '../../support/file/fault-file-system.js';
import {
  batchOf,
  lastCommitOf,
  openStore,
  STORE_PATH,
  commitAll,
} from '../../support/file/numbered-commits.js';
import { tableError } from '../../support/rejection.js';

const FILE = 'entitable.store';

interface Way {
  readonly way: string;
  readonly code: string;
  /** What the next opening reports. Undefined: it creates a new store. */
  readonly next?: string;
  lose(folder: string): void;
}

const WAYS: readonly Way[] = [
  {
    way: 'its folder is removed',
    code: 'StorageEvicted',
    lose: (folder) => rmSync(folder, { recursive: true }),
  },
  {
    way: 'its file is removed',
    code: 'StorageEvicted',
    next: 'StorageDamaged',
    lose: (folder) => unlinkSync(join(folder, FILE)),
  },
  {
    way: 'its folder has another name',
    code: 'StorageEvicted',
    lose: (folder) => renameSync(folder, `${folder}-moved`),
  },
  {
    way: 'an older copy takes its place',
    code: 'StorageEvicted',
    next: 'Tab',
    lose: (folder) => renameSync(join(folder, 'copy'), join(folder, FILE)),
  },
  {
    way: 'its file is cut',
    code: 'StorageDamaged',
    next: 'StorageDamaged',
    lose: (folder) => truncateSync(join(folder, FILE), 300),
  },
];

const CALLS: Record<string, (account: TableServiceClient) => Promise<unknown>> = {
  'a write': (account) => account.tableClient('Tab').createEntity(pet('2')),
  'a read of the storage': (account) => account.tableClient('Tab').countEntities({ fresh: true }),
  'an import': (account) =>
    account.tableClient('Tab').importEntities([pet('3'), pet('4')], { mode: 'Replace' }),
  close: (account) => account.close(),
};

const pet = (rowKey: string) => ({ partitionKey: 'p', rowKey });

async function opened(folder: string, durability: 'relaxed' | 'strict') {
  const before = await openAccount({ storage: fileStorage(folder) });
  await before.createTable('Tab');
  await before.close();
  copyFileSync(join(folder, FILE), join(folder, 'copy'));
  // Without openForTest(): to close it may fail.
  const account = await openAccount({ storage: fileStorage(folder, { durability }) });
  await account.tableClient('Tab').createEntity(pet('1'));
  return account;
}

async function found(folder: string): Promise<string> {
  try {
    const account = await openForTest({ storage: fileStorage(folder) });
    const names: unknown[] = [];
    for await (const { name } of account.listTables()) names.push(name);
    return names.join();
  } catch (error) {
    return (error as { code: string }).code;
  }
}

describe.each(WAYS)('a store of which, while it is open, $way', ({ code, lose, next = '' }) => {
  it.each(Object.entries(CALLS))('fails %s with its code', async (_, call) => {
    const folder = freshFolder();
    const account = await opened(folder, 'strict');
    lose(folder);

    expect((await tableError(call(account))).code).toBe(code);

    // The error was reported, so the next opening uses the current files.
    await account.close().catch(() => undefined);
    expect(await found(folder)).toBe(next);
  });

  it('acknowledges no relaxed write, and repeats the error until it is closed', async () => {
    const folder = freshFolder();
    const account = await opened(folder, 'relaxed');
    const received: string[] = [];
    account.onStatus((status) => received.push(status));
    lose(folder);

    const table = account.tableClient('Tab');
    expect((await tableError(table.createEntity(pet('2')))).code).toBe(code);
    expect((await tableError(table.createEntity(pet('3')))).code).toBe(code);
    expect(received).toEqual(code === 'StorageEvicted' ? ['evicted'] : []);
    await account.close();
  });
});

it('does not repeat background work for ever if the store is deleted', async () => {
  const fileSystem = new FaultFileSystem();
  const account = await openAccount({ storage: openStore(fileSystem, 'relaxed') });
  await account.createTable('Tab');
  const entities = Array.from({ length: 300 }, (_, row) => ({
    ...pet(`${row}`),
    text: 'x'.repeat(500),
  }));
  await Promise.all(entities.map((entity) => account.tableClient('Tab').createEntity(entity)));
  fileSystem.files.delete(STORE_PATH);
  const checked = new Promise<void>((resolve) => {
    fileSystem.onStep = ({ kind }) => void (kind === 'stat' && resolve());
  });
  await checked;
  // An endless loop would not reach this timer.
  await new Promise((resolve) => setTimeout(resolve));

  expect((await tableError(account.tableClient('Tab').createEntity(pet('new')))).code).toBe(
    'StorageEvicted',
  );
  await account.close();
});

it('reports a removal during a write', async () => {
  const fileSystem = new FaultFileSystem();
  const storage = openStore(fileSystem, 'strict');
  await commitAll(storage, 1, 3, () => undefined);
  fileSystem.onStep = ({ kind }) => void (kind === 'sync' && fileSystem.files.delete(STORE_PATH));

  const { outcome, cause } = await storage.commit(batchOf(4));

  expect(outcome).toBe('unknown');
  expect(cause).toMatchObject({ code: 'StorageEvicted' });
});

it('recognizes a file that it has rewritten', async () => {
  const fileSystem = new FaultFileSystem();
  const storage = openStore(fileSystem, 'strict', { deadBytes: 0 });
  for (let number = 1; number <= 40; number++) {
    const [{ outcome }, read] = await Promise.all([
      storage.commit(batchOf(number)),
      storage.read({ keys: ['log/base'] }),
    ]);
    expect(outcome).toBe('ok');
    expect(read.values).toHaveLength(1);
  }
  expect(fileSystem.steps.filter(({ kind }) => kind === 'rename').length).toBeGreaterThan(3);
  expect(await lastCommitOf(storage)).toBe(40);
});

it('does not write over another store in a rewrite', async () => {
  const fileSystem = new FaultFileSystem();
  const storage = openStore(fileSystem, 'strict', { deadBytes: 0 });
  await commitAll(storage, 1, 3, () => undefined);
  const other = new Uint8Array(10_000);
  fileSystem.onStep = ({ kind, name }) => {
    const isCopied = kind === 'sync' && name === `${FILE}.new`;
    if (isCopied) fileSystem.setBytes(STORE_PATH, other);
  };
  fileSystem.setBytes(STORE_PATH, other);
  await storage.commit(batchOf(4));
  await storage.close().catch(() => undefined);

  expect(fileSystem.bytesOf(STORE_PATH)).toEqual(other);
});

it('opens no empty store if only the reserve of a store exists', async () => {
  const folder = freshFolder();
  await (await opened(folder, 'strict')).close();
  unlinkSync(join(folder, FILE));

  const opening = openAccount({ storage: fileStorage(folder) }).then(async (account) => {
    for await (const table of account.listTables()) return table;
    return undefined;
  });

  const error = await tableError(opening);
  expect(error.code).toBe('StorageDamaged');
  expect(error.message).toContain('entitable.reserve');
  expect(error.cause).toMatchObject({ path: join(folder, FILE) });
});

it('creates a store in a new folder', async () => {
  const folder = freshFolder();
  mkdirSync(folder);
  const account = await openForTest({ storage: fileStorage(folder) });
  await account.createTable('Tab');
});
