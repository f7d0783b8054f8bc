// Aggregates that stay up to date.

import { describe, expect, expectTypeOf, test, vi } from 'vitest';

import { count, histogram, max, sum } from '../../../js/src/index.js';
import { withKnownParts } from '../../../js/src/live/known-parts.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, openTable } from '../support/accounts.js';
import { Received } from '../support/received.js';

const sale = (rowKey: string, kind: string, price: number, more: object = {}) => ({
  ...{ partitionKey: 'p', rowKey, kind, price },
  ...more,
});

const byKind = {
  groupBy: ['kind'],
  select: { n: count(), total: sum('price') },
} as const;

interface Group {
  n: number;
  total: unknown;
  kind: unknown;
}
const text = (groups: readonly Group[]) =>
  groups.map(({ kind, n, total }) => `${kind}: ${n}, ${total}`).join('; ');

describe('a live aggregate', () => {
  test('follows the writes of every tab', async () => {
    const storage = memoryStorage();
    const table = await openTable({ storage });
    const theirs = (await openForTest({ storage })).tableClient('Pets');
    const live = table.liveAggregate(byKind);
    expect([live.isLoaded, live.getSnapshot()]).toEqual([false, []]);
    const received = new Received<readonly Group[]>();
    live.subscribe({ next: received.listener });

    expect(text(await received.next())).toBe('');
    await table.createEntity(sale('1', 'tea', 4));
    expect(text(await received.next())).toBe('tea: 1, 4');
    await theirs.createEntity(sale('2', 'cup', 12));
    expect(text(await received.next())).toBe('cup: 1, 12; tea: 1, 4');
    await table.updateEntity(sale('2', 'tea', 5));
    expect(text(await received.next())).toBe('tea: 2, 9');
    await table.deleteEntity('p', '1');
    expect(text(await received.next())).toBe('tea: 1, 5');
    await table.importEntities(Array.from({ length: 2500 }, (_, at) => sale(`i${at}`, 'cup', 1)));
    const last = 'cup: 2500, 2500; tea: 1, 5';
    expect(text(await received.next((groups) => text(groups) === last))).toBe(last);
  });

  test('is no new result while its values are equal, and keeps groups that are', async () => {
    const table = await openTable({ storage: memoryStorage() });
    const at = new Date('2024-01-01');
    await table.createEntity(sale('1', 'cup', 1, { at }));
    await table.createEntity(sale('2', 'tea', 2, { at }));
    const live = table.liveAggregate({
      groupBy: ['kind'],
      select: { last: max('at'), prices: histogram('price', { bounds: [0, 10] }) },
    });
    const received = new Received<ReturnType<typeof live.getSnapshot>>();
    live.subscribe({ next: received.listener });
    const first = await received.next();

    await table.updateEntity(sale('1', 'cup', 1, { note: 'another property' }));
    await table.createEntity(sale('3', 'tea', 3));

    const second = await received.next();
    expect(second.map(({ prices }) => prices.bins[0]!.count)).toEqual([1, 2]);
    expect(second[0]).toBe(first[0]);
    expect(second[1]).not.toBe(first[1]);
    expect(second[1]!.last).toBe(first[1]!.last);
    expect(received.all).toEqual([]);
  });

  test('changes its filter, and keeps the old result until then', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.importEntities([sale('1', 'tea', 1), sale('2', 'tea', 20)]);
    const live = table.liveAggregate({ ...byKind, filter: 'price gt 10' });
    const received = new Received<readonly Group[]>();
    live.subscribe({ next: received.listener });
    expect(text(await received.next())).toBe('tea: 1, 20');

    live.update({});

    expect([live.isStale, text(live.getSnapshot())]).toEqual([true, 'tea: 1, 20']);
    expect(text(await received.next())).toBe('tea: 2, 21');
  });

  test('takes what its options are when it is made', async () => {
    const table = await openTable({ storage: memoryStorage() });
    await table.createEntity(sale('1', 'tea', 1));
    const groupBy = ['kind' as string];
    const select: Record<string, ReturnType<typeof count>> = { n: count() };
    const live = table.liveAggregate({ groupBy, select });
    groupBy[0] = 'price';
    select['m'] = count();

    const { value } = (await live[Symbol.asyncIterator]().next()) as { value: unknown };
    expect(value).toEqual([{ kind: 'tea', n: 1 }]);
  });

  test('fails with the error of the aggregate, and without its table', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    await account.createTable('Pets');
    const table = account.tableClient('Pets');
    const onError = vi.fn();
    const wrong = table.liveAggregate({ groupBy: ['week(at)'], onError });
    wrong.subscribe(() => {});
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
    const { code, message } = onError.mock.calls[0]![0] as Error & { code: string };
    expect(code).toBe('InvalidInput');
    // The table is named once.
    expect(message.split('Table "Pets"')).toHaveLength(2);

    const groups = table.liveAggregate({ select: { n: count() } })[Symbol.asyncIterator]();
    expect((await groups.next()).value).toEqual([{ n: 0 }]);
    const next = groups.next();
    await account.deleteTable('Pets');
    await expect(next).rejects.toMatchObject({ code: 'TableNotFound' });
  });

  test('has the types of a declared table, whose names it checks', async () => {
    const declared = defineTable('Sales', {
      partitionKey: t.string(),
      rowKey: t.string(),
      at: t.dateTime(),
    });
    const account = await openForTest({ storage: memoryStorage(), tables: { sales: declared } });
    const { sales } = account.tables;
    const live = sales.liveAggregate({ groupBy: ['year(at)'], select: { last: max('at') } });
    expectTypeOf(live.getSnapshot()).toEqualTypeOf<
      readonly { 'year(at)': number | null; last: Date | null }[]
    >();

    // @ts-expect-error -- no such property
    const wrong = sales.liveAggregate({ groupBy: ['att'] });
    await expect(wrong[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining('declares no property "att"') as string,
    });
  });
});

describe('the parts of a new result', () => {
  test('are the known ones where their values are equal', () => {
    const known = [{ a: 1n, d: new Date(5), b: Uint8Array.of(1) }, { a: 2 }, { x: { y: [1] } }];
    const equal = [{ a: 1n, d: new Date(5), b: Uint8Array.of(1) }, { a: 2 }, { x: { y: [1] } }];
    expect(withKnownParts(known, equal)).toBe(known);

    const next = [{ a: 1n, d: new Date(6), b: Uint8Array.of(1) }, { a: 2 }, { x: { y: [2] } }];
    const mixed = withKnownParts(known, next);
    expect(mixed).toEqual(next);
    expect(mixed[0]).not.toBe(known[0]);
    expect(mixed[0]!.b).toBe(known[0]!.b);
    expect(mixed[1]).toBe(known[1]);
    expect(mixed[2]!.x).not.toBe(known[2]!.x);
  });

  test.each([
    [[1], [1, 2]],
    [[1, 2], [1]],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, {}],
    [{}, { a: undefined }],
    [[], {}],
    [null, {}],
    [5, 5n],
    [new Date(0), {}],
    [{}, new Date(0)],
  ])('are new where they differ: %o, %o', (known, next) => {
    expect(withKnownParts<unknown>(known, next)).toBe(next);
  });
});
