// The entities of a file that the explorer does not show to the core, because they break no rule.

import { beforeAll, describe, expect, it } from 'vitest';

import { loadValidator, type TableEntity, type Validator } from '../../../js/src/index.js';
import { PlainCheck } from '../../../web-demo/src/import/plain-entity.js';

let validator: Validator;
beforeAll(async () => {
  validator = await loadValidator();
});

const entityWith = (properties: object): TableEntity => ({
  ...{ partitionKey: 'a', rowKey: 'b' },
  ...properties,
});

const isPlain = (entity: TableEntity) => new PlainCheck().isPlain(entity);

/** The entities that the check lets pass, and the core would not. */
const wronglyPlain = (entities: readonly TableEntity[]) =>
  entities.filter((one) => isPlain(one) && validator.validateEntity(one).length > 0);

const typed = (type: string, texts: readonly string[]) =>
  texts.map((value) => entityWith({ value: { type, value } }));

const INTEGERS = [
  ...['0', '-0', '007', '-7', '+7', '1e3', '', ' 1', '1.0', '0x1', '999999999', '-999999999'],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '999999999999999999'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809'],
];
const DOUBLES = [
  ...INTEGERS,
  ...['0.5', '-0.5', '.5', '5.', '00.5', '1.5e3', '1e400', 'NaN', '-Infinity', '1,5', '0.0'],
  ...['999999999999999.99999999999999999999', `0.${'0'.repeat(19)}1`, `1.${'1'.repeat(400)}`],
];
const TWO = (number: number) => String(number).padStart(2, '0');
const upTo = (count: number) => Array.from({ length: count + 1 }, (_, at) => at);
const DAYS = ['1600', '1601', '1699', '1700', '1900', '2000', '2023', '8999', '9999'].flatMap(
  (year) => upTo(13).flatMap((month) => upTo(32).map((day) => `${year}-${TWO(month)}-${TWO(day)}`)),
);
const TIMES = [
  ...['T00:00:00Z', 'T23:59:59.9999999Z', 'T24:00:00Z', 'T23:60:00Z', 'T23:59:60Z', 'T1:00:00Z'],
  ...['T00:00:00.Z', 'T00:00:00.12345678Z', 'T00:00:00', 'T00:00:00+01:00', 'T00:00Z', '', ' '],
];
const TEXTS = [
  ...upTo(0xa0).map((code) => String.fromCharCode(code)),
  ...['\ud800', '\udc00', '😀', '\u2028', '\ufffe', '\ufeff', 'é', 'x'.repeat(40_000)],
  ...['a/b', 'a\\b', 'a#b', 'a?b', 'x'.repeat(255), 'x'.repeat(256), 'x'.repeat(1025)],
];
const NAMES = [
  ...['etag', 'ETag', 'timestamp', 'Timestamp', 'PartitionKey', 'RowKey', 'rowkey', '__proto__'],
  ...['', '1a', 'a b', 'a-b', 'a.b', 'é', '$etag', 'odata', '_a', 'constructor', 'a'.repeat(256)],
];

describe('an entity that is taken for plain', () => {
  it.each([
    ['Int32', INTEGERS],
    ['Int64', INTEGERS],
    ['Double', DOUBLES],
    ['Boolean', ['true', 'false', 'TRUE', '1', '']],
    [
      'DateTime',
      [...DAYS.map((day) => `${day}T12:34:56Z`), ...TIMES.map((at) => `2024-05-01${at}`)],
    ],
    ['Guid', ['0b0b0b0b-0000-4000-8000-00000000000A', '0b0b0b0b00004000800000000000000a', '{}']],
    ['Binary', ['AAE=', 'AAE', '?']],
    ['Sbyte', ['1']],
  ])('breaks no rule of the type %s', (type, texts) => {
    expect(wronglyPlain(typed(type, texts))).toEqual([]);
  });

  it('breaks no rule of texts, keys and names', () => {
    expect(wronglyPlain(TEXTS.map((text) => entityWith({ text })))).toEqual([]);
    expect(wronglyPlain(TEXTS.map((rowKey) => entityWith({ rowKey })))).toEqual([]);
    expect(wronglyPlain(TEXTS.map((partitionKey) => entityWith({ partitionKey })))).toEqual([]);
    const named = NAMES.map((name) => entityWith(Object.fromEntries([[name, 'x']])));
    expect(wronglyPlain(named)).toEqual([]);
  });

  it('is not too large with many long texts', () => {
    const most = (count: number, text: string) =>
      entityWith(Object.fromEntries(upTo(count).map((at) => [`p${at}`, text])));
    const many = [97, 98, 99, 252, 253].map((count) => most(count, 'é'.repeat(1000)));
    expect(wronglyPlain(many)).toEqual([]);
    expect(isPlain(many[0]!)).toBe(true);
  });

  it('usual values are plain', () => {
    const usual = entityWith({
      Title: 'Crème brûlée – 5 €, “as in Paris”',
      empty: '',
      year: { type: 'Int32', value: '-2024' },
      views: { type: 'Int64', value: '123456789012' },
      share: { type: 'Double', value: '0.3333333333333333' },
      isNew: { type: 'Boolean', value: 'true' },
      seen: { type: 'DateTime', value: '2024-02-28T23:59:59.1234567Z' },
      id: { type: 'Guid', value: '0b0b0b0b-0000-4000-8000-00000000000a' },
    });
    expect(isPlain({ ...usual, partitionKey: 'rows & columns', rowKey: '' })).toBe(true);
  });
});
