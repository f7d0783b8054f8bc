/**
 * Makes JSON of the core readable: it is ASCII alone, and has escapes of all other characters.
 *
 * @module
 */

import type { OwnBytes } from '../base/platform.js';

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_A = 0x61;
const DIGIT_0 = 0x30;

/**
 * Replaces the escapes of characters beyond ASCII by their UTF-8. All other escapes stay.
 *
 * Works on bytes: a large text may have millions of escapes, and a function call or a string for
 * each would be too slow.
 *
 * @param json - valid JSON of the core, whose escapes have lower-case digits. It is overwritten.
 * @returns the result, in bytes of its own if it is shorter.
 */
export function unescapeInPlace(json: OwnBytes): OwnBytes {
  let from = json.indexOf(BACKSLASH);
  if (from < 0) return json;
  let to = from;
  while (from < json.length) {
    if (json[from] !== BACKSLASH) {
      json[to++] = json[from++]!;
      continue;
    }
    const unit = json[from + 1] === LETTER_U ? unitAt(json, from + 2) : 0;
    if (unit < 0x80) {
      json[to++] = json[from++]!;
      json[to++] = json[from++]!;
      continue;
    }
    from += 6;
    if (unit >> 11 === 0b11011) {
      const low = unitAt(json, from + 2);
      to = put(0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff), json, to);
      from += 6;
    } else {
      to = put(unit, json, to);
    }
  }
  return to < json.length ? json.slice(0, to) : json;
}

// The UTF-16 unit of an escape, from its four digits.
function unitAt(json: Uint8Array, at: number): number {
  let unit = 0;
  for (let i = at; i < at + 4; i++) {
    const digit = json[i]!;
    unit = (unit << 4) | (digit < LETTER_A ? digit - DIGIT_0 : digit - LETTER_A + 10);
  }
  return unit;
}

// Writes a character beyond ASCII as UTF-8. Returns the place behind it.
function put(codePoint: number, utf8: Uint8Array, at: number): number {
  if (codePoint < 0x800) {
    utf8[at++] = 0xc0 | (codePoint >> 6);
  } else {
    if (codePoint < 0x10000) {
      utf8[at++] = 0xe0 | (codePoint >> 12);
    } else {
      utf8[at++] = 0xf0 | (codePoint >> 18);
      utf8[at++] = 0x80 | ((codePoint >> 12) & 0x3f);
    }
    utf8[at++] = 0x80 | ((codePoint >> 6) & 0x3f);
  }
  utf8[at++] = 0x80 | (codePoint & 0x3f);
  return at;
}
