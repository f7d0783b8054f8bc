// The reports of a subscription on writes of its own account and of other accounts on the same
// storage.

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { LiveEntitiesOptions, TableEntityChanges } from '../../../js/src/live/models.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, openTable } from '../support/accounts.js';
import { countedSignal } from '../support/signals.js';
import { STORAGES, WatchedStorage } from '../support/storages.js';
import { Received } from '../support/received.js';

type Changes = TableEntityChanges<Record<string, unknown>>;

/** "+rex ~ada -zoe" */
function brief({ inserted, updated, deleted, reset }: Changes): string {
  return [
    ...(reset ? ['reset'] : []),
    ...inserted.map(({ rowKey }) => `+${rowKey}`),
    ...updated.map(({ rowKey }) => `~${rowKey}`),
    ...deleted.map(({ rowKey }) => `-${rowKey}`),
  ].join(' ');
}

/** Past the notice that it has begun. */
async function subscribed(table: TableClient, options: LiveEntitiesOptions = {}) {
  const received = new Received<string>();
  const errors = new Received<unknown>();
  const unsubscribe = table.subscribe({ onError: errors.listener, ...options }, (changes) =>
    received.listener(brief(changes)),
  );
  expect(await received.next()).toBe('reset');
  return { received, errors, unsubscribe };
}

const pet = (rowKey: string, members: object = {}) => ({ partitionKey: 'p', rowKey, ...members });

describe.each(STORAGES)('a subscription over $adapter', ({ open }) => {
  test('reports inserts, updates and deletions of its own account', async () => {
    const table = await openTable({ storage: open() });
    await table.createEntity(pet('ada'));
    const { received } = await subscribed(table);

    await table.createEntity(pet('rex'));
    expect(await received.next()).toBe('+rex');
    await table.updateEntity(pet('ada', { age: 4 }));
    expect(await received.next()).toBe('~ada');
    await table.deleteEntity('p', 'rex');
    expect(await received.next()).toBe('-rex');
  });

  test('reports the writes of another account', async () => {
    const storage = open();
    const mine = await openTable({ storage });
    const theirs = (await openForTest({ storage })).tableClient('Pets');
    const { received } = await subscribed(mine);

    await theirs.createEntity(pet('rex'));
    expect(await received.next()).toBe('+rex');
    await theirs.deleteEntity('p', 'rex');
    expect(await received.next()).toBe('-rex');
  });

  test('reports entities with all their properties', async () => {
    const table = await openTable({ storage: open() });
    const received = new Received<Changes>();
    table.subscribe({}, received.listener);
    await received.next(({ reset }) => reset);

    const { etag } = await table.createEntity(pet('rex', { age: 3, born: new Date(0) }));

    const { inserted, updated, deleted } = await received.next();
    expect(inserted).toEqual([
      { ...pet('rex', { age: 3, born: new Date(0) }), etag, timestamp: expect.any(String) },
    ]);
    expect([updated, deleted]).toEqual([[], []]);
    await table.deleteEntity('p', 'rex');
    expect((await received.next()).deleted).toEqual([{ ...pet('rex'), etag }]);
  });
});

