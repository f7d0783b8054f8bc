/**
 * Values in error messages.
 *
 * @module
 */

import { hasMethod, isBytes, isDate, isObject } from './kinds.js';

/**
 * An argument of the wrong kind. A text has quotes, and is cut to 64 UTF-16 units. An object is
 * only called an object, but a Promise by its name: an `await` is easily forgotten.
 */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(short(value));
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'an array';
  if (hasMethod(value, 'then')) return 'a Promise, which must be awaited first';
  return isObject(value) ? 'an object' : String(value);
}

/** A value of a property, with its type if it names one. Texts are cut to 64 UTF-16 units. */
export function shownValue(value: unknown): string {
  if (isBytes(value)) return `${value.length} bytes`;
  if (isDate(value)) return Number.isNaN(value.getTime()) ? 'an invalid date' : value.toISOString();
  if (!isObject(value) || Array.isArray(value)) return shown(value);
  const { type, value: inner } = value as { type?: unknown; value?: unknown };
  if (type === undefined || inner === undefined) return shown(value);
  const text = typeof inner === 'string' ? short(inner) : short(shownValue(inner));
  return `${text} as ${typeof type === 'string' ? short(type) : shownValue(type)}`;
}

const MAX_SHOWN = 64;

/** A text, cut to 64 UTF-16 units. */
export const short = (text: string): string =>
  text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN - 1)}…`;
