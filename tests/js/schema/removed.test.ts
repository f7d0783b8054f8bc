// Null in a merge removes a property, and `nullable` reads a missing one as null.

import { beforeEach, describe, expect, it } from 'vitest';

import { createTableHandler } from '../../../js/src/http.js';
import type { TableServiceClient } from '../../../js/src/index.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
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
    const table =
      place === 'local' ? account.table(definition) : remoteOf(account).table(definition);
    const schemaVersion = 'version' in options ? { schemaVersion: 2 } : {};
    for (const write of [
      () => table.updateEntity({ ...keys, due: null, done: undefined }),
      () => table.upsertEntity({ ...keys, due: null, n: 1 }),
      () => table.submitTransaction([['update', { ...keys, due: null }]]),
      () => table.submitTransaction([['upsert', { ...keys, due: null, n: 1 }]]),
    ]) {
      await table.upsertEntity(row, 'Replace');
      await write();
      expect(await stored()).toEqual({ ...keys, n: 1, note: 'x', done: true, ...schemaVersion });
    }
  });

  it('of a property with a default removes it from a stored row', async () => {
    const table = place === 'local' ? account.table(tasks) : remoteOf(account).table(tasks);
    await table.createEntity(row);

    await table.upsertEntity({ ...keys, n: 2, note: null });

    expect(await stored()).toEqual({ ...keys, n: 2, due: new Date(0), done: true });
    expect((await table.getEntity('p', 'r')).note).toBeNull();
  });
});

it('null cannot remove a required property', async () => {
  await account.table(tasks).createEntity(row);

  const update = account.table(tasks).updateEntity({ ...keys, n: null as never });
  expect(await errorCode(update)).toBe('SchemaViolation');
  expect(await stored()).toEqual(row);
});

it('null leaves a row of an older version without the property', async () => {
  await account.tableClient('Tasks').createEntity(row);

  await account
    .table(defineTable('Tasks', PROPERTIES, versions))
    .updateEntity({ ...keys, due: null });

  expect(await stored()).toEqual({ ...keys, n: 1, note: 'x', done: true, schemaVersion: 2 });
});

it('null removes in changes of many rows, and in imports that merge', async () => {
  const table = account.table(tasks);
  const filter = 'true';
  for (const write of [
    () => table.updateEntities({ filter, set: { due: null } }),
    () => table.updateEntities({ filter, set: () => ({ due: null }) }),
    () => table.importEntities([{ ...keys, due: null } as never], { mode: 'Merge' }),
  ]) {
    await table.upsertEntity(row, 'Replace');
    await write();
    expect(await stored()).toEqual({ ...keys, n: 1, note: 'x', done: true });
  }
});

it('null means nothing to the untyped API, and in a whole row', async () => {
  const untyped = account.tableClient('Tasks');
  await untyped.createEntity(row);
  await untyped.updateEntity({ ...keys, due: null });
  expect((await stored())['due']).toEqual(new Date(0));

  await account.table(tasks).upsertEntity({ ...row, due: null as never, note: null }, 'Replace');

  expect(await stored()).toEqual({ ...keys, n: 1, done: true });
});

it('a nullable property is null where it is missing', async () => {
  const table = account.table(tasks);
  await table.createEntity({ ...keys, n: 1 });

  expect(await stored()).toEqual({ ...keys, n: 1, done: false });
  expect(await table.getEntity('p', 'r')).toMatchObject({ note: null });
  expect(await table.getEntity('p', 'r', { select: ['note'] })).toMatchObject({ note: null });
  expect(await tasks.validate({ ...keys, n: 1, note: null })).toEqual({
    value: { ...keys, n: 1, note: null, done: false },
  });
  const { properties, required } = tasks.jsonSchema() as Record<string, Record<string, unknown>>;
  expect(properties!['note']).toEqual({ anyOf: [{ type: 'string' }, { type: 'null' }] });
  expect(required).toEqual(['partitionKey', 'rowKey', 'n']);
});
