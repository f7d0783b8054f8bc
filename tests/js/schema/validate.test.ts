import { type } from 'arktype';
import * as v from 'valibot';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';

import { loadValidator } from '../../../js/src/index.js';
import { defineTable, t, type Issue, type StandardResult } from '../../../js/src/schema.js';
import { pets } from './pets.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const keys = { partitionKey: 'p', rowKey: 'r' };
const ada = {
  ...{ partitionKey: 'dogs', rowKey: 'ada', name: 'Ada', kind: 'dog' },
  ...{ weight: 12, born: new Date('2020-01-01T00:00:00Z') },
};

type Checked = StandardResult<object, Issue>;

/** The result of a validation that must be a plain call. */
function now(result: Checked | Promise<Checked>): Checked {
  expect(result).not.toBeInstanceOf(Promise);
  return result as Checked;
}

const issuesOf = (result: Checked | Promise<Checked>) =>
  (now(result).issues ?? []).map(({ rule, path }) => [rule, ...(path ?? [])].join(' '));

describe('before a module is loaded', () => {
  it('is a promise, which loads the module', async () => {
    // Other tests of this file load a module.
    vi.resetModules();
    const { defineTable: define, t: types } = await import('../../../js/src/schema.js');
    const table = define('Pets', { partitionKey: types.string(), rowKey: types.string() });

    const result = table['~standard'].validate({ ...keys, rowKey: 'a/b' });

    expect(result).toBeInstanceOf(Promise);
    expect((await result).issues).toMatchObject([{ rule: 'key-character', path: ['rowKey'] }]);
    expect(table['~standard'].validate(keys)).toEqual({ value: keys });
  });
});

describe('validation', () => {
  beforeAll(async () => {
    await loadValidator();
  });

  it('fills in defaults, and leaves out members without a value', () => {
    const given = { ...ada, age: undefined, chip: null };

    expect(now(pets.validate(given))).toEqual({ value: { ...ada, vaccinated: false } });
    expect(given).not.toHaveProperty('vaccinated');
  });

  it('takes every type', () => {
    const row = {
      ...{ ...ada, age: 40, chip: 2n ** 63n - 1n, vaccinated: true, photo: new Uint8Array(3) },
      tag: 'a455c695-df98-5678-aaaa-81d3367e5a34',
    };

    expect(now(pets.validate(row))).toEqual({ value: row });
    const precise = defineTable('More', { ...KEYS, at: t.dateTime({ precise: true }) });
    expect(issuesOf(precise.validate({ ...keys, at: '2024-01-01T00:00:00.1234567Z' }))).toEqual([]);
  });

  it('finds everything that is wrong, first what the service finds first', () => {
    const result = pets.validate({
      ...{ ...ada, rowKey: 'a/b', kind: 'bird', weight: 0, chip: 5, photo: new Uint8Array(65537) },
      ...{ age: 1.5, born: '2020-01-01', tag: 'x', name: '' },
    });

    const issues = issuesOf(result);
    expect(issues[0]).toBe('key-character rowKey');
    expect(issues.slice(1).sort()).toEqual([
      'binary-length photo',
      'guid-format tag',
      'schema-enum kind',
      'schema-exclusive-minimum weight',
      'schema-min-length name',
      'schema-type age',
      'schema-type born',
      'schema-type chip',
    ]);
  });

  it('says what was expected, and what was found', () => {
    const { issues } = now(pets.validate({ ...ada, name: 'A'.repeat(81), age: 41, kind: 'x' }));

    expect(issues).toEqual([
      {
        message: expect.stringMatching(/^Property "name" holds "A+…", which has 81 UTF-16 units/),
        path: ['name'],
        rule: 'schema-max-length',
        code: 'SchemaViolation',
        ...{ limit: 80, actual: 81, expected: 80 },
      },
      expect.objectContaining({ rule: 'schema-enum', expected: ['dog', 'cat'] }),
      expect.objectContaining({ rule: 'schema-maximum', expected: 40 }),
    ]);
  });

  it('reports missing and unknown properties', () => {
    const { born: _, ...without } = ada;
    const strict = defineTable('Strict', KEYS, { unknownProperties: 'reject' });
    const dropping = defineTable('Dropping', KEYS, { unknownProperties: 'drop' });

    expect(issuesOf(pets.validate(without))).toEqual(['schema-required born']);
    expect(now(pets.validate({ ...ada, more: 1 }))).toMatchObject({ value: { more: 1 } });
    expect(issuesOf(strict.validate({ ...keys, more: 1 }))).toEqual(['schema-unknown more']);
    expect(now(dropping.validate({ ...keys, more: 1 }))).toEqual({ value: keys });
  });

  it.each([undefined, null, 5, 'x'])('refuses %j, which is no object', (value) => {
    expect(issuesOf(pets.validate(value))).toHaveLength(1);
  });

  it.each([NaN, Infinity, -Infinity])('refuses the Double %s unless it is declared', (value) => {
    const table = defineTable('Doubles', {
      ...{ ...KEYS, plain: t.double().optional(), any: t.double({ finite: false }).optional() },
      listed: t.double({ enum: [1, Infinity, -Infinity] }).optional(),
    });

    const found = now(table.validate({ ...keys, plain: value }));
    expect(found.issues).toEqual([
      {
        message: `Property "plain" holds ${value}, which is not a finite number.`,
        ...{ path: ['plain'], rule: 'schema-type', code: 'SchemaViolation', expected: 'Double' },
      },
    ]);
    expect(now(table.validate({ ...keys, any: value })).issues).toBeUndefined();
    const issues = Number.isNaN(value) ? ['schema-enum listed'] : [];
    expect(issuesOf(table.validate({ ...keys, listed: value }))).toEqual(issues);
  });

  it('writes a whole number as the Double that it is declared as', () => {
    const table = defineTable('Doubles', { ...KEYS, d: t.double({ multipleOf: 0.1 }) });

    expect(issuesOf(table.validate({ ...keys, d: 5 }))).toEqual([]);
    expect(issuesOf(table.validate({ ...keys, d: 0.3 }))).toEqual([]);
    expect(issuesOf(table.validate({ ...keys, d: 0.35 }))).toEqual(['schema-multiple-of d']);
    expect(issuesOf(table.validate({ ...keys, d: 5n }))).toEqual(['schema-type d']);
  });
});

