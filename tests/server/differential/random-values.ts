// random-values.ts - properties of every type, and values that do not fit their type.

import type { Random } from './random-requests.js';

/** The properties of a body, and tags for their unusual values. */
export interface RandomEntity {
  readonly properties: Record<string, unknown>;
  readonly tags: string[];
}

type Draw = (random: Random) => [value: unknown, type?: string];

const GOOD: Record<string, Draw> = {
  Text: ({ one }) => [one(['', 'a', 'b', 'Z\u00e9', '\u{1f600}', '7', "it's"])],
  Whole: ({ one }) => [one([0, 1, 7, -7, 2147483647, -2147483648])],
  Long: ({ one }) => [one(['0', '7', '9223372036854775807', '-5']), 'Edm.Int64'],
  Real: ({ one }) => [one([0.5, -1.25, 7.5, 1e100, 1e-7])],
  Named: ({ one }) => [one([1.5, '7', 'NaN', 'Infinity', '-Infinity', 3]), 'Edm.Double'],
  Flag: ({ chance }) => [chance(0.5)],
  When: ({ one }) => [
    one(['2020-02-03T04:05:06Z', '2020-02-03T04:05:06.123Z', '1999-12-31T23:59:59.1234567Z']),
    'Edm.DateTime',
  ],
  Id: ({ one }) => [
    one(['7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001', '00000000-0000-0000-0000-000000000000']),
    'Edm.Guid',
  ],
  Bytes: ({ one }) => [one(['', 'AH//', 'AQID']), 'Edm.Binary'],
};

const ODD: [tag: string, draw: Draw][] = [
  ['null-value', () => [null]],
  ['bad-int64', ({ one }) => [one(['x', '9223372036854775808', '1.5']), 'Edm.Int64']],
  ['int64-number', () => [7, 'Edm.Int64']],
  ['bad-guid', () => ['7b0b7a3e', 'Edm.Guid']],
  ['bad-date', () => ['yesterday', 'Edm.DateTime']],
  ['old-date', () => ['1600-12-31T00:00:00Z', 'Edm.DateTime']],
  ['bad-binary', () => ['not base64!', 'Edm.Binary']],
  ['bad-boolean', () => ['maybe', 'Edm.Boolean']],
  ['bad-int32', ({ one }) => [one(['7', 1.5]), 'Edm.Int32']],
  ['wide-integer', () => [2147483648]],
  ['unknown-type', () => ['x', 'Edm.Decimal']],
  ['array-value', () => [[1]]],
];

/** Draws some properties. Except for odd values, properties of one name have one type. */
export function randomEntity(random: Random, { isPlain = false } = {}): RandomEntity {
  const properties: Record<string, unknown> = {};
  const tags: string[] = [];
  const put = (name: string, [value, type]: [unknown, string?]) => {
    if (type) properties[`${name}@odata.type`] = type;
    properties[name] = value;
    if (name === 'Named' || /\.\d{4,}Z/.test(`${value}`)) tags.push(`has-${name}`);
  };
  for (const [name, draw] of Object.entries(GOOD)) {
    if (random.chance(0.35)) put(name, draw(random));
  }
  if (!isPlain && random.chance(0.12)) {
    const [tag, draw] = random.one(ODD);
    tags.push(tag);
    put('Odd', draw(random));
  }
  return { properties, tags };
}
