import { describe, expect, it } from 'vitest';

import { TableError } from '../../../js/src/base/errors.js';
import { defineTable, t, type PropertyDefinition } from '../../../js/src/schema.js';

const visits = defineTable('Visits', {
  partitionKey: t.key({ user: t.string(), year: t.int32() }),
  rowKey: t.key({ at: t.dateTime(), id: t.guid() }, { order: { at: 'descending' } }),
  note: t.string().optional(),
});

const guid = 'a455c695-df98-5678-aaaa-81d3367e5a34';
const at = new Date('2024-05-06T07:08:09.010Z');

describe('a key of several values', () => {
  it('is written as the documents say', () => {
    expect(t.key({ n: t.int32() }).encode({ n: -1 })).toBe('7fffffff');
    expect(t.key({ n: t.int64() }).encode({ n: 0n })).toBe('8000000000000000');
    expect(t.key({ b: t.boolean() }).encode({ b: true })).toBe('1');
    expect(t.key({ text: t.string() }).encode({ text: 'Zoë' })).toBe('Zoë');
    expect(t.key({ text: t.string() }).encode({ text: 'a/b .!' })).toBe('a.2fb"20.2e"21');
    expect(t.key({ user: t.string(), n: t.int32() }).encode({ user: 'ann', n: 0 })).toBe(
      'ann!80000000',
    );
    expect(t.key({ id: t.guid() }).encode({ id: guid })).toBe(guid.replaceAll('-', ''));
  });

  it('is taken apart again, with the values in their types', () => {
    const keys = visits.keys.encode({ user: 'ann', year: 2024, at, id: guid });

    expect(visits.keys.decode(keys)).toEqual({ user: 'ann', year: 2024, at, id: guid });
    const precise = t.key({ at: t.dateTime({ precise: true }) });
    const text = '2024-05-06T07:08:09.0100001Z';
    expect(precise.decode(precise.encode({ at: text }))).toEqual({ at: text });
  });

  it.each(['', 'ann', 'ann!', 'ann!8000000', 'ann!8000000g', 'ann!800000000', 'a.b!80000000'])(
    'refuses the key %j, which it never makes',
    (key) => {
      expect(() => t.key({ user: t.string(), n: t.int32() }).decode(key)).toThrow(
        /is not a key with the fields user, n\.$/,
      );
    },
  );

  it('refuses values that it cannot write', () => {
    const key = t.key({ user: t.string(), n: t.int32() });

    expect(() => key.encode({ user: 'a', n: 1.5 })).toThrow('Property "n" of a key is 1.5, which');
    expect(() => key.encode({ user: '\ud800', n: 1 })).toThrow('Property "user" of a key is');
    expect(() => key.encode({ n: 1 } as never)).toThrow('"user" of a key is undefined');
    expect(() => key.encode({ user: 'a'.repeat(1016), n: 1 })).toThrow(
      'The key has 1025 UTF-16 units; the limit is 1024.',
    );
    expect(key.encode({ user: 'a'.repeat(1015), n: 1 })).toHaveLength(1024);
  });

  it.each(['2024-02-30T00:00:00Z', '2024-01-01T24:00:00Z', '2023-02-29T12:00:00.5Z'])(
    'refuses the time %s, which does not exist',
    (at) => {
      const message = `Property "at" of a key is "${at}", which breaks its type DateTime (the text of an existing time, such as 2024-05-01T00:00:00Z).`;
      const precise = t.dateTime({ precise: true });
      expect(() => t.key({ at: precise }).encode({ at })).toThrow(TableError);
      expect(() => t.key({ at: precise }).encode({ at })).toThrow(message);
      const table = defineTable('Times', {
        partitionKey: t.key({ at: precise }),
        rowKey: t.string(),
      });
      expect(() => table.keys.encode({ at, rowKey: 'r' })).toThrow(message);
      expect(() => table.keys.range({ at })).toThrow(message);
    },
  );

  it('refuses fields that have no order, or may be missing', () => {
    expect(() => t.key({})).toThrow('A key has at least one field.');
    expect(() => t.key({ n: t.double() as never })).toThrow('"n" of a key is Double');
    expect(() => t.key({ n: t.int32().optional() as never })).toThrow('is optional');
    const digits = { b: t.string(), 1: t.string() };
    expect(() => t.key(digits)).toThrow('"1" of a key has a name of digits');
    expect(() => t.key({ n: t.int32() }, { order: { n: 'down' as never } })).toThrow('"down"');
    expect(() => t.key({ n: t.int32() }, { order: { m: 'descending' } as never })).toThrow('"m"');
    const twice = { partitionKey: t.key({ a: t.string() }), rowKey: t.key({ a: t.string() }) };
    expect(() => defineTable('Twice', twice)).toThrow('Both keys have a field "a".');
  });

  it('keeps the constraints of its fields', () => {
    const key = t.key({ year: t.int32({ minimum: 2000 }), kind: t.string({ enum: ['a', 'b'] }) });

    expect(() => key.encode({ year: 1999, kind: 'a' })).toThrow(
      'Property "year" of a key is 1999, which breaks its minimum.',
    );
    expect(() => key.encode({ year: 2000, kind: 'c' as 'a' })).toThrow('breaks its enum');
    const free = t.key({ year: t.int32(), kind: t.string() });
    expect(() => key.decode(free.encode({ year: 1999, kind: 'a' }))).toThrow('is not a key');
    const checked = t.string().refine((user) => user !== 'root', 'Not root.');
    expect(() => t.key({ user: checked })).toThrow('"user" of a key has a check');
  });

  it('refuses a property with the name of a field and another type', () => {
    const define = (year: PropertyDefinition) =>
      defineTable('Years', {
        partitionKey: t.key({ year: t.dateTime() }),
        rowKey: t.string(),
        year,
      });

    expect(() => define(t.int32())).toThrow(
      'Property "year" of Years is Int32, but its key has another type.',
    );
    expect(() => define(t.dateTime({ precise: true }))).toThrow('another type');
    expect(() => define(t.dateTime().optional())).not.toThrow();
  });

  it('stays a key when it is described', () => {
    const key = t.key({ n: t.int32() }).describe('The year.');

    expect(key.encode({ n: 0 })).toBe('80000000');
  });
});

