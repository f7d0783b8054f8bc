// The types of remote accounts are those of local ones, without what the service does not have.

import { describe, expect, expectTypeOf, it } from 'vitest';

import type { TableClient } from '../../../js/src/index.js';
import {
  remoteAccount,
  type RemoteFetch,
  type RemoteTable,
  type RemoteTypedTable,
} from '../../../js/src/remote.js';
import { defineTable, t } from '../../../js/src/schema.js';

interface Pet {
  name: string;
  chip?: bigint;
}

const ABSENT = [
  ...['aggregate', 'countEntities', 'explain', 'exportEntities', 'importEntities', 'liveCount'],
  ...['liveAggregate', 'liveEntities', 'subscribe', 'getAccessPolicy', 'setAccessPolicy'],
];

describe('the type of a remote table', () => {
  const account = remoteAccount({
    url: 'https://contoso.table.core.windows.net',
    // Types need no answer.
    fetch: () => new Promise(() => {}),
  });
  const pets = account.tableClient<Pet>('Pets');

  it('has the methods of a local table that the service has', () => {
    expectTypeOf<TableClient<Pet>>().toExtend<RemoteTable<Pet>>();
    expectTypeOf(pets.createEntity).toEqualTypeOf<TableClient<Pet>['createEntity']>();
    expectTypeOf(pets.getEntity('a', 'b')).resolves.toHaveProperty('name').toEqualTypeOf<string>();
    // @ts-expect-error -- the service does not count
    expectTypeOf(pets.countEntities);
  });

  it('has no order, which the service does not have', () => {
    // @ts-expect-error -- the service has the order of keys alone
    expect(() => pets.listEntities({ orderBy: ['name'] })).toThrow('no option orderBy');
  });

  it('has nothing that fails when it is called, not even for programs without types', () => {
    const declared = account.table(
      defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() }),
    );

    for (const table of [pets, declared]) {
      expect(ABSENT.filter((name) => name in table)).toEqual([]);
    }
    for (const name of [
      'enforce',
      'listViolations',
      'updateIndexes',
      'close',
      'onStatus',
      'getProperties',
    ]) {
      expect(name in account).toBe(false);
    }
  });

  it('of a declared table is that of its rows', () => {
    const declared = defineTable('Pets', {
      partitionKey: t.string(),
      rowKey: t.string(),
      name: t.string(),
      visits: t.int32().default(0),
    });
    const table = account.table(declared);

    expectTypeOf(table).toExtend<RemoteTypedTable<never, never> | object>();
    expectTypeOf(table.getEntity('a', 'b'))
      .resolves.toHaveProperty('visits')
      .toEqualTypeOf<number>();
    // @ts-expect-error -- live views are not remote
    expectTypeOf(table.liveEntities);
    // @ts-expect-error -- the name is missing
    expectTypeOf(() => table.createEntity({ partitionKey: 'a', rowKey: 'b' })).toBeFunction();
  });

  it('takes the fetch of the platform', () => {
    expectTypeOf(fetch).toExtend<RemoteFetch>();
  });
});
