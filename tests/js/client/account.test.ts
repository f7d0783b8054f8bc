import { describe, expect, it } from 'vitest';

import { deleteAccount } from '../../../js/src/client/delete-account.js';
import { openAccount } from '../../../js/src/index.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { errorCode, rejection } from '../support/rejection.js';
import { freshName, STORAGES, WatchedStorage } from '../support/storages.js';

const rex = { partitionKey: 'dogs', rowKey: 'rex', Age: 7 };

describe.each(STORAGES)('an account in $adapter storage', ({ open }) => {
  it('has everything again when it is opened again', async () => {
    const storage = open();
    const first = await openForTest({ storage });
    await first.createTable('Pets');
    const { etag } = await first.tableClient('Pets').createEntity(rex);
    await first.close();

    const again = await openForTest({ storage });

    expect((await collect(again.listTables())).map(({ name }) => name)).toEqual(['Pets']);
    expect(await again.tableClient('Pets').getEntity('dogs', 'rex')).toMatchObject({
      ...rex,
      etag,
    });
    await again.tableClient('Pets').updateEntity({ ...rex, Age: 8 }, 'Merge', { etag: etag! });
  });

  it('has a write as soon as its promise resolves, also for the next account', async () => {
    const storage = open();
    const first = await openTable({ storage });
    await first.createEntity(rex);

    const second = await openForTest({ storage });

    expect(await second.tableClient('Pets').getEntity('dogs', 'rex')).toMatchObject(rex);
  });

  it('sees the writes of another one before it refuses a write', async () => {
    const storage = open();
    const one = await openTable({ storage });
    const other = (await openForTest({ storage })).tableClient('Pets');
    expect(await errorCode(other.getEntity('dogs', 'rex'))).toBe('ResourceNotFound');
    await one.createEntity(rex);

    expect(await errorCode(other.createEntity(rex))).toBe('EntityAlreadyExists');
    await one.deleteEntity('dogs', 'rex');
    await other.createEntity(rex);
    expect(await errorCode(one.createEntity(rex))).toBe('EntityAlreadyExists');
  });

  it('keeps concurrent writes of two of them apart', async () => {
    const storage = open();
    const tables = [
      await openTable({ storage }),
      (await openForTest({ storage })).tableClient('Pets'),
    ];

    await Promise.all(
      tables.flatMap((table, who) =>
        Array.from({ length: 20 }, (_, index) =>
          table.createEntity({ partitionKey: 'p', rowKey: `${who}-${index}` }),
        ),
      ),
    );

    const fresh = (await openForTest({ storage })).tableClient('Pets');
    expect(await collect(fresh.listEntities())).toHaveLength(40);
  });

  it('is closed once, and refuses later calls', async () => {
    const account = await openForTest({ storage: open() });
    const table = account.tableClient('Pets');

    await Promise.all([account.close(), account.close()]);
    await account[Symbol.asyncDispose]();

    expect(await errorCode(account.createTable('Pets'))).toBe('AccountClosed');
    expect(await errorCode(table.createEntity(rex))).toBe('AccountClosed');
    expect(await errorCode(table.listEntities().next())).toBe('AccountClosed');
  });

  it('waits for calls under way when it is closed', async () => {
    const storage = open();
    const account = await openForTest({ storage });
    await account.createTable('Pets');
    const created = account.tableClient('Pets').createEntity(rex);
    await Promise.resolve(); // The turn in which the write begins ends here.
    const [outcome] = await Promise.allSettled([created, account.close()]);

    const again = (await openForTest({ storage })).tableClient('Pets');

    const found = await collect(again.listEntities());
    expect(found).toHaveLength(outcome.status === 'fulfilled' ? 1 : 0);
  });

  it('cannot be used after it is deleted', async () => {
    const storage = open();
    const account = await openForTest({ storage });
    await account.createTable('Pets');
    await account.close();

    await deleteAccount(storage);

    const again = await openForTest({ storage });
    expect(await collect(again.listTables())).toEqual([]);
  });

  it('reports that its store was deleted, and changes no other', async () => {
    const storage = open();
    const account = await openForTest({ storage });
    await account.createTable('Pets');
    const table = account.tableClient('Pets');
    await deleteAccount(storage);

    expect(await errorCode(table.createEntity(rex))).toBe('StorageEvicted');

    expect(await errorCode(account.createTable('Pets'))).toBe('StorageEvicted');
    const again = await openForTest({ storage });
    expect(await collect(again.listTables())).toEqual([]);
  });

  it('still shows its data of a store that was deleted', async () => {
    const storage = open();
    const account = await openForTest({ storage });
    await account.createTable('Pets');
    const table = account.tableClient('Pets');
    await table.createEntity(rex);
    const received = new Promise((resolve) => account.onStatus(resolve));
    await deleteAccount(storage);

    expect(await errorCode(table.createEntity(rex))).toBe('StorageEvicted');

    expect(await received).toBe('evicted');
    expect(await collect(table.listEntities())).toMatchObject([rex]);
    expect(await errorCode(table.getEntity('dogs', 'rex', { fresh: true }))).toBe('StorageEvicted');
  });

  it('withdraws a write that its signal overtakes, or does not know of it', async () => {
    const table = await openTable({ storage: open() });
    const controller = new AbortController();

    const write = table.createEntity(rex, { abortSignal: controller.signal });
    controller.abort();

    expect(await rejection(write)).toMatchObject({ name: 'AbortError' });
    expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('ResourceNotFound');
  });
});

