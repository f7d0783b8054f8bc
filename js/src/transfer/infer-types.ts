/**
 * Infers the types of columns of texts, and writes the texts of a type as the service does.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';

const INTEGER = /^-?(?:0|[1-9]\d{0,18})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)?\.?\d*(?:e[+-]?\d+)?$/i;
const ALL_DIGITS = /^-?\d+$/;

// `.5` or `5.`, which the service does not take.
const BARE_POINT = /^-?\.\d+$|^-?\d+\.$/;
const LEADING_ZERO = /^-?0\d/;
const NO_FINITE_NUMBER = /^(?:NaN|-?Infinity)$/;
const BOOLEAN = /^(?:true|false)$/i;
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
// A day, or a day with a time, and with or without a time zone.
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,7}))?)?\s?(Z|[+-]\d\d:?\d\d)?)?$/i;

const MIN_INT32 = -(2 ** 31);
const MAX_INT32 = 2 ** 31 - 1;

// The first type that fits all texts is the type of the column.
const CANDIDATES: readonly (readonly [EdmTypes, (text: string) => boolean])[] = [
  ['Boolean', (text) => BOOLEAN.test(text)],
  ['Int32', isInt32],
  ['Int64', isInt64],
  ['Double', isDouble],
  ['DateTime', isTime],
  ['Guid', (text) => GUID.test(text)],
];

/**
 * The type of the texts of one column. Numbers are Int32, else Int64, else Double. Digits that a
 * number would lose stay a String: leading zeros, integers beyond Int64, and integers beyond 2^53
 * beside fractions.
 */
export class InferredType {
  #candidates = CANDIDATES;
  #isEmpty = true;

  /** Takes a text that is not empty. */
  add(text: string): void {
    this.#isEmpty = false;
    if (this.#candidates.every(([, fits]) => fits(text))) return;
    this.#candidates = this.#candidates.filter(([, fits]) => fits(text));
  }

  /** String, if no other type fits, or there was no text. */
  get type(): EdmTypes {
    return (this.#isEmpty ? undefined : this.#candidates[0]?.[0]) ?? 'String';
  }
}

/**
 * Writes a text as the service writes values of the type: `2024-05-01` becomes
 * `2024-05-01T00:00:00Z`, and `TRUE` becomes `true`. A text that is no such value stays as it is,
 * so that the service refuses it. A time without a zone is UTC.
 */
export function edmText(type: EdmTypes, text: string): string {
  if (type === 'Boolean') return text.toLowerCase();
  if (type === 'Double' && BARE_POINT.test(text)) return String(+text);
  return type === 'DateTime' ? timeText(text) : text;
}

function timeText(text: string): string {
  const [all, day, minutes = '00:00', seconds = '00', digits, zone = 'Z'] = TIME.exec(text) ?? [];
  if (all === undefined) return text;
  const fraction = digits ? `.${digits}` : '';
  if (/^Z$/i.test(zone)) return `${day}T${minutes}:${seconds}${fraction}Z`;
  const offset = `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const time = Date.parse(`${day}T${minutes}:${seconds}${offset}`);
  if (Number.isNaN(time)) return text;
  return `${new Date(time).toISOString().slice(0, 19)}${fraction}Z`;
}

// A day of the calendar, from the first one that the service has.
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1];
  if (day === undefined || day < '1601-01-01') return false;
  const time = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
}

function isInt32(text: string): boolean {
  if (!INTEGER.test(text)) return false;
  return Number(text) >= MIN_INT32 && Number(text) <= MAX_INT32;
}

function isInt64(text: string): boolean {
  return (
    INTEGER.test(text) && (text.length < 19 || BigInt.asIntN(64, BigInt(text)) === BigInt(text))
  );
}

function isDouble(text: string): boolean {
  if (NO_FINITE_NUMBER.test(text)) return true;
  if (!/\d/.test(text) || LEADING_ZERO.test(text)) return false;
  if (ALL_DIGITS.test(text)) return Number.isSafeInteger(+text);
  return DECIMAL.test(text) && Number.isFinite(+text);
}
