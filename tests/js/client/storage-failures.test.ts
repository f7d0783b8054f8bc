import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TransactionAction } from '../../../js/src/entity/models.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { CommitResult } from '../../../js/src/storage/page-storage.js';
import { collect, openForTest, openTable } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { freshName, WatchedStorage } from '../support/storages.js';

const rex = { partitionKey: 'dogs', rowKey: 'rex', Age: 7 };
const cause = new DOMException('full', 'QuotaExceededError');

describe('a storage that fails', () => {
  let storage: WatchedStorage;
  let table: TableClient;

  beforeEach(async () => {
    storage = new WatchedStorage();
    table = await openTable({ storage });
    await table.createEntity({ partitionKey: 'dogs', rowKey: 'ada' });
  });

  const answer = (result: CommitResult) => (storage.onCommit = async () => result);
  const recover = () => {
    storage.onCommit = undefined;
    storage.onRead = undefined;
  };
  const rowKeys = async () => (await collect(table.listEntities())).map(({ rowKey }) => rowKey);

  it.each([
    ['quota', 'StorageQuotaExceeded', 507],
    ['refused', 'StorageUnavailable', 503],
  ] as const)(
    'by %s is the cause of the error, and changes nothing',
    async (outcome, code, statusCode) => {
      answer({ outcome, cause });

      const error = await tableError(table.createEntity(rex));

      expect(error).toMatchObject({ code, statusCode, cause });
      expect(await rowKeys()).toEqual(['ada']);
      recover();
      await table.createEntity(rex);
      expect(await rowKeys()).toEqual(['ada', 'rex']);
    },
  );

  it('reports the missing room, for every kind of write', async () => {
    const room = { usage: 9_000, quota: 10_000 };
    answer({ outcome: 'quota', cause, room });
    const expected = { needed: expect.any(Number), ...room };
    const many = Array.from({ length: 3 }, (_, row) => ({ ...rex, rowKey: `${row}` }));
    const actions = many.map((entity): TransactionAction => ['create', entity]);

    for (const write of [
      () => table.createEntity(rex),
      () => table.submitTransaction(actions),
      () => table.submitTransaction(actions, { split: true }),
      () => table.importEntities(many),
    ]) {
      const { code, details } = await tableError(write());
      expect(code).toBe('StorageQuotaExceeded');
      expect(details.room).toEqual(expected);
      expect(details.room!.needed).toBeGreaterThan(50);
    }
  });

  it.each([undefined, null, 'ok', {}])(
    'with a result of %j, against the contract, leaves the outcome unknown and no call waiting',
    async (result) => {
      answer(result as never);

      const error = await tableError(table.createEntity(rex));

      expect(error.code).toBe('StorageOutcomeUnknown');
      expect(error.cause).toBeInstanceOf(TypeError);
      recover();
      await table.upsertEntity(rex);
    },
  );

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no values', { records: [] }],
    ['too few values', { values: [], records: [] }],
    ['a value that is a buffer', { values: [new ArrayBuffer(4)], records: [] }],
    ['a value that is a text', { values: ['abc'], records: [] }],
    ['no records', { values: [undefined] }],
    ['a record without a number', { values: [undefined], records: [['1', new Uint8Array()]] }],
    ['a record without bytes', { values: [undefined], records: [[1]] }],
  ])('against the contract by a snapshot with %s is what is to blame', async (_, snapshot) => {
    // The module is as well as ever.
    storage.onRead = async () => snapshot as never;

    const error = await tableError(table.getEntity('dogs', 'ada', { fresh: true }));

    expect(error.code).toBe('StorageUnavailable');
    expect(String(error.cause)).toContain('malformed snapshot');
    recover();
    expect(await rowKeys()).toEqual(['ada']);
    await table.createEntity(rex);
  });

  it('refuses all writes that shared the commit, and reads none of them', async () => {
    answer({ outcome: 'quota', cause });

    const writes = ['a', 'b', 'c'].map((rowKey) =>
      errorCode(table.createEntity({ partitionKey: 'dogs', rowKey })),
    );

    expect(new Set(await Promise.all(writes))).toEqual(new Set(['StorageQuotaExceeded']));
    expect(await rowKeys()).toEqual(['ada']);
  });

  it('leaves an update undone, its etag too', async () => {
    const { etag } = await table.getEntity('dogs', 'ada');
    answer({ outcome: 'quota', cause });
    await errorCode(table.updateEntity({ partitionKey: 'dogs', rowKey: 'ada', Age: 1 }));
    recover();

    expect((await table.getEntity('dogs', 'ada')).etag).toBe(etag);
    await table.updateEntity({ partitionKey: 'dogs', rowKey: 'ada' }, 'Merge', { etag });
  });

  it('finds a commit that was stored without an answer', async () => {
    storage.onCommit = async (batch) => {
      storage.onCommit = undefined;
      await storage.inner.commit(batch);
      return { outcome: 'unknown', cause: new Error('lost') };
    };

    await table.createEntity(rex);

    expect(await rowKeys()).toEqual(['ada', 'rex']);
  });

  it('repeats a commit that was lost without an answer, once', async () => {
    storage.onCommit = async () => {
      storage.onCommit = undefined;
      return { outcome: 'unknown', cause: new Error('lost') };
    };

    await table.createEntity(rex);

    expect(await rowKeys()).toEqual(['ada', 'rex']);
  });

  it('is found when a write loses the race to another account', async () => {
    const other = (await openForTest({ storage: storage.inner })).tableClient('Pets');
    await other.createEntity(rex);

    await table.createEntity({ partitionKey: 'dogs', rowKey: 'zoe' });

    expect(await rowKeys()).toEqual(['ada', 'rex', 'zoe']);
  });

  it('in reading is the cause of the error, and the next call reads again', async () => {
    const gone = new Error('gone');
    const fresh = (await openForTest({ storage })).tableClient('Pets');
    storage.onRead = () => Promise.reject(gone);

    const error = await tableError(fresh.getEntity('dogs', 'ada'));

    expect(error).toMatchObject({ code: 'StorageUnavailable', statusCode: 503, cause: gone });
    recover();
    expect(await fresh.getEntity('dogs', 'ada')).toMatchObject({ rowKey: 'ada' });
  });

  it('by damage has a code of its own', async () => {
    const fresh = (await openForTest({ storage })).tableClient('Pets');
    storage.onRead = async (request) => {
      const { values, records } = await storage.inner.read(request);
      for (const [, record] of records) record[record.length - 1]! ^= 1;
      return { values, records };
    };

    expect(await errorCode(fresh.getEntity('dogs', 'ada'))).toBe('StorageDamaged');
  });
});

describe.runIf(typeof indexedDB !== 'undefined')('IndexedDB at its quota', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('refuses a write by name, and accepts the next one', async () => {
    const table = await openTable({ storage: indexedDbStorage(freshName()) });
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (
      this: IDBTransaction,
    ) {
      Object.defineProperty(this, 'error', { value: cause });
      this.abort();
    });

    const error = await tableError(table.createEntity(rex));

    expect(error).toMatchObject({ code: 'StorageQuotaExceeded', statusCode: 507, cause });
    expect(await collect(table.listEntities())).toEqual([]);
    await table.createEntity(rex);
    expect(await collect(table.listEntities())).toHaveLength(1);
  });
});
