import { describe, expect, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import {
  and,
  defineTable,
  not,
  or,
  t,
  type InferInput,
  type TableDefinition,
} from '../../../js/src/schema.js';
import { ticksOf } from '../../../js/src/schema/values.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { pets } from '../schema/pets.js';
import { randomNumbers, testSeed } from '../support/random-numbers.js';
import { openTasks, pages, tasks, visits } from './tasks.js';

const GUID = 'a455c695-df98-5678-aaaa-81d3367e5a34';
const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

describe('the key of a row', () => {
  it('is one text as it is, in the partition `all`', () => {
    expect(pages.keysOf({ url: 'Zoë 1.5' })).toEqual({
      partitionKey: 'all',
      rowKey: 'Zoë 1.5',
    });
    expect(tasks.keysOf({ list: 'my list', id: ID })).toEqual({
      partitionKey: 'my list',
      rowKey: ID,
    });
  });

  it('has two other characters in the place of one that keys forbid', () => {
    const { rowKey } = pages.keysOf({ url: 'https://a.b/c?d#e\\f\x7f' });

    expect(rowKey).toBe('https:.\ufffd.\ufffda.b.\ufffdc>\ufffdd"\ufffde[\ufffdf~\ufffd7f');
    expect(pages.fieldsOf({ partitionKey: 'all', rowKey })).toEqual({
      url: 'https://a.b/c?d#e\\f\x7f',
    });
  });

  const seed = testSeed();
  it(`sorts as its text, and no two texts have the same (seed ${seed})`, () => {
    const random = randomNumbers(seed);
    const UNITS = ['"', '#', '$', '.', '/', '0', '>', '?', '@', '[', '\\', ']', '}', '~', '\x7f'];
    UNITS.push('\x80', '\x9f', '\xa0', 'a', 'f', '7', ' ', '!', '\ufffb', '\ufffc', '\ufffd');
    UNITS.push('\ufffe', '\uffff', '😀');
    const textOf = () =>
      Array.from({ length: random(5) }, () => UNITS[random(UNITS.length)]!).join('');
    const keyOf = (url: string) => pages.keysOf({ url }).rowKey;
    for (let i = 0; i < 4000; i++) {
      const [one, other] = [textOf(), textOf()];
      const [first, second] = [keyOf(one), keyOf(other)];
      expect(first).not.toMatch(/[/\\#?\0-\x1f\x7f-\x9f]/);
      expect([one, other, first < second, first > second]).toEqual([
        one,
        other,
        one < other,
        one > other,
      ]);
      expect(pages.fieldsOf({ partitionKey: 'all', rowKey: first })).toEqual({ url: one });
    }
  });

  it('has several fields one after another, which the documents describe', () => {
    const at = new Date('2024-05-06T07:08:09.010Z');
    const fields = { owner: 'ann', year: 2024, kind: 'a/b', at, serial: -1n };
    const keys = visits.keysOf(fields);

    expect(keys).toEqual({
      partitionKey: 'ann!800007e8',
      rowKey: `a.2fb!${ticksOf(at).toString(16).padStart(16, '0')}7fffffffffffffff`,
    });
    expect(visits.fieldsOf(keys)).toEqual(fields);
  });

  it.each([
    [t.int32(), -5, '7ffffffb'],
    [t.int64(), 5n, '8000000000000005'],
    [t.dateTime(), new Date(5), '0701ce1722770000'.length],
    [t.dateTime({ precise: true }), '2024-05-06T07:08:09.0100001Z', 16],
    [t.boolean(), true, '1'],
    [t.guid(), GUID, GUID.replaceAll('-', '')],
  ] as const)('may be another type than a text: %j', (property, one, written) => {
    const table = defineTable('Ones', { one: property as never }, { key: 'one' as never });
    const keys = table.keysOf({ one } as never);

    if (typeof written === 'number') expect(keys.rowKey).toMatch(/^[\da-f]{16}$/);
    else expect(keys.rowKey).toBe(written);
    expect(table.fieldsOf(keys)).toEqual({ one });
  });

  it.each(['', 'ann', 'ann!', 'ann!8000000', 'ann!8000000g', 'ann!800000000', 'a.b!80000000'])(
    'is never made as %j, which another program has stored',
    (partitionKey) => {
      expect(() => visits.fieldsOf({ partitionKey } as never)).toThrow(
        'is not made of owner, year',
      );
    },
  );

  it.each(['2024-02-30T00:00:00Z', '2024-01-01T24:00:00Z', '2023-02-29T12:00:00.5Z'])(
    'has no time that does not exist: %s',
    (at) => {
      const table = defineTable('Times', { at: t.dateTime({ precise: true }) }, { key: 'at' });
      expect(() => table.keysOf({ at })).toThrow(`Property "at" is "${at}", which is not `);
    },
  );

  it('cannot change: a row that was stored under another one is named', async () => {
    const storage = memoryStorage();
    const fields = { book: t.string(), id: t.string() };
    const [byId, byBook] = (['id', ['book', 'id']] as const).map((key) =>
      defineTable('Recipes', fields, { key }),
    );
    const before = await openAccount({ storage, tables: { recipes: byId! } });
    onTestFinished(() => before.close());
    await before.tables.recipes.insert({ book: 'a', id: '1' });
    const after = await openAccount({ storage, tables: { recipes: byBook! } });
    onTestFinished(() => after.close());

    const message =
      /A row has "a" as its property "book", and "all" in its key.*declare a table with another name/;
    await expect(after.tables.recipes.list()).rejects.toThrow(message);
    // What other programs store twice does no harm.
    const client = after.tableClient('Recipes');
    await client.deleteEntity('all', '1');
    await client.createEntity({ partitionKey: 'b', rowKey: '2', book: 'b' });
    expect(await after.tables.recipes.list()).toMatchObject([{ book: 'b', id: '2' }]);
  });

  it('is refused if no row can have it', () => {
    const properties = { id: t.id(), size: t.double(), note: t.string().optional() };
    const define = (key: unknown) => () => defineTable('Ones', properties, { key: key as 'id' });

    expect(define('id down')).toThrow('Property "id" of Ones is in its key with another direction');
    expect(define('size')).toThrow('Property "size" of a key is Double');
    expect(define('note')).toThrow('Property "note" of Ones is in its key, and optional.');
    expect(define('nmae')).toThrow('Property "nmae" of Ones is in its key, and not declared.');
    expect(define(['id', 'id'])).toThrow('Property "id" of Ones is in its key twice.');
    for (const key of [['id'], [], { partition: [], row: ['id'] }, { row: ['id'] }, 5, null]) {
      expect(define(key)).toThrow('The key of Ones is the name of a property, two of them');
    }
    expect(() => defineTable('Ones', { id: t.id(), rowKey: t.string() }, { key: 'id' })).toThrow(
      'Property "rowKey" of Ones is declared beside the option key.',
    );
  });
});

describe('a filter of fields of keys', () => {
  const at = new Date('2024-05-06T07:08:09.010Z');
  const partition = (owner: string, year: number) => `${owner}!8000000${year}`;

  it('is a filter of keys', () => {
    expect(pages.where(({ url }) => url.eq('a/b'))).toBe(
      "PartitionKey eq 'all' and RowKey eq 'a.\ufffdb'",
    );
    expect(tasks.where(({ list, done }) => and(done.eq(false), list.eq("Ann's")))).toBe(
      "PartitionKey eq 'Ann''s' and done eq false",
    );
    expect(tasks.where(({ id }) => id.gt('5'))).toBe("RowKey gt '5'");
    expect(tasks.where(({ list }) => list.startsWith('a.'))).toBe(
      "PartitionKey ge 'a.' and PartitionKey lt 'a.\ufffd'",
    );
    expect(
      tasks.where(({ list, done }) => or(list.eq('a'), and(list.ne('b'), done.eq(true)))),
    ).toBe("PartitionKey eq 'a' or PartitionKey ne 'b' and done eq true");
    expect(pages.where(({ url }) => not(url.eq('a')))).toBe(
      "not (PartitionKey eq 'all' and RowKey eq 'a')",
    );
  });

  it('takes the fields of a key together', () => {
    expect(visits.where(({ owner, year }) => and(year.eq(5), owner.eq('ann')))).toBe(
      `PartitionKey eq '${partition('ann', 5)}'`,
    );
    expect(visits.where(({ owner }) => owner.eq('ann'))).toBe(
      `PartitionKey ge 'ann!' and PartitionKey lt 'ann"'`,
    );
    expect(visits.where(({ owner, year }) => and(owner.eq('ann'), year.ge(5), year.lt(7)))).toBe(
      `PartitionKey ge 'ann!' and PartitionKey lt 'ann"' and ` +
        `PartitionKey ge '${partition('ann', 5)}' and PartitionKey lt '${partition('ann', 7)}'`,
    );
    expect(visits.where(({ kind, note }) => and(kind.eq('x'), note.eq('n')))).toBe(
      `RowKey ge 'x!' and RowKey lt 'x"' and note eq 'n'`,
    );
    expect(() => visits.where(({ year }) => year.eq(5))).toThrow(
      'A filter with "year" needs owner.eq(…) in the same and()',
    );
    expect(() => visits.where(({ owner, year }) => and(owner.gt('a'), year.eq(5)))).toThrow(
      'A filter with "year" needs owner.eq(…)',
    );
    expect(() => visits.where(({ owner }) => owner.eq(5 as never))).toThrow(
      'Property "owner" is String (a string); a filter cannot compare it with 5.',
    );
  });

  it('finds the rows that a plain filter of the rows finds', async () => {
    const { visits: table } = (await openTasks()).tables;
    const rows: InferInput<typeof visits>[] = [];
    for (const owner of ['a', 'a.b', 'ab', 'b']) {
      for (const year of [-1, 0, 2024]) {
        for (const kind of ['x', 'x/y', 'y']) {
          rows.push({ owner, year, kind, at, serial: BigInt(rows.length), note: `${rows.length}` });
        }
      }
    }
    await table.insertMany(rows);

    const OPERATORS = {
      eq: (one, other) => one === other,
      ne: (one, other) => one !== other,
      gt: (one, other) => one > other,
      ge: (one, other) => one >= other,
      lt: (one, other) => one < other,
      le: (one, other) => one <= other,
    } satisfies Record<string, (one: string | number, other: string | number) => boolean>;
    for (const [operator, fits] of Object.entries(OPERATORS)) {
      const op = operator as keyof typeof OPERATORS;
      const found = async (where: NonNullable<Parameters<typeof table.list>[0]>['where']) =>
        (await table.list({ where })).map(({ note }) => Number(note)).sort((a, b) => a - b);
      const expected = (test: (row: (typeof rows)[number]) => boolean) =>
        rows.flatMap((row, at) => (test(row) ? [at] : []));

      expect(await found(({ owner }) => owner[op]('a.b'))).toEqual(
        expected(({ owner }) => fits(owner, 'a.b')),
      );
      expect(await found(({ owner, year }) => and(owner.eq('a'), year[op](0)))).toEqual(
        expected(({ owner, year }) => owner === 'a' && fits(year, 0)),
      );
      expect(await found(({ kind }) => kind[op]('x/y'))).toEqual(
        expected(({ kind }) => fits(kind, 'x/y')),
      );
      expect(await found(`owner ${op} 'a.b'`)).toEqual(expected(({ owner }) => fits(owner, 'a.b')));
    }
  });
});

describe('the text of a filter', () => {
  const filterOf = (text: string, table: TableDefinition = tasks) => table.where(text as never);

  it('has the names of the app', () => {
    expect(filterOf("list eq 'a/b' and done eq false")).toBe(
      "PartitionKey eq 'a.\ufffdb' and done eq false",
    );
    expect(filterOf("'5' lt id or title eq 'list eq 5'")).toBe(
      "RowKey gt '5' or title eq 'list eq 5'",
    );
    expect(filterOf("not (url eq 'O''Hara')", pages)).toBe(
      "not ((PartitionKey eq 'all' and RowKey eq 'O''Hara'))",
    );
    expect(filterOf("startswith(list,'a') and lists eq 5")).toBe(
      "startswith(PartitionKey,'a') and lists eq 5",
    );
    expect(filterOf("owner eq 'a' and note eq 'x'", visits)).toBe(
      `(PartitionKey ge 'a!' and PartitionKey lt 'a"') and note eq 'x'`,
    );
    expect(() => filterOf('year eq 5', visits)).toThrow('A filter with "year" needs owner.eq(…)');
    expect(() => filterOf("year(note) eq 5 and startswith(kind,'x')", visits)).toThrow(
      'In a filter, "kind" is compared with a value, and has no other use.',
    );
    expect(() => filterOf('list eq 5')).toThrow('a filter cannot compare it with 5.');
    expect(filterOf("rowKey eq 'rowKey' and timestamp gt born and 'a' lt partitionKey", pets)).toBe(
      "RowKey eq 'rowKey' and Timestamp gt born and 'a' lt PartitionKey",
    );
    const odd = defineTable('Odd', { ...pets.properties, $timestamp: t.int32() });
    expect(filterOf("timestamp eq 5 and RowKey eq 'a'", odd)).toBe(
      "timestamp eq 5 and RowKey eq 'a'",
    );
  });
});

describe('a field of a key from the greatest value', () => {
  const notes = defineTable(
    'Notes',
    { room: t.string(), at: t.dateTime(), name: t.string(), text: t.string() },
    { key: { partition: ['room'], row: ['at desc', 'name desc'] } },
  );
  const rows = [1, 2, 3].flatMap((second) =>
    ['a', 'ab', 'b'].map((name) => ({
      ...{ room: 'r', at: new Date(second * 1000), name },
      text: `${second}${name}`,
    })),
  );

  it('sorts so, and filters and orders say what they say elsewhere', async () => {
    const account = await openAccount({ storage: memoryStorage(), tables: { notes } });
    onTestFinished(() => account.close());
    const table = account.tables.notes;
    await table.insertMany(rows);
    const texts = async (options?: Parameters<typeof table.list>[0]) =>
      (await table.list(options)).map(({ text }) => text).join(' ');

    expect(await texts()).toBe('3b 3ab 3a 2b 2ab 2a 1b 1ab 1a');
    expect(await texts({ orderBy: ['at', 'name'] })).toBe('1a 1ab 1b 2a 2ab 2b 3a 3ab 3b');
    expect(await texts({ orderBy: ['at desc'], limit: 4 })).toBe('3b 3ab 3a 2b');
    const after = new Date(1000);
    expect(await texts({ where: ({ at }) => at.gt(after) })).toBe('3b 3ab 3a 2b 2ab 2a');
    expect(await texts({ where: ({ at }) => at.le(after) })).toBe('1b 1ab 1a');
    expect(await texts({ where: ({ at, name }) => and(at.eq(after), name.ge('ab')) })).toBe(
      '1b 1ab',
    );
    expect(await texts({ where: ({ at, name }) => and(at.eq(after), name.startsWith('a')) })).toBe(
      '1ab 1a',
    );
    await expect(texts({ orderBy: ['at', 'name desc'] })).rejects.toThrow('one after another');
  });
});
