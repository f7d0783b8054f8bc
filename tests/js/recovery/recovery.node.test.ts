import { describe, expect, it } from 'vitest';

import { exportAll } from '../../../js/src/archive.js';
import { repair, verify } from '../../../js/src/recovery.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage, StorageKey } from '../../../js/src/storage/page-storage.js';
import store from '../../fixtures/store-1.txt?raw';
import { openForTest } from '../support/accounts.js';
import { storageOfLines } from '../support/fixtures.js';
import { errorCode, tableError } from '../support/rejection.js';
import { STORAGES, WatchedStorage } from '../support/storages.js';

const KEYS = store
  .trim()
  .split('\n')
  .map((line) => line.split(' ')[0] as StorageKey);

const textOf = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

async function damage(storage: PageStorage, key: StorageKey): Promise<void> {
  const value = (await storage.read({ keys: [key] })).values[0]!;
  value[value.length >> 1]! ^= 4;
  await storage.commit({ expect: [], puts: [[key, value]], deletes: [] });
}

async function exportOf(storage: PageStorage): Promise<string> {
  return textOf(exportAll(await openForTest({ storage })));
}

it('a storage that returns null for missing values can be verified', async () => {
  const inner = memoryStorage();
  const account = await openForTest({ storage: inner });
  await account.createTable('Pets');
  const storage = new WatchedStorage(inner);
  storage.onRead = async (request) => {
    const { values, records } = await inner.read(request);
    return { values: values.map((value) => value ?? null) as never, records };
  };

  expect(await verify(storage)).toEqual([]);
});

describe.each(STORAGES)('a store in $adapter storage', ({ open }) => {
  it('is verified while it is used, and has all its keys in its list', async () => {
    const storage = open();
    const account = await openForTest({ storage });
    await account.createTable('Pets');
    const pets = account.tableClient('Pets');
    await pets.importEntities(
      Array.from({ length: 5000 }, (_, i) => ({ partitionKey: 'p', rowKey: `${i}`, N: i })),
    );
    const verifying = verify(storage);
    await Promise.all([
      pets.createEntity({ partitionKey: 'q', rowKey: '1' }),
      pets.createEntity({ partitionKey: 'q', rowKey: '2' }),
    ]);

    expect(await verifying).toEqual([]);
    expect(await storage.list!()).toEqual(
      expect.arrayContaining(['log/base', 'log/1', 'pages/root', 'pages/1']),
    );
  });

  it('without a manifest is repaired', async () => {
    const storage = open();
    const account = await openForTest({ storage });
    await account.createTable('Pets');
    await account
      .tableClient('Pets')
      .importEntities(
        Array.from({ length: 5000 }, (_, i) => ({ partitionKey: 'p', rowKey: `${i}`, N: i })),
      );
    const whole = await textOf(exportAll(account));
    await storage.commit({ expect: [], puts: [], deletes: ['pages/root'] });

    const { storage: saved, findings, named } = await repair(storage);

    expect(findings).toMatchObject([{ key: 'pages/root', flaw: 'missing', lossy: true }]);
    expect(named).toEqual([]);
    expect(await exportOf({ ...readOnly(saved) })).toBe(whole);
  });
});

// Without what would remove the store that the test removes itself.
const readOnly = (storage: PageStorage): PageStorage => ({
  read: (request) => storage.read(request),
  commit: (batch) => storage.commit(batch),
  close: async () => {},
  destroy: async () => {},
});

