/**
 * Keys that are one text.
 *
 * The text is its own key. Where it has a character that keys forbid, two take its place: the
 * character before it in the order, which keys allow, and U+FFFD. So `a/b` is written as `a.`,
 * U+FFFD and `b`. A text that has such a pair itself gets U+FFFC in between. Nearly all characters
 * are less than U+FFFC, and it marks those that are not. So keys sort as their texts do, and
 * different texts have different keys. Control characters below the space have no character before
 * them: they are refused.
 *
 * @module
 */

import type { Field } from './key-fields.js';

const [FORBIDDEN, ITSELF] = ['\ufffd', '\ufffc'];
/** What no key may have, and no other character can stand for. */
export const CONTROL = /[\0-\x1f]/;
const TO_WRITE = /["[.>~](?=[\ufffc-\uffff])|[#/?\\\x7f-\x9f]/g;
const WRITTEN = /["[.>~](?:\ufffc(?=[\ufffc-\uffff])|\ufffd(?:[\da-f]{2})?)/g;
const BEFORE: Readonly<Record<string, string>> = { '#': '"', '/': '.', '?': '>', '\\': '[' };

/** Whether a stored key is the text itself, as nearly all are. */
export const isItself = (key: string): boolean => !/[\ufffc-\uffff]/.test(key);

export const plainText: Pick<Field, 'encode' | 'pattern' | 'decode'> = {
  encode: (value) =>
    (value as string).replace(TO_WRITE, (character) => {
      const before = BEFORE[character];
      if (before !== undefined) return before + FORBIDDEN;
      return character > '~'
        ? `~${FORBIDDEN}${character.charCodeAt(0).toString(16)}`
        : character + ITSELF;
    }),
  pattern: /^([^]*)$/,
  decode: (text) =>
    text.replace(WRITTEN, (pair) => {
      const [before = '', mark] = pair;
      if (mark === ITSELF) return before;
      if (before === '~') return String.fromCharCode(Number(`0x${pair.slice(2)}`));
      return String.fromCharCode(before.charCodeAt(0) + 1) + pair.slice(2);
    }),
};
