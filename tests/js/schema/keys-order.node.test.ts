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
function randomKey() {
  const names = NAMES.filter(() => below(3) === 0).sort(() => below(2) - 0.5);
  if (!names.length) names.push(NAMES[below(NAMES.length)]!);
  const order = Object.fromEntries(
    names.map((name) => [name, below(2) ? ('ascending' as const) : ('descending' as const)]),
  ) as Record<Name, 'ascending' | 'descending'>;
  const fields = Object.fromEntries(names.map((name) => [name, FIELDS[name]]));
  return { names, order, key: t.key(fields, { order }) };
}

const LEGAL = /^[^/\\#?\p{Cc}\p{Surrogate}]{0,1024}$/u;

describe('keys of random values', () => {
  it(`sort like the values, and hold them: ${PAIRS} pairs`, { timeout: 600_000 }, () => {
    for (let pair = 0; pair < PAIRS;) {
      const { names, order, key } = randomKey();
      for (let i = 0; i < 100 && pair < PAIRS; i++, pair++) {
        const [a, b] = [{} as Values, {} as Values];
        for (const name of names) {
          a[name] = MAKE[name]();
          // Often alike, so that the next field decides.
          b[name] = below(2) ? a[name] : MAKE[name]();
        }
        const [first, second] = [key.encode(a as never), key.encode(b as never)];
        const place = names.find((name) => compared(name, a[name], b[name]) !== 0);
        const ascending = place ? compared(place, a[place], b[place]) : 0;
        const expected = place && order[place] === 'descending' ? -ascending : ascending;
        const actual = first < second ? -1 : first > second ? 1 : 0;
        if (actual !== expected || !LEGAL.test(first)) {
          expect({ order, a, b, first, second, actual }).toBe(expected);
        }
        expect(key.decode(first)).toStrictEqual(a);
      }
    }
  });

  it('are in the range of their first values, and others are not', { timeout: 60_000 }, () => {
    for (let round = 0; round < 2000; round++) {
      const names = NAMES.filter((name) => name !== 'last' && below(2)).slice(0, 3);
      if (names.length < 2) continue;
      const fields = Object.fromEntries(names.map((name) => [name, FIELDS[name]]));
      const order = { [names[0]!]: below(2) ? ('descending' as const) : ('ascending' as const) };
      const table = defineTable('Rows', {
        partitionKey: t.key(fields, { order }),
        rowKey: t.string(),
      });
      const given = MAKE[names[0]!]();
      const range = table.keys.range({ [names[0]!]: given } as never);
      const [, least, end] = /^PartitionKey ge '(.*)' and PartitionKey lt '(.*)'$/s.exec(range)!;
      const [from, to] = [least!.replaceAll("''", "'"), end!.replaceAll("''", "'")];
      for (let i = 0; i < 20; i++) {
        const values = Object.fromEntries(names.map((name) => [name, MAKE[name]()])) as Values;
        if (below(2)) values[names[0]!] = given;
        const { partitionKey } = table.keys.encode({ ...values, rowKey: '' } as never);
        const isAlike = compared(names[0]!, values[names[0]!], given) === 0;
        expect(from <= partitionKey && partitionKey < to).toBe(isAlike);
      }
    }
  });
});
