/**
 * The fields of keys, which sort as their values do.
 *
 * Keys compare by UTF-16 units. So every value but a text has a fixed width:
 *
 * - a number or time: hexadecimal digits of its distance from the smallest one;
 * - a Guid: its 32 digits; a Boolean: 0 or 1.
 *
 * A text is written as its characters. A character that keys forbid, or that would sort wrongly, is
 * written as an escape character and two hexadecimal digits. `!` ends a text if values follow,
 * because no encoded character is less.
 *
 * In descending order, a number counts from the largest one. A text is the digits of its units,
 * each counted from the largest one, and ends with `g`.
 *
 * @module
 */

import { timeOf } from '../entity/ticks.js';
import { isPrecise, wrong } from './constraints.js';
import type { PropertyRules } from './properties.js';
import { bitsOfGuid, fitsType, ticksOf } from './values.js';

/** How one field is written. */
export interface Field {
  readonly name: string;
  readonly rules: PropertyRules;
  /** Of a value that fits. */
  readonly encode: (value: unknown) => string;
  /** Finds the field at the start of a text; its group is the content. */
  readonly pattern: RegExp;
  readonly decode: (content: string) => unknown;
  readonly isDescending: boolean;
}

/**
 * How a field of a key is written.
 *
 * @throws TypeError, if no key can have this field.
 */
export function fieldOf(
  name: string,
  rules: PropertyRules,
  isDescending: boolean,
  isLast: boolean,
): Field {
  const { type } = rules;
  if (rules.parted) throw wrong('a key', name, 'is stored in parts, which a key cannot contain');
  if (type === 'Binary' || type === 'Double')
    throw wrong('a key', name, `is ${type}, which a key cannot contain`);
  const coding =
    type === 'String' ? textField(isDescending, isLast) : numberField(rules, isDescending);
  return { ...coding, name, rules, isDescending };
}

export const fits = (rules: PropertyRules, value: unknown): boolean =>
  fitsType(rules.type, isPrecise(rules), value);

type Coding = Pick<Field, 'encode' | 'pattern' | 'decode'>;

const DIGITS = { Boolean: 1, Int32: 8, Int64: 16, DateTime: 16, Guid: 32 } as const;

function numberField(rules: PropertyRules, isDescending: boolean): Coding {
  const type = rules.type as keyof typeof DIGITS;
  const digits = DIGITS[type];
  const most = type === 'Boolean' ? 1n : 16n ** BigInt(digits) - 1n;
  const first = type.startsWith('Int') ? -(most + 1n) / 2n : 0n;
  const turned = (distance: bigint) => (isDescending ? most - distance : distance);
  return {
    encode: (value) =>
      turned(numberOf(type, value) - first)
        .toString(16)
        .padStart(digits, '0'),
    pattern: new RegExp(`^([0-9a-f]{${digits}})`),
    decode: (text) => valueOf(rules, turned(BigInt(`0x${text}`)) + first),
  };
}

function numberOf(type: keyof typeof DIGITS, value: unknown): bigint {
  if (type === 'Guid') return bitsOfGuid(value as string);
  return type === 'DateTime' ? ticksOf(value) : BigInt(value as number);
}

function valueOf(rules: PropertyRules, number: bigint): unknown {
  switch (rules.type as keyof typeof DIGITS) {
    case 'Boolean':
      return number === 1n;
    case 'Int32':
      return Number(number);
    case 'Int64':
      return number;
    case 'DateTime':
      return timeOf(number, isPrecise(rules));
    case 'Guid':
      return number
        .toString(16)
        .padStart(32, '0')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}

// Below `$`; `.` and `/`; `>` and `?`; `[` and `\`; from `~` to the last control character.
const ESCAPED = /[\0-#./>?[\\~-\x9f]/g;
const ESCAPES = /(["~[.>])([\da-f]{2})/g;

function textField(isDescending: boolean, isLast: boolean): Coding {
  if (isDescending) {
    return {
      encode: (value) => `${(value as string).replace(/[^]/g, turnedUnit)}g`,
      pattern: /^((?:[\da-f]{4})*)g/,
      decode: (text) =>
        text.replace(/.{4}/g, (digits) => String.fromCharCode(0xffff - Number(`0x${digits}`))),
    };
  }
  return {
    encode: (value) => (value as string).replace(ESCAPED, escapeOf) + (isLast ? '' : '!'),
    pattern: isLast ? /^([^!]*)$/ : /^([^!]*)!/,
    decode: (text) =>
      text.replace(ESCAPES, (_, _lead, digits) => String.fromCharCode(Number(`0x${digits}`))),
  };
}

const turnedUnit = (unit: string) => hex(0xffff - unit.charCodeAt(0), 4);
const hex = (number: number, digits: number) => number.toString(16).padStart(digits, '0');

function escapeOf(character: string): string {
  const lead = LEADS.find((_, at) => character < ABOVE[at]!) ?? '~';
  return lead + hex(character.charCodeAt(0), 2);
}

// The escape of a character below `$` begins with `"`, and so on.
const ABOVE = '$0@]';
const LEADS = [...'".>['];
