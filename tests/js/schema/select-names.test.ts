// Names in plain JavaScript, where no compiler checks the options.

import { describe, expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const properties = {
  partitionKey: t.string(),
  rowKey: t.string(),
  text: t.string(),
  count: t.int32().default(5),
};
const keys = { partitionKey: 'p', rowKey: 'r' };
const upgrade = { 1: (row: object) => row };

describe.each([
  ['a table', {}],
  ['a table with versions', { version: 2, upgrade }],
])('the selection of %s', (_, options) => {
  const open = async () => {
    const stars = defineTable('Stars', properties, options);
    const account = await openForTest({ storage: memoryStorage(), tables: { stars } });
    await account.ready;
    await account.tableClient('Stars').createEntity({ ...keys, text: 'x' });
    return account.tables.stars;
  };

  const readsOf = (table: Awaited<ReturnType<typeof open>>, select: readonly string[]) => [
    () => table.get(keys, { select: select as never }),
    () => table.list({ select: select as never }),
    async () => await collect(table.live({ select: select as never })),
  ];

  it('has no name that the table does not declare', async () => {
    const table = await open();

    for (const select of [['nam'], ['text', 'nam'], ['*', 'nam']]) {
      for (const read of readsOf(table, select)) {
        const error = await tableError(read());
        expect(error.code).toBe('InvalidInput');
        expect(error.message).toMatch(/The table Stars declares no property "(nam|\*)"/);
      }
    }
  });

  it.each([[['text']], [['text', 'etag']], [['partitionKey', 'timestamp']]])(
    'may be %s',
    async (select) => {
      const [get] = readsOf(await open(), select);

      expect(await get!()).toBeDefined();
    },
  );
});

it('a star follows whole entities of a table that is not declared', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  await account.createTable('Stars');
  const untyped = account.tableClient('Stars');
  await untyped.createEntity({ ...keys, text: 'x' });

  for await (const rows of untyped.liveEntities({ select: ['*'] as never[] })) {
    expect(rows).toEqual(await collect(untyped.listEntities()));
    break;
  }
});
