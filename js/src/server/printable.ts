/**
 * Text of strangers in one line, without a character that would steer a terminal.
 *
 * @module
 */

// Control characters of ASCII and of ISO 6429 (U+0080 to U+009F), ends of lines, and marks that
// turn the direction of a text, so that another one seems to be there.
const STEERING = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** The text with escapes as in JSON, in one line. */
export const printable = (text: string): string => text.replace(STEERING, escaped);

function escaped(character: string): string {
  const json = JSON.stringify(character).slice(1, -1);
  if (json !== character) return json;
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
