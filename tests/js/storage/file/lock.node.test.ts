import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { fileStorage } from '../../../../js/src/storage/file.js';
import { nodeFileSystem } from '../../../../js/src/storage/file/node/file-system.js';
import { processesHere } from '../../../../js/src/storage/file/node/processes.js';
import { folderStores } from '../../../../js/src/storage/file/node/stores.js';
import type { PageStorage } from '../../../../js/src/storage/page-storage.js';
import { freshFolder } from '../../support/file-storages.js';
import { FaultFileSystem } from '../../support/file/fault-file-system.js';
import { FOLDER } from '../../support/file/numbered-commits.js';
import { startWriter } from '../../support/file/writer-process.js';
import { errorCode, tableError } from '../../support/rejection.js';

const open = (storage: PageStorage) => storage.read({ keys: [] });
const locksIn = (folder: string) =>
  readdirSync(folder).filter((name) => name.startsWith('entitable.lock.'));

/** As another copy of the package in this process has them. */
const otherStores = () => folderStores({ fileSystem: nodeFileSystem, processes: processesHere() });

function storageIn(folder: string): PageStorage {
  const storage = fileStorage(folder, { durability: 'relaxed' });
  onTestFinished(() => storage.close());
  return storage;
}

it('refuses a folder of another process, and names the process', async () => {
  const folder = freshFolder();
  const writer = await startWriter(folder, 'relaxed');
  onTestFinished(async () => void (await writer.kill()));
  await writer.acknowledged(1);

  const error = await tableError(open(storageIn(folder)));

  expect(error.code).toBe('StorageUnavailable');
  expect(error.message).toContain(`process ${writer.pid}`);
  expect(locksIn(folder)).toHaveLength(1);
  const { outcome, cause } = await storageIn(folder).commit({ expect: [], puts: [], deletes: [] });
  expect(outcome).toBe('refused');
  expect(cause).toMatchObject({ code: 'StorageUnavailable' });
});

it('takes the folder over from a process that was killed', async () => {
  const folder = freshFolder();
  const writer = await startWriter(folder, 'relaxed');
  await writer.acknowledged(1);
  const [lock] = locksIn(folder);
  await writer.kill();

  await open(storageIn(folder));

  expect(locksIn(folder)).toHaveLength(1);
  expect(locksIn(folder)).not.toContain(lock);
});

it.runIf(process.platform === 'linux')(
  'takes it over if another process has the same id',
  async () => {
    const folder = freshFolder();
    mkdirSync(folder);
    const zeros = '00000000-0000-0000-0000-000000000000';
    for (const pid of [process.pid, process.ppid, 1]) {
      writeFileSync(join(folder, `entitable.lock.${pid}.123-abcdef01.${zeros}`), '');
    }

    await open(storageIn(folder));

    expect(locksIn(folder)).toHaveLength(1);
  },
);

it('respects the lock of a living process whose start time cannot be read', async () => {
  const folder = freshFolder();
  mkdirSync(folder);
  const name = `entitable.lock.${process.ppid}.c1700000000.00000000-0000-0000-0000-000000000000`;
  writeFileSync(join(folder, name), '');

  expect((await tableError(open(storageIn(folder)))).message).toContain(name);
});

it('leaves files alone that are no locks', async () => {
  const folder = freshFolder();
  mkdirSync(folder);
  for (const name of ['entitable.lock.x', 'entitable.lock.1', 'notes']) {
    writeFileSync(join(folder, name), 'mine');
  }

  await storageIn(folder).destroy();

  expect(readdirSync(folder).sort()).toEqual(['entitable.lock.1', 'entitable.lock.x', 'notes']);
});

it('is shared by all accounts of the folder, until the last one is closed', async () => {
  const folder = freshFolder();
  const [one, other] = [
    storageIn(folder),
    storageIn(join(folder, '..', folder.split('/').at(-1)!)),
  ];
  await one.commit({ expect: [], puts: [['log/1', Uint8Array.of(1)]], deletes: [] });

  expect((await other.read({ keys: ['log/1'] })).values).toEqual([Uint8Array.of(1)]);
  expect(locksIn(folder)).toHaveLength(1);
  await one.close();
  expect(locksIn(folder)).toHaveLength(1);
  await other.close();
  expect(locksIn(folder)).toEqual([]);
  expect((await one.read({ keys: ['log/1'] })).values).toEqual([Uint8Array.of(1)]);
});

it('refuses another copy of the package in the same process', async () => {
  const folder = freshFolder();
  await open(storageIn(folder));
  const other = otherStores().storageFor({ folder, durability: 'relaxed' });

  expect((await tableError(open(other))).message).toContain(`this process (${process.pid})`);
});

it('goes to at most one of many processes that ask at the same time', async () => {
  for (let round = 0; round < 20; round++) {
    const fileSystem = new FaultFileSystem();
    const asked = Array.from({ length: 3 }, (_, at) => {
      const processes = { self: { pid: at + 1, started: '0' }, boot: 0, lives: async () => true };
      const stores = folderStores({ fileSystem, processes });
      return stores.storageFor({ folder: FOLDER, durability: 'relaxed' });
    });

    const outcomes = await Promise.all(
      asked.map((storage) =>
        open(storage).then(
          () => 'open',
          () => 'refused',
        ),
      ),
    );

    expect(outcomes.filter((outcome) => outcome === 'open').length).toBeLessThanOrEqual(1);
  }
});

it('is not available if the folder is a file', async () => {
  const folder = freshFolder();
  writeFileSync(folder, '');

  expect(await errorCode(open(storageIn(folder)))).toBe('StorageUnavailable');
});

it('touches nothing before its first use', () => {
  const folder = freshFolder();

  fileStorage(folder);

  expect(() => readdirSync(folder)).toThrow('ENOENT');
});
