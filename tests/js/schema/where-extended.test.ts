// Filters of the extended dialect that are built from the properties of a table.

import { beforeEach, describe, expect, it } from 'vitest';

import { odata } from '../../../js/src/index.js';
import { remoteAccount } from '../../../js/src/remote.js';
import { and, defineTable, not, or, t, whereExtended } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { pets } from './pets.js';

// Operands as plain JavaScript has them: without types.
type Any = any;

const textOf = (build: Parameters<typeof whereExtended<typeof pets.properties>>[1]) =>
  whereExtended(pets, build).filter;

describe('whereExtended', () => {
  it('returns the options of a query', () => {
    expect(whereExtended(pets, ({ name }) => name.contains("O'"))).toEqual({
      filter: "contains(name,'O''')",
      dialect: 'extended',
    });
  });

  it('writes functions of texts', () => {
    expect(textOf(({ name }) => name.startsWith('a'))).toBe("startswith(name,'a')");
    expect(textOf(({ name }) => name.endsWith('a'))).toBe("endswith(name,'a')");
    expect(textOf(({ name }) => name.toLower().contains('a'))).toBe("contains(tolower(name),'a')");
    expect(textOf(({ name }) => name.toUpper().eq('A'))).toBe("toupper(name) eq 'A'");
    expect(textOf(({ name }) => name.length().ge(3))).toBe('length(name) ge 3');
    expect(textOf(({ name, rowKey }) => name.startsWith(rowKey))).toBe('startswith(name,RowKey)');
    expect(textOf(({ name }) => not(name.contains('a')))).toBe("not contains(name,'a')");
  });

  it('writes lists', () => {
    expect(textOf(({ kind }) => kind.in(['dog', 'cat']))).toBe("kind in ('dog','cat')");
    expect(textOf(({ age }) => age.in([1, 2n, 2.5]))).toBe('age in (1,2L,2.5)');
    expect(textOf(({ age, chip }) => age.in([chip, chip.add(1)]))).toBe('age in (chip,chip add 1)');
    expect(textOf(({ age }) => age.in([]))).toBe('false');
    expect(textOf(({ age }) => not(age.in([])))).toBe('not false');
  });

  it('writes parts of times', () => {
    const since = new Date('2024-01-01T00:00:00Z');
    const parts = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;

    for (const part of parts)
      expect(textOf(({ born }) => born[part]().eq(5))).toBe(`${part}(born) eq 5`);
    expect(textOf(({ timestamp }) => timestamp.year().ge(2024))).toBe('year(Timestamp) ge 2024');
    expect(textOf(({ born }) => born.ge(since))).toBe(odata`born ge ${since}`);
    expect(textOf(({ born, timestamp }) => born.lt(timestamp))).toBe('born lt Timestamp');
  });

  it('writes calculations, with parentheses only where they are needed', () => {
    expect(textOf(({ age }) => age.add(1).mul(2).gt(9))).toBe('(age add 1) mul 2 gt 9');
    expect(textOf(({ age }) => age.mul(2).add(1).gt(9))).toBe('age mul 2 add 1 gt 9');
    expect(textOf(({ age, chip }) => age.sub(chip.sub(1)).eq(0))).toBe('age sub (chip sub 1) eq 0');
    expect(textOf(({ age, chip }) => age.div(chip.mod(3)).eq(0))).toBe('age div (chip mod 3) eq 0');
    expect(textOf(({ age, chip }) => age.lt(chip.mul(-2)))).toBe('age lt chip mul -2');
  });

  it('writes numbers in the type of the property where it matters', () => {
    expect(textOf(({ age }) => age.gt(31.5))).toBe('age gt 31.5');
    expect(textOf(({ age }) => age.gt(2 ** 40))).toBe('age gt 1099511627776L');
    expect(textOf(({ chip }) => chip.eq(5))).toBe('chip eq 5');
    expect(textOf(({ chip }) => chip.eq(2n ** 53n + 1n))).toBe('chip eq 9007199254740993L');
    // A Double, so that a fraction is not dropped.
    expect(textOf(({ weight }) => weight.div(2).eq(3))).toBe('weight div 2.0 eq 3.0');
    expect(textOf(({ age, weight }) => age.mul(weight).eq(3))).toBe('age mul weight eq 3.0');
    expect(textOf(({ weight }) => weight.ne(NaN))).toBe('weight ne NaN');
  });

  it('writes values of the other types as where does', () => {
    const guid = 'a455c695-df98-5678-aaaa-81d3367e5a34';

    expect(textOf(({ tag }) => tag.in([guid]))).toBe(`tag in (guid'${guid}')`);
    expect(textOf(({ photo }) => photo.eq(Uint8Array.of(10, 255)))).toBe("photo eq X'0aff'");
    expect(textOf(({ vaccinated }) => vaccinated.ne(true))).toBe('vaccinated ne true');
    expect(textOf(({ partitionKey }) => partitionKey.startsWith('d'))).toBe(
      "startswith(PartitionKey,'d')",
    );
  });

  it.each([
    ['a text for a number', (p: Any) => p.age.add('5'), /"age" is Int32 .+ with "5"/],
    ['an integer beyond Int64', (p: Any) => p.chip.gt(2n ** 63n), /"chip" is Int64 .+ with 9223/],
    ['a number for a text', (p: Any) => p.name.toLower().eq(5), /"tolower\(name\)" is String/],
    ['a text for a part', (p: Any) => p.born.year().eq('5'), /"year\(born\)" is/],
    ['a property of another type', (p: Any) => p.name.eq(p.age), /"name" .+ age, which is Int32/],
    ['a Guid for a text', (p: Any) => p.name.contains(p.tag), /with tag, which is Guid/],
    ['a list that is none', (p: Any) => p.age.in(5), /of in must be an array, not 5/],
    ['a list with nothing in it', (p: Any) => p.age.in([1, undefined]), /with undefined/],
    ['a misspelt property', ({ agee }: Any) => agee.gt(5), /Pets declares no .+ "agee"/],
    ['a value alone', (p: Any) => p.age, /conditions such as age\.gt\(5\), not of an object/],
    ['an operand alone', (p: Any) => and(p.age), /not of an object/],
  ])('refuses %s', (_, build, message) => {
    expect(() => whereExtended(pets, build as never)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringMatching(message) }),
    );
  });

  it('has only the methods of the type in plain JavaScript, too', () => {
    const build = ({ age }: Any) => age.startsWith('a');

    expect(() => whereExtended(pets, build)).toThrow(TypeError);
  });
});

