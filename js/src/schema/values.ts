/**
 * Values of properties in the types of JavaScript, checked and compared without rounding.
 *
 * @module
 */

import { isBytes, isDate, isObject } from '../base/kinds.js';
import {
  MAX_DATE_TIME_MS,
  MIN_DATE_TIME_MS,
  MS_BEFORE_1970,
  TICKS_PER_MS,
} from '../base/limits.js';
import { isInt32, type EdmTypes } from '../entity/edm.js';

const GUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;
const PRECISE_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,7}))?Z$/;

/** Whether a value has the type in JavaScript that a property of this type has. */
export function fitsType(type: EdmTypes, isPrecise: boolean, value: unknown): boolean {
  switch (type) {
    case 'String':
      return typeof value === 'string' && isWellFormed(value);
    case 'Int32':
      return typeof value === 'number' && isInt32(value);
    case 'Int64':
      return typeof value === 'bigint' && BigInt.asIntN(64, value) === value;
    case 'Double':
      return typeof value === 'number';
    case 'Boolean':
      return typeof value === 'boolean';
    case 'DateTime':
      return (isPrecise ? typeof value === 'string' : isDate(value)) && ticksOf(value) >= 0n;
    case 'Guid':
      return typeof value === 'string' && GUID.test(value);
    case 'Binary':
      return isBytes(value);
  }
}

/** Whether a text has no lone surrogate: the core stores no other text. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** The number in the type of a property, if that type holds it exactly; else the number itself. */
export function convertedNumber(type: EdmTypes, given: number | bigint): number | bigint {
  if (typeof given === 'bigint') {
    const number = Number(given);
    const fits = fitsType(type, false, number) && BigInt(number) === given;
    return fits ? number : given;
  }
  const big = type === 'Int64' && Number.isInteger(given) ? BigInt(given) : undefined;
  return fitsType(type, false, big) ? big! : given;
}

// How the values of a type are written in JavaScript.
const WRITTEN: Readonly<Record<EdmTypes, string>> = {
  String: 'a string',
  Int32: 'a whole number of 32 bits',
  Int64: 'a bigint of 64 bits',
  Double: 'a number',
  Boolean: 'true or false',
  DateTime: 'a Date from the year 1601 on',
  Guid: 'a text of 36 characters',
  Binary: 'a Uint8Array',
};

/** The type of a property in words, with what it is in JavaScript. */
export function typeText({
  type,
  constraints,
}: {
  type: EdmTypes;
  constraints: Readonly<Record<string, unknown>>;
}): string {
  const written = constraints['precise']
    ? 'the text of an existing time, such as 2024-05-01T00:00:00Z'
    : WRITTEN[type];
  return `${type} (${written})`;
}

/**
 * A time in ticks of 100 ns since the year 1; less than 0, if it is no time that the service
 * stores.
 */
export function ticksOf(value: unknown): bigint {
  const [, seconds, fraction = ''] = isDate(value)
    ? []
    : (PRECISE_TIME.exec(String(value)) ?? ['', 'none']);
  const ms = seconds ? Date.parse(`${seconds}Z`) : (value as Date).getTime();
  if (!(ms >= MIN_DATE_TIME_MS && ms <= MAX_DATE_TIME_MS)) return -1n;
  // A date such as 30 February would count as one in March.
  if (seconds && !new Date(ms).toISOString().startsWith(seconds)) return -1n;
  return BigInt(ms + MS_BEFORE_1970) * BigInt(TICKS_PER_MS) + BigInt(fraction.padEnd(7, '0'));
}

/** A copy of a value that can be changed; another value itself. */
export function copied(value: unknown): unknown {
  if (isDate(value)) return new Date(value.getTime());
  if (Array.isArray(value)) return value.map(copied);
  // A `slice` of a Buffer is no copy.
  if (isBytes(value)) return new Uint8Array(value);
  const isTyped = isObject(value) && 'type' in value && 'value' in value;
  return isTyped ? { type: value.type, value: copied(value.value) } : value;
}

/** The bits of a Guid. */
export function bitsOfGuid(guid: string): bigint {
  return BigInt(`0x${guid.replaceAll('-', '')}`);
}