describe('a damaged value', () => {
  it.each(KEYS.filter((key) => !/^log\/\d/.test(key)))(
    'at %s is named by verify, and by the read that finds it',
    async (key) => {
      const storage = await storageOfLines(store);
      await damage(storage, key);

      const findings = await verify(storage);
      expect(findings).toMatchObject([{ key, flaw: 'damaged' }]);
      // Nothing needs to read what was compacted already.
      const read = await exportOf(storage).catch((error: unknown) => error);
      if (typeof read !== 'string') {
        expect(read).toMatchObject({ code: 'StorageDamaged', details: { storageKey: key } });
      }
    },
  );

  it('loses only its own contents', async () => {
    const whole = new Set((await exportOf(await storageOfLines(store))).split('\n'));
    for (const key of KEYS) {
      const storage = await storageOfLines(store);
      await damage(storage, key);
      const { storage: saved, findings } = await repair(storage);
      const rest = (await exportOf(readOnly(saved))).split('\n');
      const lost = [...whole].filter((line) => !rest.includes(line));

      // The last line says how many there are.
      if (findings.some(({ lossy }) => lossy)) expect(rest.length, key).toBeGreaterThan(10);
      else expect(lost, key).toEqual([]);
    }
  });

  it('is left out if its storage does not return it', async () => {
    const storage = await storageOfLines(store);
    await damage(storage, 'log/base');
    const watched = new WatchedStorage(storage);
    const { TableError } = await import('../../../js/src/base/errors.js');
    watched.onRead = ({ keys }) =>
      keys.includes('log/base')
        ? Promise.reject(new TableError('StorageDamaged', 'A checksum does not fit.'))
        : undefined;
    const listing = Object.assign(watched, { list: () => storage.list!() });

    const findings = await verify(listing);

    expect(findings).toMatchObject([{ key: 'log/base', flaw: 'damaged', lossy: false }]);
  });

  it('is left out if its storage returns another type than bytes', async () => {
    const storage = await storageOfLines(store);
    const watched = new WatchedStorage(storage);
    const { TableError } = await import('../../../js/src/base/errors.js');
    watched.onRead = ({ keys, recordsAfter }) => {
      if (!keys.includes('log/base')) return undefined;
      return recordsAfter === undefined
        ? Promise.resolve({ values: [{ length: 2 ** 40 }] as never, records: [] })
        : Promise.reject(new TableError('StorageDamaged', 'A checksum does not fit.'));
    };
    const listing = Object.assign(watched, { list: () => storage.list!() });

    const findings = await verify(listing);

    expect(findings).toMatchObject([{ key: 'log/base', flaw: 'damaged', lossy: false }]);
  });
});

describe('a store of a newer version', () => {
  it.each(KEYS.filter((key) => key === 'log/base' || key === 'pages/root'))(
    'says so at %s, and stays as it is',
    async (key) => {
      const storage = new WatchedStorage(await storageOfLines(store));
      const value = (await storage.inner.read({ keys: [key] })).values[0]!;
      value[4]!++;
      await storage.inner.commit({ expect: [], puts: [[key, value]], deletes: [] });
      const account = await openForTest({ storage });
      const table = account.tableClient('Kept');

      const error = await tableError(table.createEntity({ partitionKey: 'p', rowKey: 'new' }));

      expect(error.code).toBe('StorageVersionNewer');
      expect(error.details.storageKey).toBe(key);
      expect(storage.commits).toEqual([]);
      expect(await verify(storage.inner)).toMatchObject([{ key, flaw: 'newer' }]);
      // The page loaded again, with the newer code.
      value[4]!--;
      await storage.inner.commit({ expect: [], puts: [[key, value]], deletes: [] });
      await table.createEntity({ partitionKey: 'p', rowKey: 'new' });
    },
  );
});

describe('a repaired store', () => {
  it('cannot be written to', async () => {
    const { storage } = await repair(await storageOfLines(store));
    const account = await openForTest({ storage: readOnly(storage) });

    const write = account.tableClient('Kept').createEntity({ partitionKey: 'p', rowKey: 'new' });

    expect(await errorCode(write)).toBe('StorageUnavailable');
  });

  it('is read by the keys that were asked for, whatever becomes of their array', async () => {
    const { storage } = await repair(await storageOfLines(store));
    const expected = await storage.read({ keys: ['pages/root', 'pages/1'] });
    const keys: StorageKey[] = ['pages/root', 'pages/1'];
    const reading = storage.read({ keys });
    keys.reverse();

    expect(await reading).toEqual(expected);
  });

  it('of nothing is nothing', async () => {
    const { storage, findings, named } = await repair(memoryStorage());

    expect({ findings, named }).toEqual({ findings: [], named: [] });
    expect(await storage.read({ keys: ['log/base'], recordsAfter: 0 })).toEqual({
      values: [undefined],
      records: [],
    });
  });
});
