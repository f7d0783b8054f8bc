import { describe, expect, it } from 'vitest';

import { defineTable, t, type PropertyDefinition } from '../../../js/src/schema.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };

const GUID = 'a455c695-df98-5678-aaaa-81d3367e5a34';

const defining = (property: unknown, name = 'age') => {
  const properties = { ...KEYS, [name]: property as PropertyDefinition };
  return () => defineTable('Pets', properties);
};

describe('a table definition', () => {
  it.each([
    [t.int32({ minimum: 1.5 }), 'has the minimum 1.5, which is not of type Int32'],
    [t.int32({ maximum: 2 ** 31 }), 'has the maximum 2147483648, which is not of type Int32'],
    [t.int64({ maximum: 2n ** 63n }), 'has the maximum 9223372036854775808, which is not of type'],
    [t.double({ minimum: NaN }), 'has the minimum NaN, which is not of type Double'],
    [t.int32({ minimum: 2, maximum: 1 }), 'has a minimum that no value within its maximum has'],
    [t.int32({ minimum: 1, exclusiveMaximum: 1 }), 'has a minimum that no value within its excl'],
    [t.string({ minLength: 3, maxLength: 2 }), 'has a minLength that no value within its maxLen'],
    [t.string({ minLength: -1 }), 'has the minLength -1, which is not a whole number'],
    [t.string({ maxLength: 1.5 }), 'has the maxLength 1.5, which is not a whole number'],
    [t.string({ pattern: /a/g }), 'has a pattern with the flag g'],
    [t.string({ pattern: 'a' as never }), 'has the pattern "a", which is not a RegExp'],
    [t.string({ enum: [] }), 'has an enum without values'],
    [t.string({ enum: ['a', 'a'] }), 'has the enum value "a" twice'],
    [
      t.guid({ enum: [GUID, GUID.toUpperCase()] }),
      `has the enum value "${GUID.toUpperCase()}" twice`,
    ],
    [t.string({ enum: ['a', 'bcd'], maxLength: 2 }), 'has the enum value "bcd", which breaks its'],
    [t.string({ enum: ['a'], pattern: /^b/ }), 'has the enum value "a", which breaks its pattern'],
    [t.int32({ enum: [1.5] }), 'has the enum value 1.5, which breaks its type Int32'],
    [t.int32({ multipleOf: 0 }), 'has the multipleOf 0, which is not more than 0'],
    [t.int32({ multipleOf: 2, enum: [3] }), 'has the enum value 3, which breaks its multipleOf'],
    [t.int32().default((async () => 1) as never), 'has a default that is an async function'],
    [t.int32({ minimum: 1 }).default(0), 'has the default 0, which breaks its minimum'],
    [t.boolean().default('no' as never), 'has the default "no", which breaks its type Boolean'],
    [t.guid({ enum: ['x'] }), 'has the enum value "x", which breaks its type Guid'],
    [t.dateTime({ minimum: new Date(NaN) }), 'has the minimum an invalid date, which is not of'],
    [t.dateTime({ precise: true, minimum: 'today' }), 'has the minimum "today", which is not of'],
    [t.string({ minimum: 1 } as never), 'is String, which has no constraint "minimum"'],
    [t.string().refine('x' as never, 'm'), 'has a check that is "x", not a function'],
    [t.string().refine(() => true, 1 as never), 'has a check without a message'],
    [t.double({ multipleOf: Infinity }), 'has the multipleOf Infinity, which is not finite'],
    [t.double({ enum: [NaN] }), 'has the enum value NaN, which is equal to no value'],
    [t.double({ finite: 1 as never }), 'has the finite 1, which is not true or false'],
    [t.double().default(NaN), 'has the default NaN, which breaks its finite'],
    [t.double({ minimum: 0 }).default(NaN), 'has the default NaN, which breaks its minimum'],
    [t.string({ enum: 'a' as never }), 'has the enum "a", which is not a list of values'],
    [t.double({ multipleOf: 0.1 }).default(0.25), 'has the default 0.25, which breaks its mult'],
    [t.double({ multipleOf: 0.1, enum: [0.3, 0.25] }), 'has the enum value 0.25, which breaks its'],
    [t.double({ multipleOf: 1e-7 }).default(1.5e-7), 'has the default 1.5e-7, which breaks its'],
    [t.int32({ minimum: 5 }).default(1).optional(), 'is optional and has a default, which would'],
    [t.double({ multipleOf: 1 }).default(Infinity), 'has the default Infinity, which breaks its'],
    [t.string({ maxLength: 2 ** 32 }), 'has the maxLength 4294967296, which is not a whole number'],
    [t.binary({ minBytes: 2 ** 40 }), 'has the minBytes 1099511627776, which is not a whole num'],
    [t.string({ enum: ['\ud800'] }), 'has the enum value "\\ud800", which is not well-formed text'],
    [t.string().default('\udc00'), 'has the default "\\udc00", which is not well-formed text'],
    [5, 'is 5, not a property of t'],
  ])('refuses an invalid property: %#', (property, message) => {
    expect(defining(property)).toThrow(TypeError);
    expect(defining(property)).toThrow(`Property "age" of Pets ${message}`);
  });

  it.each([
    t.double({ multipleOf: 0.1 }).default(0.3),
    t.double({ multipleOf: 0.1, enum: [-0.7, 1e21] }),
    t.double({ multipleOf: 1e-7 }).default(3e-7),
    t.int32().optional().default(1),
  ])('takes a valid property: %#', (property) => {
    expect(defining(property)).not.toThrow();
  });

  it('copies the lists and Dates that it is made from', async () => {
    const [kinds, first, fallback] = [['dog'], new Date(0), new Date(0)];
    const table = defineTable('Pets', {
      ...KEYS,
      kind: t.string({ enum: kinds }),
      born: t.dateTime({ minimum: first }).default(fallback),
    });
    kinds[0] = 'cat';
    first.setTime(1000);
    fallback.setTime(-1);

    const row = { partitionKey: 'p', rowKey: 'r', kind: 'dog' };
    expect(await table.validate(row)).toEqual({ value: { ...row, born: new Date(0) } });
    expect(table.jsonSchema()).toMatchObject({ properties: { kind: { enum: ['dog'] } } });
  });

  it.each(['', '1st', 'first name', 'a-b', 'a'.repeat(256)])(
    'refuses the name %j of a property',
    (name) => {
      expect(defining(t.string(), name)).toThrow('has a name that no property can have');
    },
  );

  it.each(['etag', 'timestamp', 'PartitionKey'])(
    'says that every entity has %j for itself',
    (name) => {
      expect(defining(t.string(), name)).toThrow('has a name that every entity has for itself');
    },
  );

  it.each(['true', 'TRUE', 'False', 'null', 'NaN', 'INF', 'Infinity'])(
    'refuses the name %s, which is a value in filters',
    (name) => {
      expect(defining(t.string(), name)).toThrow(TypeError);
      expect(defining(t.string(), name)).toThrow(
        `Property "${name}" of Pets has a name that filters read as a value.`,
      );
    },
  );

  it.each(['Größe', '_id', 'a'.repeat(255), '$etag', '$timestamp', 'Null', 'nan', 'infinity'])(
    'takes the name %j',
    (name) => {
      expect(defining(t.string(), name)).not.toThrow();
    },
  );

  it.each(['ab', '1Pets', 'my-pets', 'Tables', 'a'.repeat(64)])('refuses the table %j', (name) => {
    expect(() => defineTable(name, KEYS)).toThrow(`"${name.slice(0, 63)}`);
  });

  it('has both keys, which are texts and cannot be optional', () => {
    expect(() => defineTable('Pets', { rowKey: t.string() } as never)).toThrow('"partitionKey"');
    expect(() => defineTable('Pets', { ...KEYS, rowKey: t.int32() } as never)).toThrow('"rowKey"');
    const optional = { ...KEYS, rowKey: t.string().optional() } as never;
    expect(() => defineTable('Pets', optional)).toThrow('"rowKey"');
  });

  it.each([null, 5, 'age'])('refuses %j in place of properties, rules or options', (given) => {
    expect(() => t.string(given as never)).toThrow('The rules of a property must be an object');
    const message = (what: string) =>
      new TypeError(`The ${what} of Pets must be an object, not ${JSON.stringify(given)}.`);

    expect(() => defineTable('Pets', given as never)).toThrow(message('properties'));
    expect(() => defineTable('Pets', KEYS, given as never)).toThrow(message('options'));
  });

  it.each([
    [{ unknown: 'keep' }, 'The table Pets has no option "unknown"'],
    [{ unknownProperties: 'ignore' }, 'The table Pets has the option unknownProperties "ignore"'],
    [
      { refine: {} },
      'The table Pets has the option refine, which is neither a function nor a Standard Schema',
    ],
    [{ version: 0 }, 'The table Pets has the version 0, which is not a whole number from 1'],
    [{ version: 2 }, 'The table Pets has no upgrade from version 1'],
    [{ version: 1, upgrade: { 1: (row: object) => row } }, 'has no version 1 to upgrade'],
    [{ upgrade: {} }, 'The table Pets has upgrades or a versionProperty, but no version'],
  ])('refuses the options %j', (options, message) => {
    expect(() => defineTable('Pets', KEYS, options as never)).toThrow(message);
  });

  const many = (count: number, property: PropertyDefinition) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, property]));

  it('has at most 252 properties in every row, with the version', () => {
    const own = { ...KEYS, ...many(253, t.int32()) };
    const message = 'The table Pets has 253 properties in every row';

    expect(() => defineTable('Pets', own)).toThrow(TypeError);
    expect(() => defineTable('Pets', own)).toThrow(`${message}; the limit is 252.`);
    const withDefaults = { ...KEYS, ...many(253, t.int32().default(1)) };
    expect(() => defineTable('Pets', withDefaults)).toThrow(message);
    const most = { ...KEYS, ...many(252, t.int32()) };
    expect(() => defineTable('Pets', most)).not.toThrow();
    expect(() => defineTable('Pets', most, { version: 1 })).toThrow(`${message}, with its version`);
    const optional = { ...KEYS, ...many(300, t.int32().optional()) };
    expect(() => defineTable('Pets', optional, { version: 1 })).not.toThrow();
  });

  it('has at most 64 KiB of names and enum values', () => {
    // The form without these values has 37 bytes, and their lengths have 3 bytes each.
    const [first, last] = ['a'.repeat(32_767), 'b'.repeat(65_536 - 37 - 32_767 - 6)];
    expect(defining(t.string({ enum: [first, last] }))).not.toThrow();
    expect(defining(t.string({ enum: [first, `${last}b`] }))).toThrow('of 65537 bytes in all');

    const values = Array.from({ length: 9000 }, (_, at) => `value${at}`);
    expect(defining(t.string({ enum: values }))).toThrow(TypeError);
    expect(defining(t.string({ enum: values }))).toThrow(
      /^The table Pets has names and enum values of \d+ bytes in all; the limit is 65536\.$/,
    );
    expect(defining(t.string({ enum: ['一'.repeat(1_000_000)] }))).toThrow(/the limit is 65536/);
  });

  it('takes the enum values of a Guid in any case', () => {
    expect(defining(t.guid({ enum: [GUID] }).default(GUID.toUpperCase()))).not.toThrow();
  });

  it('takes decimals as they are written', () => {
    expect(defining(t.double({ multipleOf: 0.1, enum: [0.3] }))).not.toThrow();
  });

  it('does not change with what it was made of', () => {
    const constraints = { minimum: 1 };
    const age = t.int32(constraints);
    constraints.minimum = 50;

    expect(defining(age.default(1))).not.toThrow();
    expect(age.optional()).not.toBe(age);
  });
});
