// Upgrades that go wrong.

import { beforeEach, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest, tableOf } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const keys = { partitionKey: 'p', rowKey: 'r' };
const properties = {
  partitionKey: t.string(),
  rowKey: t.string(),
  first: t.string(),
  last: t.string(),
  age: t.double(),
};

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('People');
});

const untyped = () => account.tableClient('People');

const failing = () => {
  throw new RangeError('no such name');
};

it.each([
  ['nothing', () => undefined, 'The upgrade from version 2 returned undefined, which is not'],
  ['an array', () => [], 'from version 2 returned an array'],
  ['a promise', async () => ({}), 'from version 2 returned a promise'],
  ['an error', failing, 'from version 2 threw an error: RangeError: no such name'],
  [
    'a row with a getter that fails',
    (row: object) => ({
      ...row,
      get first() {
        throw new RangeError('no such name');
      },
    }),
    'from version 2 threw an error: RangeError: no such name',
  ],
  [
    'a proxy that fails',
    (row: object) => new Proxy(row, { ownKeys: failing }),
    'from version 2 threw an error: RangeError: no such name',
  ],
  [
    'a row with a proxy that fails',
    (row: object) => ({ ...row, first: new Proxy({}, { get: failing }) }),
    'from version 2 threw an error: RangeError: no such name',
  ],
  [
    'a row with a value of another type',
    (row: object) => ({ ...row, first: 5, last: 'King' }),
    'from version 1 to 3 returned a row that breaks the definition of the table: Property "first"',
  ],
  [
    'a row without a required value',
    (row: object) => ({ ...row, first: 'Ada' }),
    'from version 1 to 3 returned a row that breaks the definition of the table: Property "last"',
  ],
])('a row is refused with its keys if an upgrade gives %s', async (_, second, message) => {
  const upgrade = { 1: (row: object) => row, 2: second as () => object };
  const table = await tableOf(account, defineTable('People', properties, { version: 3, upgrade }));
  await untyped().createEntity({ ...keys, name: 'Ada King', age: 36 });

  for (const read of [
    () => table.get(keys),
    () => table.get(keys, { select: ['age'] }),
    () => table.list(),
    () => collect(table.live()),
    () => table.update(keys, { age: 37 }),
  ]) {
    const error = await tableError(read());
    expect({ code: error.code, ...error.details }).toMatchObject({
      code: 'SchemaViolation',
      ...keys,
    });
    expect(error.message).toContain(message);
  }
  // The whole row is new, so nothing is upgraded.
  await table.put({ ...keys, first: 'Ada', last: 'King', age: 37 });
  expect(await table.get(keys)).toMatchObject({ last: 'King' });
});

it('may name the version of the row, which reads do not return', async () => {
  const [first, last] = ['Ada', 'King'];
  const upgrade = {
    1: (row: object) => ({ ...row, schemaVersion: 2 }),
    2: (row: Record<string, unknown>) => {
      expect(row).not.toHaveProperty('schemaVersion');
      return { ...row, first, last, schemaVersion: 3 };
    },
  };
  const table = await tableOf(account, defineTable('People', properties, { version: 3, upgrade }));
  await untyped().createEntity({ ...keys, age: 36 });

  const { etag: _, timestamp: __, ...row } = (await table.get(keys))!;
  expect(row).toEqual({ ...keys, first, last, age: 36 });
  await table.update(keys, { age: 37 });
  expect(await untyped().getEntity('p', 'r')).toMatchObject({ schemaVersion: 3, age: 37 });
});

it('may keep what is unknown, if writes drop it', async () => {
  const upgrade = { 1: (row: object) => ({ ...row, first: 'Ada', last: 'King' }) };
  const options = { version: 2, upgrade, unknownProperties: 'drop' } as const;
  await untyped().createEntity({ ...keys, name: 'Ada King', age: 36 });

  const table = await tableOf(account, defineTable('People', properties, options));
  expect(await table.get(keys)).toMatchObject({ first: 'Ada', age: 36 });
});
