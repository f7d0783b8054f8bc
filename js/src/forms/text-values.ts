/**
 * Texts of controls as values of the declared types, without loss, and values as such texts.
 *
 * @module
 */

import { isBytes, isDate, isObject } from '../base/kinds.js';
import { isBlob } from '../schema/parted-values.js';
import type { PropertyRules } from '../schema/properties.js';
import type { Times } from './times.js';

const WHOLE = /^[+-]?\d{1,40}$/;
/** A number as HTML writes it. */
export const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, on: true, false: false };

/**
 * The value of what a form holds for a property: texts, and files or their bytes. An empty text is
 * no value. What cannot be read as the declared type stays as it is, for validation to find.
 *
 * @param times - undefined, while they are not loaded: then no time can be read.
 */
export function valueOf(
  rules: PropertyRules,
  entries: readonly (string | Uint8Array | Blob)[],
  times: Times | undefined,
): unknown {
  // Spaces are a text, and no other value.
  const isGiven = (entry: string) => (rules.type === 'String' ? entry : entry.trim()) !== '';
  const given = entries.filter((entry) => typeof entry !== 'string' || isGiven(entry));
  const [entry] = given;
  if (given.length > 1) return isCheckedBox(rules, given) || given;
  if (typeof entry !== 'string') return entry;
  // The core would read the text of a precise time by rules of its own.
  return typedValue(rules, entry, times) ?? (isPrecise(rules) ? given : entry);
}

// Frameworks put a hidden control beside a box, which says false while the box sends nothing.
function isCheckedBox({ type }: PropertyRules, given: readonly unknown[]): boolean {
  const values = given.map((entry) => BOOLEANS[String(entry).toLowerCase()]);
  return (
    type === 'Boolean' && given.length === 2 && values.includes(true) && values.includes(false)
  );
}

/** Whether its times are texts with seven digits of a second. */
export const isPrecise = ({ constraints }: PropertyRules) => constraints['precise'] === true;

function typedValue(rules: PropertyRules, text: string, times: Times | undefined): unknown {
  const trimmed = text.trim();
  const isWhole = WHOLE.test(trimmed);
  switch (rules.type) {
    case 'Int32':
      return isWhole ? Number(trimmed) : undefined;
    case 'Int64':
      return isWhole ? BigInt(trimmed) : undefined;
    case 'Double':
      return doubleOf(trimmed);
    case 'Boolean':
      return BOOLEANS[trimmed.toLowerCase()];
    case 'DateTime':
      return times?.valueOf(trimmed, isPrecise(rules));
    case 'Guid':
      return trimmed;
    case 'String':
      // A request has other line breaks than a textarea.
      return text.replace(/\r\n?/g, '\n');
    case 'Binary':
      return text;
  }
}

/** Undefined, if it is no number, too large, or would have other digits before the point. */
function doubleOf(text: string): number | undefined {
  const number = DECIMAL.test(text) ? Number(text) : NaN;
  if (!Number.isFinite(number)) return undefined;
  // A text with an exponent does not name each digit.
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER || /e/i.test(text)) return number;
  const whole = BigInt(text.split('.')[0]!);
  // 2 ** 60 is written as 1152921504606847000, with zeros in place of its last digits.
  const written = number.toExponential().replace(/\.|e.*/g, '');
  const isSame = whole === BigInt(number) || `${whole}`.replace(/0+$/, '') === written;
  return isSame ? number : undefined;
}

/** The value of `{ type, value }`. */
export const plainOf = (value: unknown): unknown =>
  isObject(value) && 'value' in value ? value.value : value;

/**
 * The text of a value for a control of this type; undefined, if it is no text: bytes, a Blob.
 *
 * @param kind - that of a hidden control takes every text.
 */
export function textOf(value: unknown, kind: string, times: Times | undefined): string | undefined {
  const plain = plainOf(value);
  if (isBytes(plain) || isBlob(plain)) return undefined;
  const isTime = isDate(plain) || (typeof plain === 'string' && plain.endsWith('Z'));
  if (/^date/.test(kind) && isTime) return times?.textOf(plain, kind);
  if (isDate(plain)) return plain.toISOString();
  return plain === undefined || plain === null ? '' : String(plain as string);
}
