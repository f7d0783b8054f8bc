// What only the wrapper does: reads whose parts are gone, damage, outcomes, options.

import { describe, expect, it } from 'vitest';

import { openAccount } from '../../../../js/src/index.js';
import { withMaxValueBytes } from '../../../../js/src/storage/max-value-bytes.js';
import type { Batch } from '../../../../js/src/storage/page-storage.js';
import { LimitedStorage } from '../../support/limited-storage.js';
import { errorCode, tableError } from '../../support/rejection.js';
import { memoryStorage } from '../../../../js/src/storage/memory.js';

const LIMITS = { valueBytes: 1024 };
const long = (seed: number) => new Uint8Array(3000).fill(seed);
const put = (...puts: Batch['puts']): Batch => ({ expect: [], puts, deletes: [] });

describe('a read', () => {
  it('begins again if the value is replaced before its parts are read', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = withMaxValueBytes(database, 1024);
    await storage.commit(put(['pages/1', long(1)], ['pages/2', long(1)]));
    database.onRead = async () => {
      database.onRead = undefined;
      await withMaxValueBytes(database, 1024).commit(
        put(['pages/1', long(2)], ['pages/2', long(2)]),
      );
    };

    expect((await storage.read({ keys: ['pages/1', 'pages/2'] })).values).toEqual([
      long(2),
      long(2),
    ]);
  });

  it('rejects with StorageDamaged if a part is missing', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = withMaxValueBytes(database, 1024);
    await storage.commit(put(['log/3', long(1)]));
    const part = (await database.list()).find((key) => key.startsWith('pages/-'))!;
    await database.inner.commit({ expect: [], puts: [], deletes: [part] });

    const { code, details } = await tableError(storage.read({ keys: ['log/3'] }));
    expect([code, details.storageKey]).toEqual(['StorageDamaged', 'log/3']);
  });

  it('rejects with StorageDamaged if the adapter was used alone before', async () => {
    const database = new LimitedStorage(LIMITS);
    await database.commit(put(['log/1', Uint8Array.of(99, 1)]));

    const read = withMaxValueBytes(database, 1024).read({ keys: ['log/1'] });
    expect(await errorCode(read)).toBe('StorageDamaged');
  });

  it('knows values whose parts had another length', async () => {
    const database = new LimitedStorage(LIMITS);
    await withMaxValueBytes(database, 1024).commit(put(['log/1', long(1)]));

    const { values } = await withMaxValueBytes(database, 2000).read({ keys: ['log/1'] });
    expect(values).toEqual([long(1)]);
  });
});

describe('a commit', () => {
  it('is unknown if one before it was, when it was called', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = withMaxValueBytes(database, 1024);
    database.onCommit = (commits) => (commits === 0 ? { outcome: 'unknown' } : undefined);
    const both = [storage.commit(put(['log/1', long(1)])), storage.commit(put(['log/2', long(2)]))];

    expect((await Promise.all(both)).map(({ outcome }) => outcome)).toEqual(['unknown', 'unknown']);
    expect((await storage.commit(put(['log/2', long(2)]))).outcome).toBe('ok');
  });

  it('is refused with the cause if the database cannot be read', async () => {
    const database = new LimitedStorage(LIMITS);
    const cause = new Error('gone');
    database.onRead = () => Promise.reject(cause);

    expect(await withMaxValueBytes(database, 1024).commit(put(['log/1', long(1)]))).toEqual({
      outcome: 'refused',
      cause,
    });
  });

  it('of short values is one commit of the database, and reads nothing', async () => {
    const database = new LimitedStorage(LIMITS);
    const storage = withMaxValueBytes(database, 1024);
    database.onRead = () => Promise.reject(new Error('a read'));
    const record: Batch = {
      expect: [['log/1', undefined]],
      puts: [['log/1', Uint8Array.of(1)]],
      deletes: [],
    };

    expect((await storage.commit(record)).outcome).toBe('ok');
    expect(database.commits).toBe(1);
  });
});

it('an account works on a database with short values and short batches', async () => {
  const database = new LimitedStorage({ valueBytes: 65_536, batchBytes: 800_000 });
  const storage = withMaxValueBytes(database, 65_536, { maxBatchBytes: 800_000 });
  const account = await openAccount({ storage });
  await account.createTable('Pets');
  const pets = account.tableClient('Pets');
  const text = 'x'.repeat(12_500);
  // 100 entities of 25 KB: one legal transaction.
  await pets.submitTransaction(
    Array.from({ length: 100 }, (_, at) => [
      'create' as const,
      { partitionKey: 'dogs', rowKey: `${at}`, text, more: text },
    ]),
  );
  await account.close();

  const again = await openAccount({ storage: withMaxValueBytes(database, 65_536) });
  expect(await again.tableClient('Pets').countEntities()).toBe(100);
  expect((await again.tableClient('Pets').getEntity('dogs', '99'))['more']).toBe(text);
  await again.close();
});

it('takes only numbers that make sense', async () => {
  const codes = [
    () => withMaxValueBytes(memoryStorage(), 1023),
    () => withMaxValueBytes(memoryStorage(), 2000.5),
    () => withMaxValueBytes(memoryStorage(), 2000, { maxBatchBytes: 1999 }),
    () => withMaxValueBytes(memoryStorage(), 2000, { maxBytes: 1 } as object),
  ].map((call) => errorCode(Promise.resolve().then(call)));

  expect(await Promise.all(codes)).toEqual(codes.map(() => 'InvalidInput'));
});
