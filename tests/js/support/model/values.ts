// values.ts - values of properties with their types: how they compare, and how they are written.
//
// Sources: data model of the spec, 1.5.8 (one type); docs/guides/ordered-lists.md (all types).

import type { EdmTypes, TypedValue } from '../../../../js/src/entity/edm.js';

/** A value, in the form in which reads with `typed: true` return it. */
export type Value = TypedValue;

export type Below = (limit: number) => number;

const TICKS_PER_MS = 10_000n;
const EPOCH = '1970-01-01T00:00:00';

/** In 100 ns since 1970. */
export function ticksOf(time: Date | string): bigint {
  if (typeof time !== 'string') return BigInt(time.getTime()) * TICKS_PER_MS;
  const [, seconds = EPOCH, digits = ''] = /^([^.Z]+)(?:\.(\d+))?Z$/.exec(time)!;
  return BigInt(Date.parse(`${seconds}Z`)) * TICKS_PER_MS + BigInt(digits.padEnd(7, '0'));
}

/** The text of a time, with seven digits of a second. */
export function textOfTicks(ticks: bigint): string {
  const second = TICKS_PER_MS * 1000n;
  const rest = ((ticks % second) + second) % second;
  const seconds = new Date(Number((ticks - rest) / TICKS_PER_MS)).toISOString().slice(0, 19);
  return `${seconds}.${String(rest).padStart(7, '0')}Z`;
}

const hexOf = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const isNumber = ({ type }: Value): boolean =>
  type === 'Int32' || type === 'Int64' || type === 'Double';

/** What JavaScript's operators compare as the service does: hexadecimal digits sort like bytes. */
function comparable(value: Value): string | number | bigint | boolean {
  if (value.type === 'DateTime') return ticksOf(value.value);
  return value.type === 'Binary' ? hexOf(value.value) : value.value;
}

/** Negative, 0 or positive; undefined, if the types have no order or one value is NaN. */
export function compared(a: Value, b: Value): number | undefined {
  if (a.type !== b.type && !(isNumber(a) && isNumber(b))) return undefined;
  const [one, other] = [comparable(a), comparable(b)];
  if (Number.isNaN(one) || Number.isNaN(other)) return undefined;
  return one < other ? -1 : Number(one > other);
}

const RANKS: readonly EdmTypes[] = ['Boolean', 'Double', 'DateTime', 'String', 'Guid', 'Binary'];

function rankOf(value: Value | undefined): number {
  return value ? RANKS.indexOf(isNumber(value) ? 'Double' : value.type) : -1;
}

const isNaNValue = (value: Value) => Number.isNaN(value.value);

/** The order of `orderBy`, in which a missing value comes first, and NaN before other numbers. */
export function ordered(a: Value | undefined, b: Value | undefined): number {
  if (!a || !b || rankOf(a) !== rankOf(b)) return rankOf(a) - rankOf(b);
  return compared(a, b) ?? Number(isNaNValue(b)) - Number(isNaNValue(a));
}

/** The literal of a filter. */
export function literalOf(value: Value): string {
  switch (value.type) {
    case 'String':
      return `'${value.value.replaceAll("'", "''")}'`;
    case 'Int64':
      return `${value.value}L`;
    case 'Double':
      return literalOfDouble(value.value);
    case 'DateTime':
      return `datetime'${textOfTicks(ticksOf(value.value))}'`;
    case 'Guid':
      return `guid'${value.value}'`;
    case 'Binary':
      return `X'${hexOf(value.value)}'`;
    default:
      return `${value.value}`;
  }
}

function literalOfDouble(value: number): string {
  if (!Number.isFinite(value)) return `${value}`.replace('Infinity', 'INF');
  return /[.e]/.test(`${value}`) ? `${value}` : `${value}D`;
}

/** A text that is equal for equal values alone. */
export function shownValue(value: Value | undefined): string {
  if (!value) return 'none';
  const text = `${comparable(value)}`;
  return `${value.type} ${text.length > 60 ? `${text.slice(0, 50)}…${text.length}` : text}`;
}

