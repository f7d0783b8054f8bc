// Defaults that cannot be made.

import { expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const keys = { partitionKey: 'p', rowKey: 'r' };

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
  const counts = defineTable('Counts', properties);
  const account = await openForTest({ storage: memoryStorage(), tables: { counts } });
  const table = account.tables.counts;
  await account.ready;
  await account.tableClient('Counts').createEntity(keys);

  for (const call of [
    () => table.get(keys),
    () => table.get(keys, { select: ['n'] }),
    () => table.list(),
    () => collect(table.live()),
    () => table.insert(keys),
    () => table.put(keys),
    () => table.update(keys, () => ({})),
    () => table.insertMany([keys]),
    () => account.transaction((tx) => tx.counts.put(keys)),
  ]) {
    const error = await tableError(call());
    expect({ code: error.code, ...error.details }).toMatchObject({
      code: 'SchemaViolation',
      ...{ table: 'Counts', ...keys },
    });
    expect(error.message).toContain(`The default of property "n" has failed. ${sentence}`);
  }
  // A row that has the property, and a read of others, need no default.
  await table.update(keys, { n: 6 });
  expect(await table.get(keys)).toMatchObject({ n: 6 });
  expect(await table.get(keys, { select: ['rowKey'] })).toMatchObject({ rowKey: 'r' });
});