describe('patterns and checks', () => {
  beforeAll(async () => {
    await loadValidator();
  });

  const table = defineTable('Checked', {
    ...KEYS,
    code: t
      .string({ pattern: /^[a-z]+$/, maxLength: 5 })
      .refine((code) => code !== 'bad', 'is bad')
      .optional(),
    age: t
      .int32()
      .refine((age) => age.toFixed() !== '13', 'brings bad luck')
      .optional(),
  });

  it('join the list', () => {
    expect(issuesOf(table.validate({ ...keys, code: 'bad', age: 13 }))).toEqual([
      'schema-refine code',
      'schema-refine age',
    ]);
    expect(now(table.validate({ ...keys, code: 'A' })).issues).toEqual([
      {
        message: 'Property "code" holds "A", which does not fit /^[a-z]+$/.',
        path: ['code'],
        ...{ rule: 'schema-pattern', code: 'SchemaViolation', expected: /^[a-z]+$/ },
      },
    ]);
  });

  it('get only values of the declared type that break no other rule', () => {
    expect(issuesOf(table.validate({ ...keys, age: '13' }))).toEqual(['schema-type age']);
    expect(issuesOf(table.validate({ ...keys, code: 'ABCDEF' }))).toEqual([
      'schema-max-length code',
    ]);
    expect(issuesOf(table.validate(keys))).toEqual([]);
  });

  it('make a promise if they are one', async () => {
    const slow = defineTable('Slow', {
      ...KEYS,
      name: t.string({ maxLength: 3 }).refine(async (name) => name !== 'ann', 'is taken'),
    });

    const result = slow['~standard'].validate({ ...keys, name: 'ann' });
    expect(result).toBeInstanceOf(Promise);
    expect((await result).issues).toMatchObject([{ rule: 'schema-refine', path: ['name'] }]);
    expect(await slow.validate({ ...keys, name: 'bob' })).toEqual({
      value: { ...keys, name: 'bob' },
    });
    expect(issuesOf(slow.validate({ ...keys, name: 'anna' }))).toEqual(['schema-max-length name']);
  });

  const STAY = { ...KEYS, from: t.int32(), to: t.int32() };

  it.each([
    [
      'zod',
      z
        .object({ from: z.number(), to: z.number() })
        .refine((stay) => stay.from < stay.to, { path: ['to'] }),
    ],
    [
      'valibot',
      v.pipe(
        v.object({ from: v.number(), to: v.number() }),
        v.forward(
          v.check((stay) => stay.from < stay.to),
          ['to'],
        ),
      ),
    ],
    [
      'arktype',
      type({ from: 'number', to: 'number' }).narrow((stay, context) =>
        stay.from < stay.to ? true : context.reject({ path: ['to'] }),
      ),
    ],
  ] as const)('may come from %s', (_, refine) => {
    const stays = defineTable('Stays', STAY, { refine });

    expect(now(stays.validate({ ...keys, from: 1, to: 2 }))).toEqual({
      value: { ...keys, from: 1, to: 2 },
    });
    const { issues } = now(stays.validate({ ...keys, from: 2, to: 1 }));
    expect(issues).toHaveLength(1);
    const [step] = issues![0]!.path!;
    expect(typeof step === 'object' ? step.key : step).toBe('to');
    const wrongKey = { ...keys, rowKey: '#', from: 2, to: 1 };
    expect(issuesOf(stays.validate(wrongKey))).toEqual(['key-character rowKey']);
  });

  it('are one for each rule that an array, an item or a long text breaks', async () => {
    const tags = t.array(t.string({ minLength: 2, maxLength: 8, pattern: /^[a-z]+$/ }), {
      maxItems: 3,
      uniqueItems: true,
    });
    const tagged = defineTable('Pages', { ...KEYS, tags, text: t.text({ pattern: /^a/ }) });
    const { issues = [] } = await tagged.validate({
      ...keys,
      tags: ['aa', 'aa', 'Raspberries', 5 as never],
      text: 'b',
    });

    const place = ({ rule, path, limit }: Issue) => [rule, path?.join('.'), limit ?? ''].join(' ');
    expect(issues.map(place)).toEqual([
      'schema-max-length tags.2 8',
      'schema-pattern tags.2 ',
      'schema-type tags.3 ',
      'schema-refine tags ',
      'schema-refine tags ',
      'schema-pattern text ',
    ]);
    expect(issues.slice(3, 5).map(({ message }) => message)).toEqual([
      'Property "tags" breaks its maxItems: it has 4 items, and the limit is 3.',
      'Property "tags" breaks its uniqueItems.',
    ]);
  });

  it('of the table get only rows in which nothing else is wrong', async () => {
    const found = [{ message: 'The text is not about its title.', path: ['text'] }];
    const properties = {
      ...KEYS,
      title: t.string({ minLength: 3, pattern: /^[A-Z]/ }),
      text: t.text({ maxLength: 20 }).refine(async (text) => text !== 'bad', 'is bad'),
    };
    const pages = defineTable('Pages', properties, {
      refine: ({ title, text }) => (text.includes(title.slice(0, 3)) ? [] : found),
    });
    const of = async (row: object) => issuesOf(await pages.validate({ ...keys, ...row }));

    expect(await of({})).toEqual(['schema-required title', 'schema-required text']);
    expect(await of({ title: 5, text: 'Tea' })).toEqual(['schema-type title']);
    expect(await of({ title: 'Te', text: 'x' })).toEqual(['schema-min-length title']);
    expect(await of({ title: 'tea', text: 'x' })).toEqual(['schema-pattern title']);
    expect(await of({ title: 'Tea', text: 'x'.repeat(21) })).toEqual(['schema-max-length text']);
    expect(await of({ title: 'Tea', text: 'bad' })).toEqual(['schema-refine text']);
    const result = await pages.validate({ ...keys, title: 'Tea', text: 'On coffee.' });
    expect(result.issues).toEqual(found);
  });

  it('come without the codes of another validator', () => {
    const issue = { message: 'Too small.', path: ['from'], code: 'too_small', rule: 'minimum' };
    const refine = {
      '~standard': { version: 1, vendor: 'other', validate: () => ({ issues: [issue] }) },
    } as const;
    const stays = defineTable('Stays', STAY, { refine });

    const { issues } = now(stays.validate({ ...keys, from: 1, to: 2 }));
    expect(issues).toEqual([{ message: 'Too small.', path: ['from'] }]);
  });
});