/** The same value without the name of its type, as reads return it by default. */
export function plainOf(value: Value): unknown {
  if (value.type === 'Guid') return value;
  return value.type === 'DateTime' && typeof value.value === 'string' ? value : value.value;
}

const TEXTS = ['', 'a', 'b', 'ab', 'Ab', 'B', 'é', 'É', 'ß', "it's", '5', '\uffee', '\u{1f600}'];
const INT32S = [0, 1, -1, 5, 7, 2 ** 31 - 1, -(2 ** 31)];
const INT64S = [0n, 5n, -7n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)];
const DOUBLES = [0, 0.5, 5, -7.25, 2 ** 53, 1e100, 5e-324, NaN, Infinity, -Infinity];
const TIMES = [
  ...['1601-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z', '2020-02-29T12:34:56Z'],
  ...['2020-02-29T12:34:56.0000001Z', '2024-01-01T00:00:00Z', '9999-12-31T23:59:59.9999999Z'],
];
const GUIDS = ['00000000-0000-0000-0000-000000000005', '7b0b7a3e-52d7-4a43-9c1b-51e6f3f0c001'];
const BYTES = [[], [0], [0, 1], [5], [255, 0]];

const from = <T>(list: readonly T[], below: Below): T => list[below(list.length)]!;

function timeFrom(text: string): Value {
  const isFine = /\.\d{4,}Z$/.test(text);
  return { type: 'DateTime', value: isFine ? text : new Date(text) };
}

const DRAWS: Record<EdmTypes, (below: Below) => Value> = {
  String: (below) => ({ type: 'String', value: from(TEXTS, below) }),
  Int32: (below) => ({ type: 'Int32', value: from(INT32S, below) }),
  Int64: (below) => ({ type: 'Int64', value: from(INT64S, below) }),
  Double: (below) => ({ type: 'Double', value: from(DOUBLES, below) }),
  Boolean: (below) => ({ type: 'Boolean', value: below(2) === 0 }),
  DateTime: (below) => timeFrom(from(TIMES, below)),
  Guid: (below) => ({ type: 'Guid', value: from(GUIDS, below) }),
  Binary: (below) => ({ type: 'Binary', value: Uint8Array.from(from(BYTES, below)) }),
};
const TYPES = Object.keys(DRAWS) as EdmTypes[];

const WORDS = ['milk', 'Bread', 'breadfruit', 'Crème', 'brûlée', 'OF', 'loaf', 'x1'];

/** Up to six words, in other letters than those that are searched for. */
export function randomWords(below: Below): Value {
  const words = Array.from({ length: below(6) }, () => from(WORDS, below));
  return { type: 'String', value: words.join(from([' ', ', ', '-'], below)) };
}

// Exact in any order of additions.
const addend = (below: Below): Value =>
  from(
    [
      (): Value => ({ type: 'Int32', value: below(60) - 10 }),
      (): Value => ({ type: 'Double', value: (below(60) - 10) / 4 }),
      (): Value => ({ type: 'Int64', value: BigInt(below(60)) - 10n }),
    ],
    below,
  )();

/** The properties of entities, and what type they mostly have. */
export const NAMES = ['text', 'number', 'time', 'flag', 'any', 'ö', 'notes', 'sum'] as const;
export type Name = (typeof NAMES)[number];

const USUAL: Record<Name, readonly EdmTypes[]> = {
  text: ['String'],
  number: ['Int32', 'Int64', 'Double'],
  time: ['DateTime'],
  flag: ['Boolean'],
  any: TYPES,
  ö: ['Guid', 'Binary', 'Int32'],
  notes: ['String'],
  sum: ['Double'],
};

/** Draws a value that the property may have: of another type, too, now and then. */
export function randomValue(name: string, below: Below): Value {
  const isUsual = below(8) > 0;
  if (name === 'notes' && isUsual) return randomWords(below);
  if (name === 'sum') return addend(below);
  const usual = name in USUAL ? USUAL[name as Name] : (['String'] as const);
  return DRAWS[from(isUsual ? usual : TYPES, below)](below);
}
