/**
 * Keys of IndexedDB as texts, in which an import notes where it is.
 *
 * @module
 */

import { isBufferSource, isDate } from '../../base/kinds.js';
import { shown, shownValue } from '../../base/shown.js';
import type { SourceKey } from './models.js';

// A number has a text because JSON has no infinity, which is a key.
type Written =
  string | { n: string } | { d: number } | { b: readonly number[] } | readonly Written[];

/** Returns the text of a key. */
export const textOfKey = (key: SourceKey): string => JSON.stringify(written(key));

/** Returns the key of a text. */
export const keyOfText = (text: string): SourceKey => read(JSON.parse(text) as Written);

/** Returns a key for messages. */
export function shownKey(key: SourceKey): string {
  if (Array.isArray(key)) return `[${key.map(shownKey).join(', ')}]`;
  if (isBufferSource(key)) return `${key.byteLength} bytes`;
  return isDate(key) ? shownValue(key) : shown(key);
}

function written(key: SourceKey): Written {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return { n: String(key) };
  if (isDate(key)) return { d: key.getTime() };
  if (isBufferSource(key)) return { b: [...bytesOf(key)] };
  return (key as readonly SourceKey[]).map(written);
}

function read(key: Written): SourceKey {
  if (typeof key === 'string') return key;
  if ('n' in key) return Number(key.n);
  if ('d' in key) return new Date(key.d);
  if ('b' in key) return Uint8Array.from(key.b).buffer;
  return key.map(read);
}

const bytesOf = (key: ArrayBuffer | ArrayBufferView): Uint8Array =>
  ArrayBuffer.isView(key)
    ? new Uint8Array(key.buffer, key.byteOffset, key.byteLength)
    : new Uint8Array(key);
