import { describe, expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { pets } from './pets.js';

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const target = 'draft-2020-12';

describe('the JSON Schema of a table', () => {
  it('has the constraints of every type', () => {
    expect(pets.jsonSchema()).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      title: 'Pets',
      type: 'object',
      properties: {
        partitionKey: { type: 'string', maxLength: 40 },
        rowKey: { type: 'string' },
        name: { type: 'string', minLength: 1, maxLength: 80 },
        kind: { type: 'string', enum: ['dog', 'cat'] },
        age: { type: 'integer', minimum: 0, maximum: 40 },
        chip: { type: 'integer', format: 'int64' },
        weight: { type: 'number', exclusiveMinimum: 0 },
        vaccinated: { type: 'boolean', default: false },
        born: { type: 'string', format: 'date-time' },
        photo: { type: 'string', contentEncoding: 'base64' },
        tag: { type: 'string', format: 'uuid' },
      },
      required: ['partitionKey', 'rowKey', 'name', 'kind', 'weight', 'born'],
    });
  });

  it('requires a property with a default only in the output', () => {
    const { input, output } = pets['~standard'].jsonSchema;

    expect(input({ target })['required']).not.toContain('vaccinated');
    expect(output({ target })['required']).toContain('vaccinated');
  });

  it('closes the object where no other property is left', () => {
    const of = (unknownProperties: 'keep' | 'reject' | 'drop') => {
      const { jsonSchema } = defineTable('Pets', KEYS, { unknownProperties })['~standard'];
      return [jsonSchema.input, jsonSchema.output].map(
        (schema) => schema({ target })['additionalProperties'],
      );
    };

    expect(of('keep')).toEqual([undefined, undefined]);
    expect(of('reject')).toEqual([false, false]);
    expect(of('drop')).toEqual([undefined, false]);
  });

  it('has texts, patterns and limits as far as JSON has them', () => {
    const table = defineTable(
      'More',
      {
        ...KEYS,
        code: t.string({ pattern: /^[a-z]+$/ }).describe('A code.'),
        count: t.int64({ minimum: -5n, maximum: 2n ** 60n, multipleOf: 5n }).default(5n),
        since: t.dateTime({ minimum: new Date(0) }).default(new Date(0)),
        now: t.dateTime().default(() => new Date()),
      },
      { description: 'More of it.' },
    );

    expect(table.jsonSchema()).toMatchObject({
      description: 'More of it.',
      properties: {
        code: { type: 'string', pattern: '^[a-z]+$', description: 'A code.' },
        count: { type: 'integer', format: 'int64', minimum: -5, default: 5 },
        since: { type: 'string', format: 'date-time', default: '1970-01-01T00:00:00.000Z' },
        now: { type: 'string', format: 'date-time' },
      },
    });
    const { properties } = table.jsonSchema() as { properties: Record<string, object> };
    expect(properties['count']).not.toHaveProperty('maximum');
    expect(properties['since']).not.toHaveProperty('minimum');
    expect(properties['now']).not.toHaveProperty('default');
  });

  it.each([
    [/^\d+\/x$/, '^\\d+\\/x$'],
    [/^\p{L}+$/u, '^\\p{L}+$'],
    [/^[a-z]+$/i, undefined],
    [/^a.b$/s, undefined],
    [/^a$/m, undefined],
    // Without the flag u, a hyphen may have a backslash there.
    [/^\d+\-\d+$/, undefined],
  ])('has the pattern %s only if JSON can say it', (pattern, expected) => {
    const table = defineTable('More', { ...KEYS, code: t.string({ pattern, maxLength: 9 }) });

    const { properties } = table.jsonSchema() as { properties: Record<string, object> };
    const written = expected === undefined ? {} : { pattern: expected };
    expect(properties['code']).toEqual({ type: 'string', maxLength: 9, ...written });
    if (expected !== undefined) expect(() => new RegExp(expected, 'u')).not.toThrow();
  });

  it('leaves out an enum of which JSON cannot say a value', () => {
    const table = defineTable('More', {
      ...KEYS,
      ...{ big: t.int64({ enum: [1n, 2n ** 53n + 1n] }), small: t.int64({ enum: [1n, 2n] }) },
      real: t.double({ enum: [1, Infinity] }),
    });

    expect(table.jsonSchema()['properties']).toMatchObject({
      big: { type: 'integer', format: 'int64' },
      small: { type: 'integer', format: 'int64', enum: [1, 2] },
      real: { type: 'number' },
    });
    const { big, real } = table.jsonSchema()['properties'] as Record<string, object>;
    expect([Object.keys(big!), Object.keys(real!)]).toEqual([['type', 'format'], ['type']]);
  });

  it('is there for the versions that it knows', () => {
    const { version, vendor, jsonSchema } = pets['~standard'];

    expect([version, vendor]).toEqual([1, 'entitable']);
    expect(jsonSchema.input({ target: 'draft-07' })['$schema']).toBe(
      'http://json-schema.org/draft-07/schema#',
    );
    expect(() => jsonSchema.input({ target: 'openapi-3.0' })).toThrow(
      'There is no JSON Schema of "openapi-3.0". There is draft-2020-12, draft-07.',
    );
  });
});
