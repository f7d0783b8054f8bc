// What is inferred from random texts is never refused, and has all that the text says.

import { expect, it } from 'vitest';

import { isWhole } from '../../../scripts/test/tier.mjs';
import { edmText, InferredType } from '../../../js/src/formats/infer-types.js';
import { valueOf } from '../../../js/src/formats/row-columns.js';
import { formsFor, plainText } from '../../../js/src/formats/text-forms.js';
import { loadValidator } from '../../../js/src/index.js';
import { randomNumbers, testSeed } from '../support/random-numbers.js';

const SEED = testSeed();
const TEXTS = isWhole() ? 20_000 : 5_000;

// Texts that are almost values of some type. A part of one is changed.
const ALMOST = [
  ...['0', '-0', '7', '2147483648', '9223372036854775807', '-9223372036854775808', '+5', '007'],
  ...['1.5', '.5', '5.', '-.5', '1,5', '1.234,50', '1,234.50', '0.1234567890123456789', '1e999'],
  ...['1e5', '12E4', '7e1', '1.2e+30', '1e-7', '1E-400', '12E-4', '1e21', '9007199254740993'],
  ...['true', 'FALSE', 'yes', 'NaN', '-Infinity', 'Infinity', 'NULL', 'NA', '', ' 1', '1 '],
  ...['2024-02-29', '2023-02-29', '1601-01-01', '9999-12-31', '2024-05-01 12:30', '2024-5-1'],
  ...['2024-05-01T23:59:59.1234567Z', '2024-05-01T24:00:00Z', '2024-05-01 25:61', '12:30'],
  ...['1601-01-01T00:00:00+02:00', '9999-12-31T23:30:00-05:00', '2024-05-01T12:00:60Z'],
  ...['2024-05-01T12:30:15.12+14:30', '2024-05-01 12:30 +0200', '2024-05-01t12:30z'],
  ...['02.02.2024', '02/02/2024', '31/12/2024', '12/31/2024', '2/3/2024 1:05 PM', '31.12.24'],
  ...['A455C695-DF98-5678-AAAA-81D3367E5A34', 'a455c695-df98-5678-aaaa-81d3367e5a3'],
];
const CHARACTERS = '0123456789.,:-+/eETZ \u0000aé';

type Random = (below: number) => number;

function textOf(random: Random): string {
  const text = ALMOST[random(ALMOST.length)]!;
  if (random(3) === 0) return text;
  const at = random(text.length + 1);
  const added = CHARACTERS[random(CHARACTERS.length)]!;
  return text.slice(0, at) + (random(3) > 0 ? added : '') + text.slice(at + random(2));
}

/** The digits and the power of ten of a number; -0.50 is -5, -1. */
function decimalOf(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)(\d*)\.?(\d*)(?:e(.*))?$/i.exec(
    text,
  )!;
  const digits = (whole! + fraction).replace(/^0+/, '');
  const end = digits.replace(/0+$/, '');
  const power = Number(exponent) - fraction.length + digits.length - end.length;
  return end === '' ? `${sign}0` : `${sign}${end},${power}`;
}

const timeOf = (text: string) => {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const [, before, zone = 'Z'] = /^(.*?)\s?([Zz]|[+-]\d\d:?\d\d)?$/.exec(text.slice(10))!;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const time = isDay ? 'T00:00Z' : `T${before!.slice(1, 13)}${offset}`;
  return Date.parse(text.slice(0, 10) + time);
};

// What a value says of its text, and what the text says.
const SAID: Readonly<Record<string, (text: string, value: string) => [unknown, unknown]>> = {
  String: (text, value) => [value, text],
  Int32: (text, value) => [String(parseInt(value, 10)), text],
  Int64: (text, value) => [String(BigInt(value)), text],
  Boolean: (text, value) => [value, text.toLowerCase()],
  Guid: (text, value) => [value.toLowerCase(), text.toLowerCase()],
  DateTime: (text, value) => [
    [Date.parse(value.slice(0, 23).replace(/Z?$/, 'Z')), /\.(\d+)/.exec(value)?.[1]],
    [timeOf(text), /\.(\d+)/.exec(text)?.[1]],
  ],
  Double: (text, value) => {
    if (!/\d/.test(text)) return [value, text];
    const number = Object.is(+value, -0) ? '-0' : String(+value);
    // Programs write 17 digits of a Double, although fewer are enough.
    const isLong = decimalOf(text).replace(/\D/g, '').length > 15;
    return isLong ? [+value, +text] : [decimalOf(number), decimalOf(text)];
  },
};

const KEYS = { partitionKey: '', rowKey: '' };
const FORMS = [...formsFor({ decimal: ',' }), ...formsFor({ decimal: '.' })];

it(`random texts keep what they say (seed ${SEED})`, { timeout: 60_000 }, async () => {
  const validator = await loadValidator();
  const random = randomNumbers(SEED);
  for (let at = 0; at < TEXTS; at++) {
    const text = textOf(random);
    if (text === '') continue;
    const inferred = new InferredType();
    inferred.add(text);
    const { type } = inferred;
    const value = edmText(type, text);
    const entity = { ...KEYS, p: { type, value } };
    const shown = `${JSON.stringify(text)} is ${type} ${value}`;

    expect(validator.validateEntity(entity), shown).toEqual([]);
    const [has, says] = SAID[type]!(text, value);
    expect(has, shown).toEqual(says);
    for (const forms of FORMS) {
      const own = new InferredType();
      own.add(plainText(text, forms) ?? '?');
      const read = valueOf(own.type, text, forms);
      expect(validator.validateEntity({ ...KEYS, p: read }), `${shown} ${own.type}`).toEqual([]);
    }
    // A code is no number that happens to be written with a power of ten.
    expect(type === 'Double' && /^-?\d+e\d+$/i.test(text), shown).toBe(false);
  }
});
