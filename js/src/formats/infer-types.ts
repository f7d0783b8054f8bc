/**
 * Infers the types of columns of texts, and writes the texts of a type as the service does.
 *
 * @module
 */

import type { EdmTypes } from '../entity/edm.js';

// A minus and zero is no integer that keeps its sign.
const INTEGER = /^(?:0|-?[1-9]\d{0,18})$/;
const DECIMAL = /^-?(?:0|[1-9]\d*)?\.?\d*$/;
// As programs write a Double: 1.5e-7, 1e+21. Other texts with an E may be codes: 12E4, 7e1.
const SCIENTIFIC = /^-?[1-9](?:\.\d+)?e[+-]\d+$|^-?[1-9]\.\d+e\d+$/i;
const ALL_DIGITS = /^-?\d+$/;

// `.5` or `5.`, which the service does not take.
const BARE_POINT = /^-?\.\d+$|^-?\d+\.$/;
const LEADING_ZERO = /^-?0\d/;
const NO_FINITE_NUMBER = /^(?:NaN|-?Infinity)$/;
const BOOLEAN = /^(?:true|false)$/i;
const GUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
// A day, or a day with a time, and with or without a time zone of at most 14 hours.
const TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,7}))?)?\s?(Z|[+-](?:0\d|1[0-3]):?[0-5]\d|[+-]14:?00)?)?$/i;
const FIRST_TIME = '1601-01-01T00:00:00Z';

// The digits that identify each Double. With more of them, a text says more than the Double.
const DOUBLE_DIGITS = 17;

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
 * number would lose stay a String: leading zeros, integers beyond Int64, integers beyond 2^53
 * beside fractions, and fractions of more than 17 digits.
 */
export class InferredType {
  #candidates = CANDIDATES;
  #isEmpty = true;

  /** Another one, which has seen the same texts. */
  copy(): InferredType {
    const copy = new InferredType();
    copy.#candidates = this.#candidates;
    copy.#isEmpty = this.#isEmpty;
    return copy;
  }

  /** Takes all texts that another one has seen. */
  addAll(other: InferredType): void {
    this.#isEmpty &&= other.#isEmpty;
    this.#candidates = this.#candidates.filter((one) => other.#candidates.includes(one));
  }

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
  if (type === 'Double' && BARE_POINT.test(text)) {
    return text.replace(/^(-?)\./, '$10.').replace(/\.$/, '');
  }
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

// A day of the calendar, and a time that the service has.
function isTime(text: string): boolean {
  const day = TIME.exec(text)?.[1];
  if (day === undefined) return false;
  const time = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(day);
  // A later year than 9999 begins with a sign.
  const utc = isDay ? timeText(text) : '';
  return /^\d/.test(utc) && utc >= FIRST_TIME;
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
  return (DECIMAL.test(text) || SCIENTIFIC.test(text)) && fitsDouble(text);
}

/** Whether a Double says all that the text of a number says. */
export function fitsDouble(text: string): boolean {
  const digits = significantDigits(text);
  // No digits: it is a zero.
  return Number.isFinite(+text) && digits <= DOUBLE_DIGITS && (+text !== 0 || digits === 0);
}

const significantDigits = (text: string) =>
  text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;
