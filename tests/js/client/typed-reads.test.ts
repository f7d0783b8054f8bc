// Reads with `typed: true`: every property has its type and its value, and nothing is lost.

import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openTable } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';

const keys = { partitionKey: 'p', rowKey: 'r' };
const GUID = 'c9da6455-213d-42c9-9a79-3e9149a57833';

let table: TableClient;

beforeEach(async () => {
  table = await openTable({ storage: memoryStorage() });
});

const typedEntity = () => table.getEntity('p', 'r', { typed: true });

describe('a typed read', () => {
  it.each([
    ['a String', 'Rex', { type: 'String', value: 'Rex' }],
    ['a text that looks like a date', '2020-01-01', { type: 'String', value: '2020-01-01' }],
    ['an Int32', -7, { type: 'Int32', value: -7 }],
    ['an Int64', 2n ** 63n - 1n, { type: 'Int64', value: 2n ** 63n - 1n }],
    ['a Double', 31.5, { type: 'Double', value: 31.5 }],
    ['a whole Double', { type: 'Double', value: 5 }, { type: 'Double', value: 5 }],
    ['a Double beyond Int32', 3e9, { type: 'Double', value: 3e9 }],
    ['a Double with 17 digits', 0.1 + 0.2, { type: 'Double', value: 0.1 + 0.2 }],
    ['NaN', NaN, { type: 'Double', value: NaN }],
    ['minus Infinity', -Infinity, { type: 'Double', value: -Infinity }],
    ['true', true, { type: 'Boolean', value: true }],
    ['false', false, { type: 'Boolean', value: false }],
    ['a DateTime', new Date(1234), { type: 'DateTime', value: new Date(1234) }],
    [
      'a DateTime with zeros beyond milliseconds',
      { type: 'DateTime', value: '2020-01-01T00:00:00.1230000Z' },
      { type: 'DateTime', value: new Date('2020-01-01T00:00:00.123Z') },
    ],
    [
      'a DateTime with digits beyond milliseconds',
      { type: 'DateTime', value: '2020-01-01T00:00:00.1230004Z' },
      { type: 'DateTime', value: '2020-01-01T00:00:00.1230004Z' },
    ],
    ['a Guid', { type: 'Guid', value: GUID }, { type: 'Guid', value: GUID }],
    ['a Binary', Uint8Array.of(0, 255), { type: 'Binary', value: Uint8Array.of(0, 255) }],
  ])(
    'has the type and the value of %s, and it can be written as it is',
    async (_, value, typed) => {
      await table.createEntity({ ...keys, value });

      const entity = await typedEntity();
      expect(entity['value']).toEqual(typed);
      expect(entity).toMatchObject({ ...keys, etag: expect.any(String) });
      expect(entity.timestamp).toEqual(expect.any(String));

      await table.updateEntity(entity, 'Replace');
      expect((await typedEntity())['value']).toEqual(typed);
      await table.importEntities([entity], { mode: 'Replace' });
      expect((await typedEntity())['value']).toEqual(typed);
    },
  );

  it('lists entities in that form, with what is selected', async () => {
    await table.createEntity({ ...keys, name: 'Rex', age: 3 });

    const select = ['age', 'chip'];
    expect(await collect(table.listEntities({ typed: true, select }))).toEqual([
      { age: { type: 'Int32', value: 3 }, chip: null, etag: expect.any(String) },
    ]);
  });

  it('is not one of text values, too', async () => {
    const options = { typed: true, disableTypeConversion: true } as const;

    for (const call of [
      async () => table.getEntity('p', 'r', options),
      async () => table.listEntities(options),
    ]) {
      const { code, message } = await tableError(call());
      expect(code).toBe('InvalidInput');
      expect(message).toContain('typed and disableTypeConversion, not both');
    }
  });
});
