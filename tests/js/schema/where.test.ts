import { describe, expect, it } from 'vitest';

import { odata } from '../../../js/src/index.js';
import { and, defineTable, not, or, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest, tableOf } from '../support/accounts.js';
import { pets } from './pets.js';

// The operands in a program of plain JavaScript.
type Any = any;

describe('where', () => {
  it('writes each value as a literal of the declared type', () => {
    const guid = 'a455c695-df98-5678-aaaa-81d3367e5a34';
    const born = new Date('2024-01-01T00:00:00Z');

    expect(pets.where(({ age }) => age.gt(5))).toBe(odata`age gt ${5}`);
    expect(pets.where(({ weight }) => weight.le(5))).toBe('weight le 5.0');
    expect(pets.where(({ chip }) => chip.ne(5n))).toBe('chip ne 5L');
    expect(pets.where(({ born: time }) => time.lt(born))).toBe(odata`born lt ${born}`);
    expect(pets.where(({ tag }) => tag.eq(guid))).toBe(`tag eq guid'${guid}'`);
    expect(pets.where(({ vaccinated }) => vaccinated.eq(true))).toBe('vaccinated eq true');
    expect(pets.where(({ photo }) => photo.eq(Uint8Array.of(10, 255)))).toBe("photo eq X'0aff'");
    expect(pets.where(({ name }) => name.ge("O'Neil"))).toBe("name ge 'O''Neil'");
    expect(pets.where(({ name }) => name.eq('5'))).toBe("name eq '5'");
  });

  it('writes keys, timestamps and names with a dollar sign as they are stored', () => {
    const table = defineTable('Own', {
      partitionKey: t.string(),
      rowKey: t.string(),
      $etag: t.dateTime({ precise: true }),
    });

    expect(table.where(({ partitionKey }) => partitionKey.eq('a'))).toBe("PartitionKey eq 'a'");
    expect(table.where(({ rowKey }) => rowKey.eq('a'))).toBe("RowKey eq 'a'");
    const text = '2024-01-01T00:00:00.1234567Z';
    expect(table.where(({ $etag }) => $etag.eq(text))).toBe(`etag eq datetime'${text}'`);
    expect(table.where(({ timestamp }) => timestamp.gt(new Date(0)))).toBe(
      "Timestamp gt datetime'1970-01-01T00:00:00.000Z'",
    );
  });

  it('puts parentheses only where they are needed', () => {
    const filter = pets.where(({ age, kind, name }) => {
      const [old, isDog, named] = [age.gt(5), kind.eq('dog'), name.eq('x')];
      return or(and(old, isDog), and(or(old, named), not(isDog)), not(and(old)));
    });

    expect(filter).toBe(
      "age gt 5 and kind eq 'dog' or (age gt 5 or name eq 'x') and not kind eq 'dog' or not age gt 5",
    );
    expect(pets.where(({ age, kind }) => not(or(age.gt(5), not(kind.eq('dog')))))).toBe(
      "not (age gt 5 or not kind eq 'dog')",
    );
  });

  it('asks for the start of a text by two comparisons', () => {
    expect(pets.where(({ name }) => name.startsWith('bee'))).toBe(
      "name ge 'bee' and name lt 'bef'",
    );
    expect(pets.where(({ name }) => not(name.startsWith('b')))).toBe(
      "not (name ge 'b' and name lt 'c')",
    );
    expect(pets.where(({ name }) => name.startsWith(''))).toBe("name ge ''");
  });

  it('asks for one of several values by a comparison with each', () => {
    expect(pets.where(({ age, name }) => and(age.in([1, 2]), name.in(['x'])))).toBe(
      "(age eq 1 or age eq 2) and name eq 'x'",
    );
    // No text is less than the empty one.
    expect(pets.where(({ age }) => not(age.in([])))).toBe("not PartitionKey lt ''");
  });

  it('knows a property with any name', () => {
    const odd = defineTable('Odd', { ...pets.properties, ['__proto__']: t.int32() });

    expect(odd.where(({ __proto__ }: Any) => __proto__.eq(5))).toBe('__proto__ eq 5');
  });

  it('takes the text of another filter, in parentheses', () => {
    const either = "name eq 'x' or name eq 'y'";

    expect(pets.where(({ age }) => and(either, age.gt(5)))).toBe(`(${either}) and age gt 5`);
    expect(pets.where(({ age }) => or(age.gt(5), not(either)))).toBe(`age gt 5 or not (${either})`);
    expect(pets.where(() => and(either))).toBe(either);
    const smile = "(name eq ':-)' or name eq 'it''s (')";
    expect(pets.where(({ age }) => and(age.gt(5), smile))).toBe(`age gt 5 and (${smile})`);
  });

  it.each([
    ...['not', 'and', 'or', 'eq', 'le', 'add', 'guid', 'datetime', 'X', 'binary', 'Null', 'nan'],
    ...['inf', 'infinity', 'startswith', 'nulls', '$etag'],
  ])('finds rows by a property named %s', async (name) => {
    const account = await openForTest({ storage: memoryStorage() });
    const properties = { partitionKey: t.string(), rowKey: t.string(), [name]: t.int32() };
    const words = defineTable('Words', properties);
    const client = await tableOf(account, words);
    for (const value of [4, 5, 6]) {
      await client.insert({ partitionKey: 'p', rowKey: `${value}`, [name]: value } as never);
    }

    const count = (build: (word: Any) => ReturnType<typeof not>) =>
      client.count({ where: (operands) => build((operands as Any)[name]) });
    expect(await count((word) => word.eq(5))).toBe(1);
    expect(await count((word) => not(word.lt(5)))).toBe(2);
    expect(await count((word) => and(word.ge(5), not(or(word.eq(5), word.eq(7)))))).toBe(1);
  });

  it.each([
    ['a number that is no Int32', (p: Any) => p.age.gt(5.5), /"age" is Int32 \(.+ 5\.5/],
    ['a text for a number', (p: Any) => p.age.eq('5'), /"age" is Int32 .+ with "5"/],
    ['a number for a bigint', (p: Any) => p.chip.eq(5), /"chip" is Int64 \(a bigint/],
    ['a text for a Date', (p: Any) => p.born.lt('2024'), /"born" is DateTime \(a Date/],
    ['an invalid Date', (p: Any) => p.born.lt(new Date(NaN)), /an invalid date/],
    ['a number for a text', (p: Any) => p.name.eq(5), /"name" is String .+ with 5\./],
    ['a wrong prefix', (p: Any) => p.name.startsWith(5), /"name" is String/],
    ['a text for bytes', (p: Any) => p.photo.eq('%'), /"photo" is Binary/],
    ['nothing', (p: Any) => p.age.gt(undefined), /with undefined\./],
    ['a misspelt property', ({ agee }: Any) => agee.gt(5), /Pets declares no .+ "agee"/],
    ['no condition', () => undefined, /conditions such as age\.gt\(5\), not of undefined/],
    ['a text', () => 'age gt 5', /not of "age gt 5"/],
    ['a part that is none', (p: Any) => and(p.age.gt(5), undefined as never), /undefined/],
    ['an object of another class', () => ({ within: () => 'a eq 1', text: 'a eq 1' }), /an object/],
    ['a part of another class', () => and({ within: () => 'a eq 1' } as never), /an object/],
    ['a blank part', (p: Any) => or(p.age.gt(5), ' '), /not of " "/],
    ['a part that closes more', () => and('a eq 1) or (b eq 2'), /"a eq 1\) or .+ parenthesis/],
    ['a part that opens more', () => and('(a eq 1'), /parenthesis/],
    ['a part with an open quote', () => and("a eq 'b"), /quote/],
  ])('refuses %s', (_, build, message) => {
    expect(() => pets.where(build as never)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringMatching(message) }),
    );
  });
});

describe('a text with a lone surrogate', () => {
  it('is refused, as in keys', () => {
    const wrong = expect.objectContaining({ code: 'InvalidInput' });

    expect(() => pets.where(({ name }) => name.eq('\ud800'))).toThrow(wrong);
    expect(() => pets.where(({ name }) => name.startsWith('a\udbff'))).toThrow(wrong);
    expect(pets.where(({ name }) => name.eq('\u{1f600}'))).toBe("name eq '\u{1f600}'");
  });
});
