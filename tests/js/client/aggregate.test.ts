import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { avg, count, max, min, odata, sum } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, openTable, tableOf } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

interface Pet {
  kind?: string;
  age: number;
  chip: bigint;
}

describe.each(STORAGES)('aggregates over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
    await table.importEntities([
      { partitionKey: 'a', rowKey: '1', kind: 'dog', age: 3, chip: 2n ** 60n, born: new Date(9) },
      { partitionKey: 'a', rowKey: '2', kind: 'cat', age: 4.5, chip: 1n, born: new Date(5) },
      { partitionKey: 'b', rowKey: '1', kind: 'dog', age: 5, chip: 3n },
      { partitionKey: 'b', rowKey: '2', age: 'old', chip: 4n },
    ]);
  });

  it('are calculated for each group, in the order of the groups', async () => {
    const groups = await table.aggregate({
      groupBy: ['kind'],
      select: {
        number: count(),
        born: count('born'),
        total: sum('age'),
        mean: avg('age'),
        chips: sum('chip'),
        first: min('born'),
        last: max('rowKey'),
      },
    });

    const none = { total: null, mean: null, first: null };
    expect(groups).toEqual([
      { kind: null, number: 1, born: 0, chips: 4n, last: '2', ...none },
      {
        kind: 'cat',
        number: 1,
        born: 1,
        chips: 1n,
        last: '2',
        total: 4.5,
        mean: 4.5,
        first: new Date(5),
      },
      {
        kind: 'dog',
        number: 2,
        born: 1,
        chips: 2n ** 60n + 3n,
        last: '1',
        total: 8,
        mean: 4,
        first: new Date(9),
      },
    ]);
  });

  it('have one result without groups, also if nothing fits', async () => {
    const select = { number: count(), oldest: max('age'), total: sum('age') };

    expect(await table.aggregate({ select, filter: odata`age ge ${4}` })).toEqual([
      { number: 2, oldest: 5, total: 9.5 },
    ]);
    expect(await table.aggregate({ select, filter: odata`age gt ${100}` })).toEqual([
      { number: 0, oldest: null, total: null },
    ]);
  });

  it('are distinct groups, if nothing is calculated', async () => {
    expect(await table.aggregate({ groupBy: ['partitionKey', 'kind desc'] })).toEqual([
      { partitionKey: 'a', kind: 'dog' },
      { partitionKey: 'a', kind: 'cat' },
      { partitionKey: 'b', kind: 'dog' },
      { partitionKey: 'b', kind: null },
    ]);
  });

  it('take any name for a result', async () => {
    const select = { 'a.b,c': count(), __proto__x: count(), é: count() };
    expect(await table.aggregate({ select })).toEqual([{ 'a.b,c': 4, __proto__x: 4, é: 4 }]);
  });

  it('agree with loops over all entities', async () => {
    const rows = Array.from({ length: 3000 }, (_, at) => {
      const n = (at * 7919) % 1000;
      return { partitionKey: `p${at % 7}`, rowKey: `${at}`, n, half: n / 2 };
    });
    await table.importEntities(rows);
    const expected = [0, 1, 2, 3, 4, 5, 6].map((key) => {
      const some = rows.filter(({ partitionKey }) => partitionKey === `p${key}`).map(({ n }) => n);
      const total = some.reduce((all, one) => all + one, 0);
      const bounds = { least: Math.min(...some), most: Math.max(...some) };
      return { partitionKey: `p${key}`, total, half: total / 2, number: some.length, ...bounds };
    });

    const groups = await table.aggregate({
      filter: 'n ge 0',
      groupBy: ['partitionKey'],
      select: {
        total: sum('n'),
        half: sum('half'),
        number: count(),
        least: min('n'),
        most: max('n'),
      },
    });
    expect(groups).toEqual(expected);
  });

  it('end when their signal fires', async () => {
    const reason = new Error('the user went on');
    const abort = new AbortController();
    const call = table.aggregate({ select: { n: count() }, abortSignal: abort.signal });
    abort.abort(reason);

    expect(await rejection(call)).toBe(reason);
  });

  it('fail if the sum of integers is out of range', async () => {
    await table.createEntity({ partitionKey: 'c', rowKey: '1', chip: 2n ** 63n - 1n });

    const error = await tableError(table.aggregate({ select: { chips: sum('chip') } }));
    expect([error.code, error.statusCode]).toEqual(['SumOverflow', 400]);
  });

  it('refuse what they cannot calculate', async () => {
    const refused = async (options: object) => {
      const error = await tableError(table.aggregate(options));
      expect(error.code).toBe('InvalidInput');
      return error.message;
    };

    expect(await refused({ groupBy: ['kind'], select: { kind: count() } })).toContain('both have');
    expect(await refused({ select: { n: 'count' } })).toContain('select.n of aggregate');
    expect(await refused({ select: { n: sum('a b') } })).toContain('An aggregate is');
    expect(await refused({ groupBy: ['kind up'] })).toContain('A group is');
    expect(await refused({ orderBy: ['kind'] })).toContain('no option orderBy');
    expect(await errorCode(table.aggregate({ filter: 'age eq' }))).toBe('InvalidInput');
  });
});

describe('the types of aggregates', () => {
  it('are those of the properties', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const pets = account.tableClient<Pet>('Pets');
    await pets.createEntity({ partitionKey: 'a', rowKey: '1', age: 1, chip: 1n });

    const [group] = await pets.aggregate({
      groupBy: ['kind desc'],
      select: { n: count(), age: avg('age'), chips: sum('chip'), last: max('rowKey') },
    });
    expectTypeOf(group!.kind).toEqualTypeOf<string | null>();
    expectTypeOf(group!.n).toEqualTypeOf<number>();
    expectTypeOf(group!.age).toEqualTypeOf<number | null>();
    expectTypeOf(group!.chips).toEqualTypeOf<bigint | null>();
    expectTypeOf(group!.last).toEqualTypeOf<string | null>();
    // @ts-expect-error -- no such property
    await pets.aggregate({ groupBy: ['kinds'] });
    // @ts-expect-error -- no such property
    await pets.aggregate({ groupBy: { kind: 'kinds' } });
    // @ts-expect-error -- not a date
    expect(await pets.aggregate({ groupBy: ['year(kind)'] })).toEqual([{ 'year(kind)': null }]);
    // @ts-expect-error -- no such property
    await pets.aggregate({ select: { n: sum('ages') } });

    const [untyped] = await account.tableClient('Pets').aggregate({
      groupBy: ['x'],
      select: { n: count(), total: sum('y'), least: min('z') },
    });
    expectTypeOf(untyped!.total).toEqualTypeOf<number | bigint | null>();
    expectTypeOf(untyped!.x).toEqualTypeOf<unknown>();
    expectTypeOf(untyped!.n).toEqualTypeOf<number>();
  });

  it('are those of a declared table', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const declared = defineTable('Pets', {
      partitionKey: t.string(),
      rowKey: t.string(),
      born: t.dateTime(),
      chip: t.int64(),
    });
    const pets = await tableOf(account, declared);
    await pets.insert({ partitionKey: 'a', rowKey: '1', born: new Date(7), chip: 5n });

    const [all] = await pets.aggregate({ select: { first: min('born'), chips: sum('chip') } });
    expectTypeOf(all!).toEqualTypeOf<{ first: Date | null; chips: bigint | null }>();
    expect(all).toEqual({ first: new Date(7), chips: 5n });
  });
});
