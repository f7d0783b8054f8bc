import { beforeEach, describe, expect, it } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import { randomNumbers } from '../support/random-numbers.js';
import { collect, openTable } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { STORAGES } from '../support/storages.js';

const keysOf = (entities: Iterable<{ rowKey?: string }>) =>
  [...entities].map(({ rowKey }) => rowKey).join();

describe.each(STORAGES)('ordered lists over $adapter storage', ({ open }) => {
  let table: TableClient;

  beforeEach(async () => {
    table = await openTable({ storage: open() });
  });

  const fill = (rows: Record<string, object>) =>
    Promise.all(
      Object.entries(rows).map(([rowKey, properties]) =>
        table.createEntity({ partitionKey: 'p', rowKey, ...properties }),
      ),
    );
  const listed = async (options: Parameters<typeof table.listEntities>[0]) =>
    keysOf(await collect(table.listEntities(options)));

  it('have the order of properties, and then that of keys', async () => {
    await fill({
      a: { price: 5, name: 'tea' },
      b: { price: 4.5, name: 'tea' },
      c: { price: 5n, name: 'Tea' },
      d: { name: 'cup' },
    });

    expect(await listed({ orderBy: ['price'] })).toBe('d,b,a,c');
    expect(await listed({ orderBy: ['price desc'] })).toBe('a,c,b,d');
    expect(await listed({ orderBy: ['price desc', 'name asc'] })).toBe('c,a,b,d');
    expect(await listed({ orderBy: ['rowKey desc'] })).toBe('d,c,b,a');
    expect(await listed({ orderBy: ['RowKey desc'] as never })).toBe('d,c,b,a');
    expect(await listed({ orderBy: [] })).toBe('a,b,c,d');
    expect(await listed({ orderBy: ['name'], filter: 'price ge 5' })).toBe('c,a');
  });

  it('have values of all types in a stated order', async () => {
    const values = [
      undefined,
      false,
      true,
      NaN,
      -Infinity,
      -1,
      4.5,
      5,
      9007199254740993n,
      Infinity,
      new Date(0),
      '',
      'Z',
      'a',
      '\u{1F600}',
      '\uFF21',
      { type: 'Guid', value: '00000000-0000-0000-0000-000000000000' },
      Uint8Array.of(0),
      Uint8Array.of(255),
    ];
    const keys = values.map((_, at) => String.fromCharCode(97 + at));
    await fill(Object.fromEntries(keys.map((key, at) => [key, { v: values[at] }])));

    expect(await listed({ orderBy: ['v'] })).toBe(keys.join());
    expect(await listed({ orderBy: ['v desc'] })).toBe([...keys].reverse().join());
  });

  it('return a part, on pages of any size', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => [`r${10 + at}`, { n: (at * 7) % 30 }]);
    await fill(Object.fromEntries(rows));
    const options = { orderBy: ['n desc'], skip: 4, top: 11, select: ['n'] };

    const all = await collect(table.listEntities(options));
    expect(all.map(({ n }) => n)).toEqual([25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15]);
    for (const maxPageSize of [1, 4, 11, 12]) {
      const pages = await collect(table.listEntities(options).byPage({ maxPageSize }));
      expect(pages.flat()).toEqual(all);
      expect(pages[0]!.length).toBe(Math.min(maxPageSize, 11));
    }
    expect(await listed({ top: 2 })).toBe('r10,r11');
    expect(await listed({ skip: 29 })).toBe('r39');
    expect(await listed({ top: 0 })).toBe('');
  });

  it('go on from a token, whatever was written in between', async () => {
    await fill({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 }, d: { n: 4 }, e: { n: 5 } });
    const options = { orderBy: ['n'] } as const;
    const first = await table.listEntities(options).byPage({ maxPageSize: 2 }).next();
    const { continuationToken } = first.value;

    await table.deleteEntity('p', 'b');
    await table.upsertEntity({ partitionKey: 'p', rowKey: 'c', n: 9 });
    await table.createEntity({ partitionKey: 'p', rowKey: 'new', n: 4.5 });
    const rest = await collect(table.listEntities(options).byPage({ continuationToken }));

    expect(keysOf(rest.flat())).toBe('d,new,e,c');
    const other = table.listEntities({ orderBy: ['n desc'] }).byPage({ continuationToken });
    expect(await errorCode(collect(other))).toBe('InvalidInput');
    const unordered = table.listEntities().byPage({ continuationToken });
    expect(await errorCode(collect(unordered))).toBe('InvalidInput');
  });

  it('go on behind a long text', async () => {
    const long = 'é'.repeat(32_000);
    await fill({ a: { s: `${long}1`, t: long }, b: { s: `${long}2`, t: long } });

    const pages = table.listEntities({ orderBy: ['t', 's desc'] }).byPage({ maxPageSize: 1 });
    expect(keysOf((await collect(pages)).flat())).toBe('b,a');
  });

  it('order entities that are read with their types', async () => {
    await fill({ a: { n: 2 }, b: { n: 1n } });

    const [first] = await collect(table.listEntities({ orderBy: ['n'], typed: true }));
    expect(first!.n).toEqual({ type: 'Int64', value: 1n });
  });

  it('agree with a sort of all entities', async () => {
    const below = randomNumbers(1);
    const value = () => [below(5), below(9) / 2, BigInt(below(5)), undefined][below(4)];
    const rows = Array.from({ length: 300 }, (_, at) => {
      return { partitionKey: `p${below(4)}`, rowKey: `r${at}`, a: value(), b: value() };
    });
    await table.importEntities(rows);
    const number = (given: unknown) => (given === undefined ? -1 : Number(given));
    const byText = (x: string, y: string) => (x < y ? -1 : x > y ? 1 : 0);
    const expected = [...rows].sort(
      (x, y) =>
        number(y.a) - number(x.a) ||
        number(x.b) - number(y.b) ||
        byText(x.partitionKey, y.partitionKey) ||
        byText(x.rowKey, y.rowKey),
    );

    expect(await listed({ orderBy: ['a desc', 'b'] })).toBe(keysOf(expected));
  });

  it('end when their signal fires', async () => {
    await fill({ a: { n: 1 }, b: { n: 2 }, c: { n: 3 } });
    const abort = new AbortController();
    const list = table.listEntities({ orderBy: ['n'], abortSignal: abort.signal });
    const pages = list.byPage({ maxPageSize: 1 });
    await pages.next();
    const reason = new Error('the user went on');
    const next = pages.next();
    abort.abort(reason);

    expect(await rejection(next)).toBe(reason);
  });

  it('refuse what is no order', async () => {
    const message = async (orderBy: string[]) => {
      const error = await tableError(collect(table.listEntities({ orderBy })));
      expect(error.code).toBe('InvalidInput');
      return error.message;
    };

    expect(await message(['price down'])).toContain('orderBy "price down"');
    expect(await message(['price', 'price desc'])).toContain('twice');
    expect(await message(['etag'])).toContain('name of a property');
    expect(await message([''])).toContain('name of a property');
    for (const options of [{ top: -1 }, { skip: 1.5 }, { top: NaN }, { skip: 1e30 }]) {
      expect(await errorCode(collect(table.listEntities(options)))).toBe('InvalidInput');
    }
    for (const options of [{ top: '5' }, { orderBy: 'price' }]) {
      expect(() => table.listEntities(options as object)).toThrow('listEntities must be');
    }
  });
});
