/**
 * Formats values for the grid.
 *
 * @module
 */

import type { EdmTypes } from 'entitable';

import type { TypedValue } from './typed-entity.js';

const INTEGER = new Intl.NumberFormat('en');
// A Double has at most 17 digits, and the shortest that mean it are shown.
const DOUBLE = new Intl.NumberFormat('en', { minimumFractionDigits: 1, maximumFractionDigits: 20 });

// How many bytes of a Binary the grid shows; its length follows them.
const SHOWN_BYTES = 8;

/** True if the grid aligns the column by its digits. */
export function isNumeric(type: EdmTypes): boolean {
  return type === 'Int32' || type === 'Int64' || type === 'Double';
}

export function displayValue({ type, value }: TypedValue): string {
  switch (type) {
    case 'Int32':
    case 'Int64':
      return INTEGER.format(BigInt(value));
    case 'Double':
      return displayDouble(value);
    case 'DateTime':
      return displayTime(value);
    case 'Binary':
      return displayBytes(value);
    default:
      return value;
  }
}

// A whole Double is shown as 7.0, because it is not an integer.
function displayDouble(value: string): string {
  const size = Math.abs(Number(value));
  return size === 0 || (size >= 1e-4 && size < 1e15) ? DOUBLE.format(Number(value)) : value;
}

/** ISO 8601 without a midnight, and without zeros at the end of the second. */
export function displayTime(iso: string): string {
  return iso
    .replace(/(\.\d*?)0*Z$/, '$1Z')
    .replace(/\.?Z$/, '')
    .replace(/T00:00:00$/, '')
    .replace('T', ' ');
}

function displayBytes(base64: string): string {
  const bytes = atob(base64);
  const shown = Array.from(bytes.slice(0, SHOWN_BYTES), (byte) =>
    byte.charCodeAt(0).toString(16).padStart(2, '0'),
  );
  const rest = bytes.length > SHOWN_BYTES ? ' …' : '';
  return `${shown.join(' ')}${rest} (${bytes.length} bytes)`.trimStart();
}

export function displayCount(count: number): string {
  return INTEGER.format(count);
}

/** @param noun - in the plural: `rows`, or `entities`. */
export function counted(count: number, noun: string): string {
  const one = noun === 'entities' ? 'entity' : noun.replace(/s$/, '');
  return `${displayCount(count)} ${count === 1 ? one : noun}`;
}

const NUMBER = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** A number of any type, without zeros at its end. */
export function displayNumber(value: number | bigint): string {
  const size = Math.abs(Number(value));
  return size === 0 || (size >= 1e-4 && size < 1e15) || typeof value === 'bigint'
    ? NUMBER.format(value)
    : String(value);
}

/** The text, or its beginning if it has more letters. */
export function shortened(text: string, mostLetters: number): string {
  return text.length > mostLetters ? `${text.slice(0, mostLetters - 1)}…` : text;
}

/** 1 MB is 1,000,000 bytes, as in the dialogs of most systems. */
export function displaySize(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1);
  const size = bytes / 1000 ** power;
  return `${power === 0 ? size : size.toPrecision(3)} ${units[power]}`;
}

/** Browsers measure in steps of about 0.1 ms, so more digits would mean nothing. */
export function displayMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : INTEGER.format(Math.round(ms))} ms`;
}
