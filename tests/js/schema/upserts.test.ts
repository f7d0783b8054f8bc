// Upserts, which insert a row or merge into one.

import { beforeEach, expect, it, vi } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import type { TableServiceClient } from '../../../js/src/index.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const PROPERTIES = { ...KEYS, n: t.int32(), done: t.boolean().default(false) };
const versions = { version: 2, upgrade: { 1: (row: object) => row } };
const keys = { partitionKey: 'p', rowKey: 'r' };

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Tasks');
});

function remoteOf(local: TableServiceClient) {
  const handler = createTableHandler(local, { authentication: 'anonymous' });
  const requests: string[] = [];
  const fetch = (url: string | URL | Request, init?: RequestInit) => {
    requests.push(String(url));
    return handler(new Request(url, init));
  };
  const url = 'http://127.0.0.1:10002/devstoreaccount1';
  return { remote: remoteAccount({ url, fetch }), requests };
}

it.each([
  ['without versions', {}],
  ['with versions', versions],
])('store the defaults of a new row, and no default of a stored one, %s', async (_, options) => {
  const tasks = defineTable('Tasks', PROPERTIES, options);
  const local = await openForTest({ storage: memoryStorage(), tables: { tasks } });
  await local.ready;
  const stored = local.tableClient('Tasks');

  const remote = await tableOf(remoteOf(local).remote, tasks);
  for (const upsert of [
    (n: number) => local.tables.tasks.upsert({ ...keys, n }),
    (n: number) => local.transaction((tx) => tx.tasks.upsert({ ...keys, n })),
    (n: number) => remote.upsert({ ...keys, n }),
  ]) {
    await upsert(1);
    expect(await stored.getEntity('p', 'r')).toMatchObject({ n: 1, done: false });

    await stored.updateEntity({ ...keys, done: true, other: 'x' });
    await upsert(2);
    expect(await stored.getEntity('p', 'r')).toMatchObject({ n: 2, done: true, other: 'x' });
    await stored.deleteEntity('p', 'r');
  }
});

it('are one request of a local account, for a new row and for a stored one', async () => {
  const table = await tableOf(account, defineTable('Tasks', PROPERTIES));
  await account.ready;
  const request = vi.spyOn(account.session, 'request');

  for (const n of [1, 2]) await table.upsert({ ...keys, n });

  expect(request).toHaveBeenCalledTimes(2);
});

it('of an import reset no stored value, and leave the default of a new row to reads', async () => {
  const tasks = defineTable('Tasks', PROPERTIES);
  const [table, stored] = [await tableOf(account, tasks), account.tableClient('Tasks')];
  await stored.createEntity({ ...keys, n: 1, done: true });

  const fresh = { partitionKey: 'p', rowKey: 's' };
  await table.import(
    [
      { ...keys, n: 2 },
      { ...fresh, n: 3 },
    ],
    { mode: 'Merge' },
  );

  expect(await stored.getEntity('p', 'r')).toMatchObject({ n: 2, done: true });
  expect(await stored.getEntity('p', 's')).not.toHaveProperty('done');
  expect(await table.get(fresh)).toMatchObject({ n: 3, done: false });
});

it('check a whole row only if they insert it', async () => {
  const tasks = defineTable(
    'Tasks',
    { ...KEYS, a: t.int32().optional(), b: t.int32() },
    {
      refine: ({ a = 0, b }) => (a < b ? [] : [{ message: 'a is too large' }]),
    },
  );
  const table = await tableOf(account, tasks);

  const part = { ...keys, a: 2, b: 1 };
  expect(await errorCode(table.upsert(part))).toBe('SchemaViolation');
  await table.insert({ ...part, a: 0 });
  await table.upsert(part);
  expect(await table.get(keys)).toMatchObject(part);
});

it('follow the writes before them in a transaction', async () => {
  const tasks = defineTable('Tasks', PROPERTIES);
  const local = await openForTest({ storage: memoryStorage(), tables: { tasks } });
  await local.tables.tasks.insert({ ...keys, n: 1, done: true });

  await local.transaction(async (tx) => {
    await tx.tasks.delete(keys);
    await tx.tasks.upsert({ ...keys, n: 2 });
    await tx.tasks.upsert({ ...keys, n: 3 });
  });
  const row = await local.tableClient('Tasks').getEntity('p', 'r');
  expect(row).toMatchObject({ n: 3, done: false });
});

it('take one request for a stored row, and two for a new one', async () => {
  const { remote, requests } = remoteOf(account);
  const table = await tableOf(remote, defineTable('Tasks', PROPERTIES));
  await table.get(keys);
  requests.length = 0;

  await table.upsert({ ...keys, n: 1 });
  expect(requests.splice(0)).toHaveLength(2);
  await table.upsert({ ...keys, n: 2 });
  expect(requests).toHaveLength(1);
});

it('begin again if another writer comes between', async () => {
  const stored = account.tableClient('Tasks');
  const writers = [
    () => stored.createEntity({ ...keys, n: 0, done: true }),
    () => stored.deleteEntity('p', 'r'),
  ];
  const handler = createTableHandler(account, { authentication: 'anonymous' });
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    const answer = await handler(new Request(url, init));
    if (String(url).includes('/Tasks')) await writers.shift()?.();
    return answer;
  };
  const remote = remoteAccount({ url: 'http://127.0.0.1:10002/devstoreaccount1', fetch });
  const table = await tableOf(remote, defineTable('Tasks', PROPERTIES));

  await table.upsert({ ...keys, n: 1 });
  expect(await stored.getEntity('p', 'r')).toMatchObject({ n: 1, done: false });
});

it('of a row that breaks a rule of the service are refused with all issues', async () => {
  const table = await tableOf(account, defineTable('Tasks', PROPERTIES));

  const { issues } = await tableError(
    table.upsert({ partitionKey: 'p', rowKey: 'a/b', n: 'x' as never }),
  );
  expect(issues.map(({ rule }) => rule).sort()).toEqual(['key-character', 'schema-type']);
});

it('of an older row keep what is not declared', async () => {
  const tasks = defineTable(
    'Tasks',
    { ...KEYS, n: t.int32() },
    {
      ...versions,
      unknownProperties: 'drop',
    },
  );
  const table = await tableOf(account, tasks);
  const stored = account.tableClient('Tasks');

  for (const merge of [
    (row: { n: number }) => table.update(keys, { ...row, stray: 1 } as never),
    (row: { n: number }) => table.upsert({ ...keys, ...row, stray: 1 } as never),
    (row: { n: number }) => table.update(keys, () => ({ ...row, stray: 1 }) as never),
  ]) {
    await stored.upsertEntity({ ...keys, n: 1, comment: 'of another app' }, 'Replace');
    await merge({ n: 5 });
    const row = await stored.getEntity('p', 'r');
    expect(row).toMatchObject({ n: 5, comment: 'of another app', schemaVersion: 2 });
    expect(row).not.toHaveProperty('stray');
  }
});
