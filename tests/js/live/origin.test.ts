// The origin of the changes that a subscription reports: an app, or sync.

import { expect, test } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { TableEntityChanges } from '../../../js/src/live/models.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { Received } from '../support/received.js';
import { openCloud, openReplica } from '../sync/support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

/** "remote +1 ~2 -3", of each report after the first one. */
async function origins(table: TableClient) {
  const received = new Received<string>();
  table.subscribe(
    {},
    ({ inserted, updated, deleted, reset, origin }: TableEntityChanges<object>) => {
      const keys = (sign: string, rows: readonly object[]) =>
        rows.map((row) => `${sign}${(row as { rowKey: string }).rowKey}`);
      const changes = [...keys('+', inserted), ...keys('~', updated), ...keys('-', deleted)];
      received.listener([...(reset ? ['reset'] : []), origin, ...changes].join(' '));
    },
  );
  expect(await received.next()).toBe('reset ');
  return received;
}

test('writes of the app are local, and what a pull stores is remote', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('theirs', { n: 1 }));
  const { sync, todos } = await openReplica(cloud);
  const received = await origins(todos);

  await todos.createEntity(row('ours', { n: 1 }));
  expect(await received.next()).toBe('local +ours');
  await sync.once();
  expect(await received.next()).toBe('remote +theirs');

  await cloud.todos.updateEntity(row('ours', { n: 2 }));
  await cloud.todos.deleteEntity('p', 'theirs');
  await sync.once();
  expect([await received.next(), await received.next()].sort()).toEqual([
    'remote -theirs',
    'remote ~ours',
  ]);
  // Nothing is told of a push.
  await todos.updateEntity(row('ours', { n: 3 }));
  expect(await received.next()).toBe('local ~ours');
  await sync.once();
  await todos.deleteEntity('p', 'ours');
  expect(await received.next()).toBe('local -ours');
});

test('other accounts of the store are told the same', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('theirs'));
  const storage = memoryStorage();
  const { sync, todos } = await openReplica(cloud, {}, { storage });
  const other = await openForTest({ storage });
  const received = await origins(other.tableClient('Todos'));

  await todos.createEntity(row('ours'));
  expect(await received.next()).toBe('local +ours');
  await sync.once();
  expect(await received.next()).toBe('remote +theirs');
});

test('the result of a conflict is remote, and a discarded write is local', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('1', { a: 1, b: 1 }));
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  await cloud.todos.updateEntity(row('1', { a: 2 }));
  await todos.updateEntity(row('1', { b: 2 }));
  const received = await origins(todos);

  await sync.once();
  expect(await received.next()).toBe('remote ~1');
  await todos.updateEntity(row('1', { b: 3 }));
  expect(await received.next()).toBe('local ~1');
  await sync.discard('Todos', 'p', '1');
  expect(await received.next()).toBe('local ~1');
  expect(await todos.getEntity('p', '1')).toMatchObject({ a: 2, b: 2 });
});

test('local and remote changes that come together are two reports', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('theirs'));
  const storage = memoryStorage();
  const { sync, todos } = await openReplica(cloud, {}, { storage });
  const other = await openForTest({ storage });
  const table = other.tableClient('Todos');
  const result = table.liveEntities()[Symbol.asyncIterator]();
  expect((await result.next()).value).toEqual([]);
  const received = await origins(table);

  // One after another without a look at the log in between.
  await Promise.all([todos.createEntity(row('ours')), sync.once()]);

  const reports = [await received.next(), await received.next()];
  expect(reports.sort()).toEqual(['local +ours', 'remote +theirs']);
  let keys: string[] = [];
  while (keys.length < 2) {
    keys = (await result.next()).value!.map(({ rowKey }: { rowKey?: string }) => rowKey!);
  }
  expect(keys).toEqual(['ours', 'theirs']);
});
