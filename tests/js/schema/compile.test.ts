import { describe, expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';

// Numbers are bytes, and strings are texts with their length.
function bytes(...parts: (number | string)[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) => {
      if (typeof part === 'number') return part;
      const utf8 = [...new TextEncoder().encode(part)];
      return [utf8.length, ...utf8];
    }),
  );
}

const KEYS = { partitionKey: t.string(), rowKey: t.string() };
const HEAD = [2, 0, 'PartitionKey', 1, 0, 0, 'RowKey', 1, 0, 0] as const;

describe('the compiled form', () => {
  it('begins with the version and what happens to unknown properties', () => {
    const keeps = defineTable('Pets', KEYS);
    const rejects = defineTable('Pets', KEYS, { unknownProperties: 'reject' });
    const drops = defineTable('Pets', KEYS, { unknownProperties: 'drop' });

    expect(keeps.bytes).toEqual(bytes(...HEAD));
    expect(rejects.bytes).toEqual(bytes(2, 1, ...HEAD.slice(2)));
    expect(drops.bytes).toEqual(rejects.bytes);
  });

  it.each([
    [t.string({ minLength: 1, maxLength: 300 }), [1, 0, 2, 1, 1, 2, 0xac, 0x02]],
    [t.string({ enum: ['ä', ''], pattern: /^/ }), [1, 0, 1, 10, 2, 'ä', '']],
    [t.int32({ minimum: -2, maximum: 258 }), [2, 0, 2, 5, 254, 255, 255, 255, 6, 2, 1, 0, 0]],
    [t.int64({ exclusiveMinimum: -1n }), [3, 0, 1, 7, 255, 255, 255, 255, 255, 255, 255, 255]],
    [t.double(), [4, 2, 0]],
    [t.double({ enum: [Infinity] }).optional(), [4, 1, 1, 10, 1, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f]],
    [
      t.double({ exclusiveMaximum: 1.5, finite: false }),
      [4, 0, 1, 8, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f],
    ],
    [t.int32({ multipleOf: 3, enum: [6] }), [2, 0, 2, 9, 3, 0, 0, 0, 10, 1, 6, 0, 0, 0]],
    [t.boolean().optional(), [5, 1, 0]],
    [t.boolean().default(true), [5, 1, 0]],
    // 504,911,232,000,000,000 ticks, and one more.
    [
      t.dateTime({ minimum: new Date('1601-01-01T00:00:00Z') }),
      [6, 0, 1, 5, 0, 0, 119, 34, 23, 206, 1, 7],
    ],
    [
      t.dateTime({ precise: true, maximum: '1601-01-01T00:00:00.0000001Z' }),
      [6, 0, 1, 6, 1, 0, 119, 34, 23, 206, 1, 7],
    ],
    [
      t.guid({ enum: ['00112233-4455-6677-8899-AABBCCDDEEFF'] }),
      [7, 0, 1, 10, 1, ...Array.from({ length: 16 }, (_, at) => at * 0x11)],
    ],
    [t.binary({ minBytes: 1, maxBytes: 2 }), [8, 0, 2, 3, 1, 4, 2]],
  ])('has the type, the flags and the rules of a property: %#', (property, expected) => {
    const table = defineTable('Pets', { ...KEYS, é: property });

    expect(table.bytes).toEqual(bytes(...HEAD, 'é', ...expected));
  });

  it('has names as they are stored, and the one version of rows as an Int32', () => {
    const table = defineTable('Pets', { ...KEYS, $etag: t.guid() }, { version: 1 });

    const version = ['schemaVersion', 2, 0, 1, 10, 1, 1, 0, 0, 0];
    expect(table.bytes).toEqual(bytes(...HEAD, 'etag', 7, 0, 0, ...version));
  });
});