describe('a subscription', () => {
  test('reports which entities fit the filter, and which fit no more', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.createEntity(pet('old', { age: 9 }));
    const { received } = await subscribed(table, { filter: 'age gt 5' });

    await table.createEntity(pet('young', { age: 1 }));
    await table.createEntity(pet('other', { age: 7 }));
    expect(await received.next()).toBe('+other');
    await table.updateEntity(pet('young', { age: 6 }));
    expect(await received.next()).toBe('+young');
    await table.updateEntity(pet('old', { age: 2 }));
    expect(await received.next()).toBe('-old');
    await table.deleteEntity('p', 'old');
    await table.deleteEntity('p', 'other');
    expect(await received.next()).toBe('-other');
  });

  test('leaves nothing on a signal once it has ended, however it does', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const { signal, listeners } = countedSignal();
    const options = { abortSignal: signal };

    const { unsubscribe } = await subscribed(account.tableClient('Pets'), options);
    unsubscribe();
    expect(listeners()).toBe(0);
    const { errors } = await subscribed(account.tableClient('Pets'), options);
    await account.deleteTable('Pets');
    await errors.next();
    expect(listeners()).toBe(0);
  });

  test('reports a write right after its beginning', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.createEntity(pet('ada'));
    const received = new Received<string>();
    table.subscribe({}, (changes) => received.listener(brief(changes)));
    await Promise.all([table.createEntity(pet('rex')), table.updateEntity(pet('ada'))]);

    expect(await received.next()).toBe('reset');
    expect(await received.next()).toBe('+rex ~ada');
  });

  test('reports a commit in one call', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const { received } = await subscribed(table);

    await table.submitTransaction([
      ['create', pet('a')],
      ['create', pet('b')],
    ]);

    expect(await received.next()).toBe('+a +b');
  });

  test('reports a bulk load in one call', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const { received } = await subscribed(table);

    await table.importEntities(Array.from({ length: 5000 }, (_, i) => pet(`n${i}`, { i })));
    expect(await received.next()).toBe('reset');
    await table.createEntity(pet('rex'));

    expect(await received.next()).toBe('+rex');
  });

  test('continues after many existing entities', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.importEntities(Array.from({ length: 2500 }, (_, i) => pet(`n${i}`, { i })));
    const { received } = await subscribed(table);

    await table.updateEntity(pet('n2400'));
    await table.deleteEntity('p', 'n0');

    expect([await received.next(), await received.next()]).toEqual(['~n2400', '-n0']);
  });

  test.each([
    ['it is unsubscribed', async ({ unsubscribe }: { unsubscribe: () => void }) => unsubscribe()],
    ['its signal fires', async ({ abort }: { abort: () => void }) => abort()],
  ])('ends when %s', async (_, end) => {
    const table = await openTable({ storage: memoryStorage() });
    const controller = new AbortController();
    const { received, errors, unsubscribe } = await subscribed(table, {
      abortSignal: controller.signal,
    });
    const other = await subscribed(table);

    await end({ unsubscribe, abort: () => controller.abort() });
    await table.createEntity(pet('rex'));

    expect(await other.received.next()).toBe('+rex');
    expect([received.all, errors.all]).toEqual([[], []]);
  });

  test('ends without a word when the account is closed', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const { received, errors } = await subscribed(account.tableClient('Pets'));

    await account.close();

    expect([received.all, errors.all]).toEqual([[], []]);
  });

  test('fails without a table, and when the table is deleted', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const { errors } = await subscribed(account.tableClient('Pets'));
    await account.deleteTable('Pets');
    expect(await errors.next()).toMatchObject({ code: 'TableNotFound' });

    account.tableClient('Pets').subscribe({ onError: errors.listener }, () => {});
    expect(await errors.next()).toMatchObject({ code: 'TableNotFound' });
  });

  test('fails with the error of its filter', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const errors = new Received<unknown>();

    table.subscribe({ filter: 'age gt', onError: errors.listener }, () => {});

    expect(await errors.next()).toMatchObject({ code: 'InvalidInput' });
  });

  test('fails when the storage can no longer be read', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const storage = new WatchedStorage();
    const { errors } = await subscribed(await openTable({ storage }));
    storage.onRead = () => Promise.reject(new Error('lost'));

    vi.advanceTimersByTime(5000);

    expect(await errors.next()).toMatchObject({ code: 'StorageUnavailable' });
  });

  test('refreshes every few seconds if the storage gives no hints', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const storage = new WatchedStorage();
    const { received } = await subscribed(await openTable({ storage }));
    const theirs = (await openForTest({ storage: storage.inner })).tableClient('Pets');
    await theirs.createEntity(pet('rex'));
    expect(received.all).toEqual([]);

    vi.advanceTimersByTime(5000);

    expect(await received.next()).toBe('+rex');
  });

  test('knows each change that comes with a new index of thousands of entries', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const storage = new WatchedStorage();
    const mine = await openTable({ storage });
    const many = Array.from({ length: 4000 }, (_, n) => pet(`pet ${n}`, { name: `Name ${n}` }));
    await mine.importEntities(many);
    const { received } = await subscribed(mine);
    const theirs = await openForTest({ storage: storage.inner });

    await theirs.updateIndexes({ tableName: 'Pets', indexes: [['name']] });
    await theirs.tableClient('Pets').updateEntity(pet('pet 7', { name: 'Rex' }));
    vi.advanceTimersByTime(5000);

    expect(await received.next()).toBe('~pet 7');
  });
});