describe('a range of keys', () => {
  it('is a filter of the first values', () => {
    const { keys } = visits;

    expect(keys.range({ user: 'ann' })).toBe("PartitionKey ge 'ann!' and PartitionKey lt 'ann\"'");
    expect(keys.range({ user: 'ann', year: 0 })).toBe("PartitionKey eq 'ann!80000000'");
    expect(keys.range({ user: 'ann', year: 0, at })).toMatch(
      /^PartitionKey eq 'ann!80000000' and RowKey ge '[\da-f]{16}' and RowKey lt '[\da-g]{16}'$/,
    );
    expect(keys.range({ user: "o'x", year: 0, at, id: guid })).toMatch(
      /^PartitionKey eq 'o''x!80000000' and RowKey eq '[\da-f]{48}'$/,
    );
  });

  it('has a key that is no t.key as a field of its own name', () => {
    const table = defineTable('Plain', {
      partitionKey: t.string(),
      rowKey: t.key({ year: t.int32(), month: t.int32() }),
    });

    expect(table.keys.range({ partitionKey: "a'b" })).toBe("PartitionKey eq 'a''b'");
    expect(table.keys.encode({ partitionKey: 'p', year: 0, month: 0 })).toEqual({
      partitionKey: 'p',
      rowKey: '8000000080000000',
    });
  });

  it.each([
    ['a/b', '"/" at position 1'],
    ['a\u0085', '"\u0085" at position 1'],
    ['a\ud800', 'is not well-formed text'],
    ['b', 'breaks its pattern'],
    ['aaaaa', 'breaks its maxLength'],
    [5, 'must be a string, not 5'],
    [undefined, 'must be a string, not undefined'],
  ])('checks a key that is no t.key: %j', (partitionKey, what) => {
    const { keys } = defineTable('Plain', {
      partitionKey: t.string({ pattern: /^a/, maxLength: 4 }),
      rowKey: t.string(),
    });
    const given = { partitionKey, rowKey: 'r' } as never;

    for (const refused of [() => keys.encode(given), () => keys.decode(given)]) {
      expect(refused).toThrow(what);
      expect(refused).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
    }
    const long = { partitionKey: 'a', rowKey: 'r'.repeat(1025) };
    expect(() => keys.encode(long)).toThrow('has 1025 UTF-16 units; the limit is 1024');
    expect(keys.decode({ ...long, rowKey: '' })).toEqual({ partitionKey: 'a', rowKey: '' });
  });

  it.each([
    ['encode', undefined],
    ['encode', { user: 5, year: 1, at, id: guid }],
    ['decode', undefined],
    ['decode', { partitionKey: 5, rowKey: 'x' }],
    ['decode', { partitionKey: 'ann', rowKey: 'x' }],
    ['range', { user: 'ann', name: 1 }],
    ['range', {}],
  ] as const)('refuses wrong data with a code: %s %j', (method, data) => {
    const call = () => visits.keys[method](data as never);

    expect(call).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  });

  it('leaves no value out before another one', () => {
    const { keys } = visits;

    expect(() => keys.range({ year: 2024 })).toThrow(
      'A range with the field "year" needs the field "user".',
    );
    expect(() => keys.range({ user: 'ann', at })).toThrow('"at" needs the field "year".');
    expect(() => keys.range({})).toThrow('A range needs the field "user".');
    expect(() => keys.range({ name: 'x' } as never)).toThrow('The keys have no field "name"');
  });
});
