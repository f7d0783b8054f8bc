// Groups of parts of dates; distinct values, quantiles and histograms.

import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import {
  count,
  countDistinct,
  histogram,
  quantile,
  sum,
  type Histogram,
} from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, openTable } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

const SALES = [
  { price: 1, at: new Date('2023-12-31T23:59:59.999Z'), owner: 'ada' },
  { price: 2, at: new Date('2024-01-01T00:00:00Z'), owner: 'bo' },
  { price: 4, at: new Date('2024-02-29T12:30:15Z'), owner: 'ada' },
  { price: 8, at: '2024-02-29T12:30:15Z', owner: 7 },
  { price: '16' },
];

describe.each(STORAGES)('aggregates over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
    await table.importEntities(
      SALES.map((sale, at) => ({ partitionKey: 'p', rowKey: `${at}`, ...sale })),
    );
  });

  const refused = async (options: object) => {
    const error = await tableError(table.aggregate(options));
    expect(error.code).toBe('InvalidInput');
    return error.message;
  };

  it('have groups of parts of dates', async () => {
    const select = { n: count() };

    expect(await table.aggregate({ groupBy: ['year(at)'], select })).toEqual([
      { 'year(at)': null, n: 2 },
      { 'year(at)': 2023, n: 1 },
      { 'year(at)': 2024, n: 2 },
    ]);
    expect(await table.aggregate({ groupBy: ['month(at) desc', ' day(at) '], select })).toEqual([
      { 'month(at)': 12, 'day(at)': 31, n: 1 },
      { 'month(at)': 2, 'day(at)': 29, n: 1 },
      { 'month(at)': 1, 'day(at)': 1, n: 1 },
      { 'month(at)': null, 'day(at)': null, n: 2 },
    ]);
    const groupBy = { hour: 'hour(at)', minute: 'minute(at)', second: 'second(at) desc' } as const;
    expect(await table.aggregate({ groupBy, filter: "RowKey lt '3'" })).toEqual([
      { hour: 0, minute: 0, second: 0 },
      { hour: 12, minute: 30, second: 15 },
      { hour: 23, minute: 59, second: 59 },
    ]);
    expect(await table.aggregate({ groupBy: ['year(partitionKey)'] })).toEqual([
      { 'year(partitionKey)': null },
    ]);
    const [{ 'year(timestamp)': year } = {}] = await table.aggregate({
      groupBy: ['year(timestamp)'],
    });
    expect(year).toBeGreaterThan(2000);
  });

  it('give groups the names of an object', async () => {
    const groups = await table.aggregate({
      groupBy: { 'the owner': 'owner desc', key: 'partitionKey' },
      select: { owner: count('owner') },
    });

    expect(groups).toEqual([
      { 'the owner': 'bo', key: 'p', owner: 1 },
      { 'the owner': 'ada', key: 'p', owner: 2 },
      { 'the owner': 7, key: 'p', owner: 1 },
      { 'the owner': null, key: 'p', owner: 0 },
    ]);
  });

  it('count distinct values', async () => {
    const select = {
      owners: countDistinct('owner'),
      keys: countDistinct('partitionKey'),
      none: countDistinct('none'),
    };

    expect(await table.aggregate({ select })).toEqual([{ owners: 3, keys: 1, none: 0 }]);
    expect(await table.aggregate({ groupBy: ['year(at)'], select })).toEqual([
      { 'year(at)': null, owners: 1, keys: 1, none: 0 },
      { 'year(at)': 2023, owners: 1, keys: 1, none: 0 },
      { 'year(at)': 2024, owners: 2, keys: 1, none: 0 },
    ]);
  });

  it('interpolate quantiles of numbers, and leave out NaN', async () => {
    await table.createEntity({ partitionKey: 'p', rowKey: 'nan', price: NaN });
    const select = {
      least: quantile('price', 0),
      median: quantile('price', 0.5),
      most: quantile('price', 1),
      none: quantile('owner', 0.5),
    };

    // Prices are 1, 2, 4 and 8. The median is between 2 and 4.
    expect(await table.aggregate({ select, filter: 'price ne 8 or price eq 8' })).toEqual([
      { least: 1, median: 3, most: 8, none: 7 },
    ]);
    expect(await table.aggregate({ select, filter: "RowKey eq '0'" })).toEqual([
      { least: 1, median: 1, most: 1, none: null },
    ]);
  });

  it('count numbers in bins of a histogram', async () => {
    const [all] = await table.aggregate({
      select: {
        equal: histogram('price', { bins: 2 }),
        given: histogram('price', { bounds: [2, 4, 7] }),
        none: histogram('none', { bins: 3 }),
      },
    });

    expect(all).toEqual({
      equal: {
        bins: [
          { from: 1, to: 4.5, count: 3 },
          { from: 4.5, to: 8, count: 1 },
        ],
        below: 0,
        above: 0,
      },
      given: {
        bins: [
          { from: 2, to: 4, count: 1 },
          { from: 4, to: 7, count: 1 },
        ],
        below: 1,
        above: 1,
      },
      none: { bins: [], below: 0, above: 0 },
    });
  });

  it('give all groups the same bins', async () => {
    const groups = await table.aggregate({
      groupBy: ['owner'],
      select: { prices: histogram('price', { bins: 7 }) },
    });

    const counts = groups.map(({ owner, prices }) => [owner, prices.bins.map((bin) => bin.count)]);
    expect(counts).toEqual([
      [null, [0, 0, 0, 0, 0, 0, 0]],
      [7, [0, 0, 0, 0, 0, 0, 1]],
      ['ada', [1, 0, 0, 1, 0, 0, 0]],
      ['bo', [0, 1, 0, 0, 0, 0, 0]],
    ]);
    expect(groups.map(({ prices }) => prices.bins.at(-1))).toEqual(
      [0, 1, 0, 0].map((count) => ({ from: 7, to: 8, count })),
    );
  });

  it('keep infinite numbers out of bins', async () => {
    await table.importEntities(
      [Infinity, -Infinity, Infinity, NaN, 5, 5].map((n, at) => ({
        ...{ partitionKey: 'q', rowKey: `${at}` },
        n,
      })),
    );
    const of = async (filter: string) => {
      const select = { n: histogram('n', { bins: 4 }) };
      const [all] = await table.aggregate({ filter, select });
      return all!.n;
    };

    const one = [{ from: 5, to: 5, count: 2 }];
    expect(await of('n ge -1000 or n lt 0')).toEqual({ bins: one, below: 1, above: 2 });
    expect(await of('n gt 5')).toEqual({ bins: [], below: 0, above: 2 });
  });

  it('refuse groups, fractions and bins that are wrong', async () => {
    expect(await refused({ groupBy: ['week(at)'] })).toContain('A group is');
    expect(await refused({ groupBy: [''] })).toContain('A group is');
    expect(await refused({ groupBy: ['a,b'] })).toContain('not "a,b"');
    expect(await refused({ groupBy: [5] })).toContain('not 5');
    expect(await refused({ groupBy: 'at' })).toContain('groupBy of aggregate');
    expect(await refused({ select: 'count' })).toContain('select of aggregate');
    for (const fraction of [NaN, '0.5', undefined, -0.1, 1.01]) {
      const message = await refused({ select: { a: quantile('price', fraction as number) } });
      expect(message).toMatch(/from 0 to 1/);
      expect(message).not.toContain('bins');
    }
    const bins = [
      {},
      { bins: 0 },
      { bins: 1001 },
      { bins: 1.5 },
      { bins: '5' },
      { bins: Infinity },
    ];
    const bounds = [
      { bounds: [5] },
      { bounds: [1, 1] },
      { bounds: 5 },
      { bounds: [1, 2], bins: 1 },
    ];
    for (const options of [undefined, ...bins, ...bounds]) {
      const select = { a: histogram('price', options as { bins: number }) };
      const message = await refused({ select });
      expect(message).toContain('bins');
      expect(message).not.toContain('fraction');
    }
  });

  it('fail if their values take more than their part of the memory', async () => {
    const account = await openForTest({ storage: open(), cacheBytes: 0 });
    const large = await account.createTable('Large').then(() => account.tableClient('Large'));
    const text = 'x'.repeat(30_000);
    await large.importEntities(
      Array.from({ length: 150 }, (_, at) => ({
        ...{ partitionKey: 'p', rowKey: `${at}` },
        text: `${at}${text}`,
      })),
    );

    const error = await tableError(large.aggregate({ select: { n: countDistinct('text') } }));
    expect([error.code, error.statusCode]).toEqual(['AggregateTooLarge', 413]);
    expect(await large.aggregate({ select: { n: countDistinct('rowKey') } })).toEqual([{ n: 150 }]);
  });
});

