// Random pairs of values: keys sort as the values do, are different if the values are, are legal,
// and come apart again. ENTITABLE_KEY_PAIRS says how many pairs.

import { describe, expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { bitsOfGuid } from '../../../js/src/schema/values.js';
import { roundsOf } from '../../../scripts/test/tier.mjs';
import { randomNumbers } from '../support/random-numbers.js';

const PAIRS = roundsOf('ENTITABLE_KEY_PAIRS', { usual: 25_000, whole: 100_000 });

const FIELDS = {
  text: t.string(),
  small: t.int32(),
  large: t.int64(),
  flag: t.boolean(),
  at: t.dateTime(),
  exact: t.dateTime({ precise: true }),
  id: t.guid(),
  last: t.string(),
};
type Name = keyof typeof FIELDS;
type Values = Record<Name, unknown>;
const NAMES = Object.keys(FIELDS) as Name[];

const below = randomNumbers(Number(process.env['ENTITABLE_SEED'] ?? '18'));
const bits = (count: number) =>
  BigInt.asUintN(
    count,
    Array.from({ length: 8 }).reduce<bigint>((all) => (all << 16n) | BigInt(below(65536)), 0n),
  );

// Few characters, so that many texts begin alike; and each that keys treat specially.
const CHARACTERS = [
  ...['', 'a', 'b', 'a', 'b', ' ', '!', '"', '#', '$', '%', "'", '-', '.', '/', '0', '9', ':'],
  ...['>', '?', '@', 'Z', '[', '\\', ']', '_', 'f', 'g', 'z', '}', '~', '\0', '\n', '\x1f'],
  ...['\x7f', '\x80', '\x9f', '\xa0', 'é', '\ud7ff', '\ue000', '\ufffd', '\uffff', '\u{1f600}'],
];

function randomText(): string {
  let text = '';
  for (let left = below(5); left > 0; left--) text += CHARACTERS[below(CHARACTERS.length)];
  return text;
}

const MAKE: Record<Name, () => unknown> = {
  text: randomText,
  small: () => (below(2) ? below(5) - 2 : Number(BigInt.asIntN(32, bits(32)))),
  large: () => (below(2) ? BigInt(below(5) - 2) : BigInt.asIntN(64, bits(64))),
  flag: () => below(2) === 1,
  at: () => new Date(below(2) ? below(3) : -11_644_473_600_000 + Number(bits(47))),
  exact: () => `${new Date(below(5) - 2).toISOString().slice(0, -1)}${1000 + below(3)}Z`,
  id: () =>
    bits(128)
      .toString(16)
      .padStart(32, '0')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  last: randomText,
};

function compared(name: Name, a: unknown, b: unknown): number {
  const [first, second] = [a, b].map((value) => {
    if (name === 'id') return bitsOfGuid(value as string);
    return typeof value === 'object' ? Number(value) : value;
  }) as [string, string];
  return first < second ? -1 : first > second ? 1 : 0;
}

// A few of the fields in any order, each one ascending or descending.
function randomTable() {
  const names = NAMES.filter(() => below(3) === 0).sort(() => below(2) - 0.5);
  if (!names.length) names.push(NAMES[below(NAMES.length)]!);
  const isDescending = Object.fromEntries(names.map((name) => [name, below(2) === 1]));
  const terms = names.map((name) => (isDescending[name] ? `${name} desc` : name));
  const properties = {
    ...Object.fromEntries(names.map((name) => [name, FIELDS[name]])),
    p: t.string(),
  };
  const table = defineTable('Rows', properties, {
    key: { partition: ['p'], row: terms as 'p'[] },
  });
  return { names, isDescending, table };
}

// A text on its own may have any character but a control character.
const LEGAL = /^[^/\\#?\p{Cc}\p{Surrogate}]{0,1024}$/u;

describe('keys of random values', () => {
  it(`sort like the values, and hold them: ${PAIRS} pairs`, { timeout: 600_000 }, () => {
    for (let pair = 0; pair < PAIRS;) {
      const { names, isDescending, table } = randomTable();
      const keyOf = (values: Values) => table.keysOf({ ...values, p: 'p' }).rowKey;
      for (let i = 0; i < 100 && pair < PAIRS; i++, pair++) {
        const [a, b] = [{} as Values, {} as Values];
        for (const name of names) {
          a[name] = MAKE[name]();
          // Often alike, so that the next field decides.
          b[name] = below(2) ? a[name] : MAKE[name]();
        }
        const isPlain = names.length === 1 && typeof a[names[0]!] === 'string';
        if (isPlain && !isDescending[names[0]!] && [a, b].some(hasControl)) continue;
        const [first, second] = [keyOf(a), keyOf(b)];
        const place = names.find((name) => compared(name, a[name], b[name]) !== 0);
        const ascending = place ? compared(place, a[place], b[place]) : 0;
        const expected = place && isDescending[place] ? -ascending : ascending;
        const actual = first < second ? -1 : first > second ? 1 : 0;
        if (actual !== expected || !LEGAL.test(first)) {
          expect({ names, isDescending, a, b, first, second, actual }).toBe(expected);
        }
        expect(table.fieldsOf({ partitionKey: 'p', rowKey: first })).toStrictEqual({
          p: 'p',
          ...a,
        });
      }
    }
  });
});

const hasControl = (values: Values) =>
  Object.values(values).some((value) => typeof value === 'string' && /[\0-\x1f]/.test(value));
