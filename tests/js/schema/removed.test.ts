// Null in a merge removes a property, and `nullable` reads a missing one as null.

import { beforeEach, describe, expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import type { TableServiceClient } from '../../../js/src/index.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { errorCode } from '../support/rejection.js';

const keys = { partitionKey: 'p', rowKey: 'r' };
const PROPERTIES = {
  ...{ partitionKey: t.string(), rowKey: t.string(), n: t.int32() },
  due: t.dateTime().optional(),
  note: t.string().nullable(),
  done: t.boolean().default(false),
};
const tasks = defineTable('Tasks', PROPERTIES);
const row = { ...keys, n: 1, due: new Date(0), note: 'x', done: true };

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Tasks');
});

function remoteOf(local: TableServiceClient) {
  const handler = createTableHandler(local, { authentication: 'anonymous' });
  const fetch = (url: string | URL | Request, init?: RequestInit) =>
    handler(new Request(url, init));
  return remoteAccount({ url: 'http://127.0.0.1:10002/devstoreaccount1', fetch });
}

const stored = async () => {
  const {
    etag: _,
    timestamp: __,
    ...entity
  } = await account.tableClient('Tasks').getEntity('p', 'r');
  return entity;
};

const versions = { version: 2, upgrade: { 1: (old: object) => old } };

describe.each(['local', 'remote'])('null in a merge of a %s account', (place) => {
  it.each([
    ['without versions', {}],
    ['with versions', versions],
  ])('removes a property in one write, %s', async (_, options) => {
    const definition = defineTable('Tasks', PROPERTIES, options);
    const table = await tableOf(place === 'local' ? account : remoteOf(account), definition);
    const schemaVersion = 'version' in options ? { schemaVersion: 2 } : {};
    for (const write of [
      () => table.update(keys, { due: null, done: undefined }),
      () => table.upsert({ ...keys, due: null, n: 1 }),
    ]) {
      await table.put(row);
      await write();
      expect(await stored()).toEqual({ ...keys, n: 1, note: 'x', done: true, ...schemaVersion });
    }
  });

  it('of a property with a default removes it from a stored row', async () => {
    const table = await tableOf(place === 'local' ? account : remoteOf(account), tasks);
    await table.insert(row);

    await table.upsert({ ...keys, n: 2, note: null });

    expect(await stored()).toEqual({ ...keys, n: 2, due: new Date(0), done: true });
    expect((await table.get(keys))!.note).toBeNull();
  });
});

it('null cannot remove a required property', async () => {
  const table = await tableOf(account, tasks);
  await table.insert(row);

  const update = table.update(keys, { n: null as never });
  expect(await errorCode(update)).toBe('SchemaViolation');
  expect(await stored()).toEqual(row);
});

it('null leaves a row of an older version without the property', async () => {
  await account.tableClient('Tasks').createEntity(row);

  const table = await tableOf(account, defineTable('Tasks', PROPERTIES, versions));
  await table.update(keys, { due: null });

  expect(await stored()).toEqual({ ...keys, n: 1, note: 'x', done: true, schemaVersion: 2 });
});

it('null removes in changes of many rows, and in imports that merge', async () => {
  const table = await tableOf(account, tasks);
  const where = 'true';
  for (const write of [
    () => table.updateMany({ where, set: { due: null } }),
    () => table.updateMany({ where, set: () => ({ due: null }) }),
    () => table.import([{ ...keys, due: null } as never], { mode: 'Merge' }),
  ]) {
    await table.put(row);
    await write();
    expect(await stored()).toEqual({ ...keys, n: 1, note: 'x', done: true });
  }
});

it('null means nothing to the untyped API, and in a whole row', async () => {
  const untyped = account.tableClient('Tasks');
  await untyped.createEntity(row);
  await untyped.updateEntity({ ...keys, due: null });
  expect((await stored())['due']).toEqual(new Date(0));

  await (await tableOf(account, tasks)).put({ ...row, due: null as never, note: null });

  expect(await stored()).toEqual({ ...keys, n: 1, done: true });
});

it('a nullable property is null where it is missing', async () => {
  const table = await tableOf(account, tasks);
  expect(await table.insert({ ...keys, n: 1 })).toMatchObject({ note: null });

  expect(await stored()).toEqual({ ...keys, n: 1, done: false });
  expect(await table.get(keys)).toMatchObject({ note: null });
  expect(await table.get(keys, { select: ['note'] })).toMatchObject({ note: null });
  expect(await tasks.validate({ ...keys, n: 1, note: null })).toEqual({
    value: { ...keys, n: 1, note: null, done: false },
  });
  const { properties, required } = tasks.jsonSchema() as Record<string, Record<string, unknown>>;
  expect(properties!['note']).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] });
  expect(required).toEqual(['partitionKey', 'rowKey', 'n']);
});