describe('an account', () => {
  it('stores 1,000 inserts that are issued at once in a few commits', async () => {
    const storage = new WatchedStorage();
    const table = await openTable({ storage });
    storage.commits = [];

    await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        table.createEntity({ partitionKey: 'p', rowKey: String(index) }),
      ),
    );

    expect(storage.commits.length).toBeLessThanOrEqual(3);
    expect(await collect(table.listEntities())).toHaveLength(1000);
  });

  it('stores requests that come during a commit in the next one', async () => {
    const storage = new WatchedStorage();
    const table = await openTable({ storage });
    storage.commits = [];
    let free!: () => void;
    const held = new Promise<void>((resolve) => (free = resolve));
    storage.onCommit = (batch) => {
      storage.onCommit = undefined;
      return held.then(() => storage.inner.commit(batch));
    };
    const insert = (index: number) =>
      table.createEntity({ partitionKey: 'p', rowKey: String(index) });

    const writes = [insert(0)];
    for (let index = 1; index < 50; index++) {
      await Promise.resolve();
      writes.push(insert(index));
    }
    free();
    await Promise.all(writes);

    expect(storage.commits).toHaveLength(2);
  });

  it('commits with the durability that it was opened with', async () => {
    const storage = new WatchedStorage();

    await openTable({ storage, durability: 'strict' });

    expect(storage.options.map((options) => options?.durability)).not.toContain(undefined);
    expect(new Set(storage.options.map((options) => options?.durability))).toEqual(
      new Set(['strict']),
    );
  });

  it('is opened only if its storage can be used', async () => {
    const storage = new WatchedStorage();
    const cause = new Error('gone');
    storage.onRead = () => Promise.reject(cause);

    await expect(openAccount({ storage })).rejects.toMatchObject({
      code: 'StorageUnavailable',
      cause,
    });
  });

  it('keeps a second account on another store apart', async () => {
    const pets = await openTable({ storage: memoryStorage() });
    const others = await openForTest({ storage: memoryStorage() });

    await pets.createEntity(rex);

    expect(await collect(others.listTables())).toEqual([]);
  });

  it.runIf(typeof indexedDB !== 'undefined')('is deleted by the name of its database', async () => {
    const name = freshName();
    const account = await openAccount({ storage: indexedDbStorage(name) });
    await account.createTable('Pets');
    await account.close();

    await deleteAccount(name);

    expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name);
  });

  it.runIf(typeof indexedDB === 'undefined')(
    'cannot be had without IndexedDB, and says so',
    async () => {
      expect(await errorCode(openAccount({ storage: indexedDbStorage('none') }))).toBe(
        'StorageUnavailable',
      );
      expect(await errorCode(deleteAccount('none'))).toBe('StorageUnavailable');
    },
  );
});

describe('an account that cannot be opened', () => {
  it('closes its storage, whatever failed', async () => {
    const storage = new WatchedStorage();
    const noModule = openAccount({ storage, wasm: new Uint8Array(8) });
    expect(await errorCode(noModule)).toBe('ModuleAborted');
    expect(storage.closed).toBe(1);

    storage.onRead = () => Promise.reject(new Error('denied'));
    expect(await errorCode(openAccount({ storage }))).toBe('StorageUnavailable');
    expect(storage.closed).toBe(2);
  });

  it('never touches a storage for options that are wrong', async () => {
    const storage = new WatchedStorage();

    expect(await errorCode(openAccount({ storage, name: 'No' }))).toBe('InvalidInput');
    expect([storage.reads, storage.closed]).toEqual([[], 0]);
  });
});
