import { describe, expect, it } from 'vitest';

import { unescapeInPlace } from '../../../js/src/transfer/unescape-in-place.js';

// JSON as the core writes it: every UTF-16 unit above U+007F is escaped.
function ascii(text: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/[\u0080-\uffff]/g, escape);
}

function readable(json: string): string {
  return new TextDecoder().decode(unescapeInPlace(new TextEncoder().encode(json)));
}

describe('JSON without needless escapes', () => {
  it.each([
    ['two bytes', 'Größe \u0080 \u07ff'],
    ['three bytes', '日本 \u0800 \uffff \ud7ff \ue000'],
    ['four bytes', '😀 \u{10000} \u{10ffff}'],
    ['an escaped backslash before a u', String.raw`\u00e9 and \\u00e9`],
    ['an escape at the end', 'ö'],
    ['many escapes in a row', 'ä'.repeat(10_000)],
    ['none', 'plain'],
  ])('has the characters themselves: %s', (_, text) => {
    expect(readable(ascii(text))).toBe(JSON.stringify(text));
  });

  it('keeps the escapes of control characters, quotes and backslashes', () => {
    const json = ascii('"\\\b\f\n\r\t\u0000\u001f ü');

    expect(readable(json)).toBe(String.raw`"\"\\\b\f\n\r\t\u0000\u001f ü"`);
  });
});
