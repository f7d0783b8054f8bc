/**
 * Reads the members of an object with the text that the file has for each value. A number of
 * JavaScript would lose digits of some numbers, and an object the first of two equal names.
 *
 * @module
 */

import { TableError } from '../base/errors.js';

/** The JSON of each value, by its name. */
export type JsonMembers = ReadonlyMap<string, string>;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b]; // [ {
const CLOSING = [0x5d, 0x7d]; // ] }

const BETWEEN = /[\s,:]*/y;
const SCALAR = /[\w.+-]+/y;
const TEXTS_AND_SPACES = /"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g;

/**
 * @param text - of an object, from its bracket on.
 * @throws `SyntaxError`, if it is not JSON; {@link TableError} `DuplicatePropertiesSpecified`, if a
 * name is there twice.
 */
export function parseMembers(text: string): JsonMembers {
  // What follows finds the members of an object that is well-formed.
  JSON.parse(text);
  const members = new Map<string, string>();
  for (let at = 1; ;) {
    const start = endOf(BETWEEN, text, at);
    if (text.charCodeAt(start) !== QUOTE) return members;
    const nameEnd = endOfValue(text, start);
    const name = JSON.parse(text.slice(start, nameEnd)) as string;
    const valueStart = endOf(BETWEEN, text, nameEnd);
    at = endOfValue(text, valueStart);
    if (members.has(name)) {
      throw new TableError(
        'DuplicatePropertiesSpecified',
        `The name ${JSON.stringify(name)} is there twice.`,
      );
    }
    members.set(name, text.slice(valueStart, at));
  }
}

/** The same JSON without white space and needless escapes. */
export const compactJson = (text: string): string =>
  text.replace(TEXTS_AND_SPACES, (one) =>
    one.startsWith('"') ? JSON.stringify(JSON.parse(one)) : '',
  );

/** The place of the quote that ends a text; undefined, if the text ends before. */
export function endOfText(text: string, from: number): number | undefined {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((at - first) % 2 === 0) return at;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at + 1)!;
    else if (OPENING.includes(code)) depth++;
    else if (CLOSING.includes(code)) depth--;
    else if (depth === 0) return endOf(SCALAR, text, at);
    if (depth === 0) return at + 1;
  }
}