describe('aggregates of a declared table', () => {
  const declared = defineTable('Sales', {
    partitionKey: t.string(),
    rowKey: t.string(),
    at: t.dateTime().optional(),
    price: t.double(),
    owner: t.string(),
  });
  const openDeclared = async () => {
    const { sales } = (await openForTest({ storage: memoryStorage(), tables: { sales: declared } }))
      .tables;
    const at = new Date('2024-05-06');
    await sales.insert({ partitionKey: 'p', rowKey: '1', price: 5, owner: 'ada', at });
    return sales;
  };

  it('have its types', async () => {
    const sales = await openDeclared();
    const [group] = await sales.aggregate({
      groupBy: ['year(at) desc', 'owner'],
      select: {
        owners: countDistinct('owner'),
        p95: quantile('price', 0.95),
        prices: histogram('price', { bins: 10 }),
      },
    });

    expectTypeOf(group!).toEqualTypeOf<{
      'year(at)': number | null;
      owner: string | null;
      owners: number;
      p95: number | null;
      prices: Histogram;
    }>();
    expect(group).toMatchObject({ 'year(at)': 2024, owner: 'ada', owners: 1, p95: 5 });

    const [named] = await sales.aggregate({ groupBy: { year: 'year(at)', who: 'owner desc' } });
    expectTypeOf(named!).toEqualTypeOf<{ year: number | null; who: string | null }>();
    expect(named).toEqual({ year: 2024, who: 'ada' });
  });

  it('refuse names that it does not declare', async () => {
    const sales = await openDeclared();
    const refused = async (call: Promise<unknown>) => {
      const error = await tableError(call);
      expect([error.code, error.message]).toEqual([
        'InvalidInput',
        expect.stringContaining('The table Sales declares no property "prize".') as string,
      ]);
    };

    // @ts-expect-error -- no such property
    await refused(sales.aggregate({ groupBy: ['prize'] }));
    // @ts-expect-error -- no such property
    await refused(sales.aggregate({ groupBy: { year: 'year(prize)' } }));
    // @ts-expect-error -- no such property
    await refused(sales.aggregate({ select: { total: sum('prize') } }));
    // @ts-expect-error -- no such property
    await refused(sales.aggregate({ select: { p: histogram('prize', { bins: 5 }) } }));
    // @ts-expect-error -- not a date
    await sales.aggregate({ groupBy: ['year(owner)'] });
    const keys = { groupBy: ['partitionKey', 'year(timestamp)'], select: { n: count() } } as const;
    expect(await sales.aggregate(keys)).toHaveLength(1);
  });
});
