// The types of remote accounts are those of local ones, without what the service does not have.

import { describe, expect, expectTypeOf, it } from 'vitest';

import type { TableClient } from '../../../js/src/index.js';
import {
  remoteAccount,
  type RemoteFetch,
  type RemoteTableClient,
  type RemoteTableOf,
} from '../../../js/src/remote.js';
import { and, defineTable, t } from '../../../js/src/schema.js';

interface Pet {
  name: string;
  chip?: bigint;
}

const ABSENT = [
  ...['aggregate', 'countEntities', 'explain', 'exportEntities', 'importEntities', 'liveCount'],
  ...['liveAggregate', 'liveEntities', 'subscribe', 'getAccessPolicy', 'setAccessPolicy'],
];

const ABSENT_OF_DECLARED = [
  ...['aggregate', 'explain', 'export', 'import', 'live', 'liveAggregate', 'liveCount'],
  ...['search', 'subscribe'],
];

describe('the type of a remote table', () => {
  const account = remoteAccount({
    url: 'https://contoso.table.core.windows.net',
    // Types need no answer.
    fetch: () => new Promise(() => {}),
  });
  const pets = account.tableClient<Pet>('Pets');

  it('has the methods of a local table that the service has', () => {
    expectTypeOf<TableClient<Pet>>().toExtend<RemoteTableClient<Pet>>();
    expectTypeOf(pets.createEntity).toEqualTypeOf<TableClient<Pet>['createEntity']>();
    expectTypeOf(pets.getEntity('a', 'b')).resolves.toHaveProperty('name').toEqualTypeOf<string>();
    // @ts-expect-error -- the service does not count
    expectTypeOf(pets.countEntities);
  });

  it('has no order, which the service does not have', () => {
    // @ts-expect-error -- the service has the order of keys alone
    expect(() => pets.listEntities({ orderBy: ['name'] })).toThrow('no option orderBy');
  });

  const definition = defineTable(
    'Pets',
    { name: t.string(), visits: t.int32().default(0), born: t.dateTime().optional() },
    { key: 'name' },
  );

  it('has nothing that fails when it is called, not even for programs without types', async () => {
    const { declared } = await account.openTables({ declared: definition });

    expect(ABSENT.filter((name) => name in pets)).toEqual([]);
    expect(ABSENT_OF_DECLARED.filter((name) => name in declared)).toEqual([]);
    for (const name of ['enforce', 'listIssues', 'updateIndexes', 'transaction', 'close']) {
      expect(name in account).toBe(false);
    }
  });

  it('of a declared table is that of its rows', async () => {
    const { declared: table } = await account.openTables({ declared: definition });

    expectTypeOf(table).toEqualTypeOf<RemoteTableOf<typeof definition>>();
    const calls = async () => {
      const row = await table.insert({ name: 'Rex' });
      expectTypeOf(row.visits).toEqualTypeOf<number>();
      expectTypeOf(await table.get('Rex')).toEqualTypeOf<typeof row | undefined>();
      const part = await table.first({ select: ['visits'], where: "name eq 'Rex'" });
      expectTypeOf(part!).toEqualTypeOf<{ name: string; visits: number; etag: string }>();
      await table.list({
        where: ({ name, visits }) => and(name.eq('Rex'), visits.gt(1)),
        limit: 5,
      });
      await table.update(row, ({ visits }) => ({ visits: visits + 1, born: null }));
      // @ts-expect-error -- the name is missing
      await table.insert({ visits: 1 });
      // @ts-expect-error -- the service has no order
      await table.list({ orderBy: 'visits' });
      // @ts-expect-error -- the service leaves out nothing
      await table.first({ skip: 1 });
      // @ts-expect-error -- the service has no such function
      await table.list({ where: ({ name }) => name.contains('R') });
      // @ts-expect-error -- live views are not remote
      table.live();
    };
    expect(calls).toBeInstanceOf(Function);
  });

  it('takes the fetch of the platform', () => {
    expectTypeOf(fetch).toExtend<RemoteFetch>();
  });
});
