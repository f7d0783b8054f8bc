// Defaults that cannot be made.

import { beforeEach, expect, it } from 'vitest';

import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const keys = { partitionKey: 'p', rowKey: 'r' };

let account: TableServiceClient;

beforeEach(async () => {
  account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Counts');
});

it.each([
  [
    'throws an error',
    () => {
      throw new RangeError('no number');
    },
    'RangeError: no number',
  ],
  ['returns a promise', (() => Promise.resolve(5)) as never, 'It is a promise.'],
])('a default that %s makes reads and writes fail, with the keys', async (_, count, sentence) => {
  const properties = { partitionKey: t.string(), rowKey: t.string(), n: t.int32().default(count) };
  const table = account.table(defineTable('Counts', properties));
  await account.tableClient('Counts').createEntity(keys);

  for (const call of [
    () => table.getEntity('p', 'r'),
    () => table.getEntity('p', 'r', { select: ['n'] }),
    () => collect(table.listEntities()),
    () => collect(table.liveEntities()),
    () => table.createEntity(keys),
    () => table.upsertEntity(keys, 'Replace'),
    () => table.submitTransaction([['create', keys]]),
    () => table.importEntities([keys]),
  ]) {
    const error = await tableError(call());
    expect({ code: error.code, ...error.details }).toMatchObject({
      code: 'SchemaViolation',
      ...{ table: 'Counts', ...keys },
    });
    expect(error.message).toContain(`The default of property "n" has failed. ${sentence}`);
  }
  // A row that has the property, and a read of others, need no default.
  await table.updateEntity({ ...keys, n: 6 });
  expect(await table.getEntity('p', 'r')).toMatchObject({ n: 6 });
  expect(await table.getEntity('p', 'r', { select: ['rowKey'] })).toMatchObject({ rowKey: 'r' });
});
