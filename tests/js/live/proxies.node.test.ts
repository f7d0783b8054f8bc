// Clients and live results behind a proxy, as frameworks make them of objects in their state.

import { describe, expect, test } from 'vitest';
import { isReactive, reactive, ref, shallowRef } from 'vue';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { Received } from '../support/received.js';

const rex = { partitionKey: 'p', rowKey: 'rex' };

const openPets = async () => {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Pets');
  const table = account.tableClient('Pets');
  return { account, table, live: table.liveEntities(), count: table.liveCount() };
};

describe.each([
  ['a proxy', <T extends object>(value: T): T => new Proxy(value, {})],
  ['reactive state of Vue', <T extends object>(value: T): T => reactive({ value }).value as T],
  ['a ref of Vue', <T extends object>(value: T): T => ref(value).value as T],
])('in %s', (_, wrap) => {
  test('an account and a table work', async () => {
    const opened = await openPets();
    const account = wrap(opened.account);
    const table = wrap(account.tableClient('Pets'));

    await table.createEntity(rex);
    expect(await table.getEntity('p', 'rex')).toMatchObject(rex);
    expect(await table.countEntities()).toBe(1);
    await table.submitTransaction([['delete', rex]]);
    for await (const entity of table.listEntities()) expect(entity).toBeUndefined();
    expect(account.isInWorker).toBe(opened.account.isInWorker);
  });

  test('live results work', async () => {
    const opened = await openPets();
    const live = wrap(opened.live);
    const received = new Received<readonly object[]>();
    live.subscribe({ next: received.listener });
    await received.next();
    expect([live.isLoaded, live.isStale, live.getSnapshot()]).toEqual([true, false, []]);

    await opened.table.createEntity(rex);
    expect(await received.next()).toMatchObject([rex]);
    live.update({ filter: 'false' });
    expect(live.isStale).toBe(true);
    expect(await received.next()).toEqual([]);
    for await (const number of wrap(opened.count)) {
      expect(number).toBe(1);
      break;
    }
  });
});

test('Vue makes no proxies of clients and live results, but of results', async () => {
  const { account, table, live, count } = await openPets();
  const state = reactive({ account, table, live, count });

  for (const one of [state.account, state.table, state.live, state.count]) {
    expect(isReactive(one)).toBe(false);
  }
  const entities = shallowRef(live.getSnapshot());
  const received = new Received<unknown>();
  live.subscribe((result) => {
    entities.value = result;
    received.listener(result);
  });
  await table.createEntity(rex);
  await received.next(() => live.getSnapshot().length === 1);
  expect(entities.value).toMatchObject([rex]);
});

test('a server snapshot is empty, and always the same', async () => {
  const { table, live, count } = await openPets();
  const { getServerSnapshot } = live;
  const empty = getServerSnapshot();
  expect(empty).toEqual([]);
  const received = new Received<unknown>();
  live.subscribe({ next: received.listener });
  await table.createEntity(rex);
  await received.next(() => live.getSnapshot().length === 1);

  expect(getServerSnapshot()).toBe(empty);
  expect(empty).toEqual([]);
  expect(count.getServerSnapshot()).toBe(0);
});