describe('a query with whereExtended', () => {
  const goods = defineTable('Goods', {
    partitionKey: t.string(),
    rowKey: t.string(),
    name: t.string(),
    price: t.double(),
    count: t.int32().optional(),
    sold: t.dateTime().optional(),
  });
  const open = async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const table = await tableOf(account, goods);
    await table.insertMany([
      { partitionKey: 'a', rowKey: '1', name: 'Pear', price: 2.5, count: 7 },
      { partitionKey: 'a', rowKey: '2', name: 'plum', price: 3, sold: new Date('2021-05-06Z') },
      { partitionKey: 'b', rowKey: '3', name: 'Apple', price: 4, count: -3 },
    ]);
    // Another writer stored an Int32.
    await account
      .tableClient('Goods')
      .createEntity({ partitionKey: 'b', rowKey: '4', name: 'PEA', price: 7 });
    return table;
  };
  let table: Awaited<ReturnType<typeof open>>;
  beforeEach(async () => {
    table = await open();
  });

  type Build = Parameters<typeof whereExtended<typeof goods.properties>>[1];

  it.each<[string, Build, string]>([
    ['a part of a text', ({ name }) => name.toLower().contains('pea'), '14'],
    ['its negation', ({ name }) => not(name.toUpper().startsWith('P')), '3'],
    ['numbers of other types', ({ price }) => price.gt(2.5), '234'],
    ['half of an Int32 as a Double', ({ price }) => price.div(2).eq(3.5), '4'],
    ['half of a whole number', ({ count }) => count.div(2).eq(3), '1'],
    ['a negative number', ({ count }) => count.sub(-5).in([2]), '3'],
    ['a calculation of two', ({ price, count }) => price.mul(count.add(1)).gt(19), '1'],
    ['a missing property', ({ count }) => count.ne(7), '3'],
    ['a year', ({ sold }) => and(sold.year().eq(2021), sold.day().lt(7)), '2'],
    ['keys', ({ partitionKey, rowKey }) => or(partitionKey.in(['x', 'b']), rowKey.eq('1')), '134'],
    ['an empty list', ({ name, price }) => or(name.in([]), price.eq(3)), '2'],
    ['its negation', ({ name }) => not(name.in([])), '1234'],
    ['a range of keys', ({ name }) => and("PartitionKey eq 'a'", name.endsWith('m')), '2'],
  ])('finds rows by %s', async (_, build, rows) => {
    const { filter: where } = whereExtended(goods, build);
    const found = await table.list({ where, orderBy: ['rowKey'] });

    expect(found.map(({ rowKey }) => rowKey).join('')).toBe(rows);
    expect(await table.count({ where })).toBe(rows.length);
  });

  it.each([
    ...['and', 'or', 'eq', 'in', 'add', 'div', 'guid', 'X', 'Null', 'nan', 'inf'],
    ...['startswith', 'contains', 'tolower', 'year', 'length', '$etag'],
  ])('finds rows by properties named %s', async (name) => {
    const account = await openForTest({ storage: memoryStorage() });
    const properties = { partitionKey: t.string(), rowKey: t.string() };
    const texts = defineTable('Texts', { ...properties, [name]: t.string() });
    const numbers = defineTable('Numbers', { ...properties, [name]: t.int32() });
    const { texts: textTable, numbers: numberTable } = await account.openTables({ texts, numbers });
    const keys = { partitionKey: 'p', rowKey: 'r' };
    await textTable.insert({ ...keys, [name]: 'Bee' } as never);
    await numberTable.insert({ ...keys, [name]: 5 } as never);

    type Build = (word: Any) => ReturnType<typeof not>;
    const ofText = (build: Build) =>
      textTable.count({ where: whereExtended(texts, (all: Any) => build(all[name])).filter });
    const ofNumber = (build: Build) =>
      numberTable.count({ where: whereExtended(numbers, (all: Any) => build(all[name])).filter });
    expect(await ofText((word) => word.in(['Ant', 'Bee']))).toBe(1);
    expect(await ofText((word) => word.toLower().startsWith('b'))).toBe(1);
    expect(await ofText((word) => not(word.contains(word)))).toBe(0);
    expect(await ofNumber((word) => word.add(word).mul(word).eq(50))).toBe(1);
    expect(await ofNumber((word) => not(word.in([word.sub(1)])))).toBe(1);
  });

  it('works in lists, counts, live views and changes', async () => {
    const { filter: where } = whereExtended(goods, ({ name }) => name.toLower().startsWith('pea'));

    const live = table.live({ where })[Symbol.asyncIterator]();
    expect(((await live.next()).value as unknown[]).length).toBe(2);
    await live.return?.();
    const set = { price: 1 };
    expect((await table.updateMany({ where, set })).updated).toBe(2);
    expect((await table.deleteMany({ where })).deleted).toBe(2);
    const keyed = whereExtended(goods, ({ partitionKey }) => partitionKey.startsWith('b'));
    expect(await table.explain({ where: keyed.filter })).toMatchObject({
      access: 'partition range',
      count: 1,
    });
  });

  it('is refused by a remote account, with the reason', () => {
    const remote = remoteAccount({ url: 'https://contoso.table.core.windows.net', key: btoa('k') });
    const query = whereExtended(goods, ({ name }) => name.contains('a'));

    expect(() => remote.tableClient('Goods').listEntities({ ...query })).toThrow(
      expect.objectContaining({
        code: 'InvalidInput',
        message: expect.stringMatching(/remote account has no option dialect, .+ openAccount/),
      }),
    );
  });
});
