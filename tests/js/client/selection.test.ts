// Which properties come back: those that were selected, and no other.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openTable } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

let table: TableClient;

beforeEach(async () => {
  table = await openTable({ storage: memoryStorage() });
  await table.createEntity({ partitionKey: 'p', rowKey: 'r', a: 1, b: 2 });
});

const ALL = ['a', 'b', 'etag', 'partitionKey', 'rowKey', 'timestamp'];

const CASES: [string[], string[]][] = [
  [[], ALL],
  [['*'], ALL],
  [['etag'], ['etag']],
  [['odata.etag'], ['etag']],
  [['etag', 'etag'], ['etag']],
  [
    ['etag', 'a'],
    ['a', 'etag'],
  ],
  [['timestamp'], ['etag', 'timestamp']],
  [['rowKey'], ['etag', 'rowKey']],
];

describe.each([false, true])('without type conversion: %s', (disableTypeConversion) => {
  it.each(CASES)('a selection of %j gives these', async (select, names) => {
    const options = { select, disableTypeConversion };

    const [listed] = await collect(table.listEntities(options));
    expect(Object.keys(listed!).sort()).toEqual(names);
    const one = await table.getEntity('p', 'r', options);
    expect(Object.keys(one).sort()).toEqual(names);
  });

  it.each([[['']], [[' ']], [['', 'a']], [['a b']]])(
    'a selection of %j is refused, and named',
    async (select) => {
      const options = { select, disableTypeConversion };
      const list = () => table.listEntities(options).next();
      const get = () => table.getEntity('p', 'r', options);
      for (const call of [list, get]) {
        const error = await tableError(call());
        expect(error.code).toBe('InvalidInput');
        expect(error.message).toContain(`select ${JSON.stringify(select.join())}`);
      }
    },
  );
});

it('an export of no selection has all properties', async () => {
  const text = await new Response(table.exportEntities({ select: [] })).text();

  expect(JSON.parse(text)).toMatchObject({ PartitionKey: 'p', RowKey: 'r', a: 1, b: 2 });
});
