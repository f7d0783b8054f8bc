/**
 * Reads JSON in chunks: the objects of an array, or one after another (JSON Lines).
 *
 * @module
 */

import { invalidInput, type TableError } from '../base/errors.js';
import { parseExactly } from './exact-integers.js';

/** In UTF-16 units: more than the largest entity has. A text without an end would read on. */
const MAX_OBJECT_LENGTH = 4 * 1024 * 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = [0x5b, 0x7b]; // [ {
const CLOSING = [0x5d, 0x7d]; // ] }

// Between objects: white space, commas, the brackets of the array, and a byte order mark.
const BETWEEN = /[\s,[\]\uFEFF]*/y;

/** Reads one file from its beginning to its end. */
export class JsonObjectReader {
  #rest = '';
  // Within the rest: what was read of an object that is not complete.
  #at = 0;
  #depth = 0;
  #objects = 0;
  #line = 1;
  #lines: number[] = [];
  readonly #onFault: ((error: TableError, line: number) => void) | undefined;

  /**
   * @param onFault - takes the error of an object that is not JSON, and its line; the object is
   * left out. Without it, the error is thrown.
   */
  constructor(onFault?: (error: TableError, line: number) => void) {
    this.#onFault = onFault;
  }

  /** The line where each object begins that the last call has returned, from 1 on. */
  get lines(): readonly number[] {
    return this.#lines;
  }

  /**
   * Takes the next chunk, and returns the objects that are complete now, as `parseExactly` does.
   *
   * @throws {@link TableError} `InvalidInput`, if it is not JSON, has values that are no objects
   * beside them, or an object is too long.
   */
  push(chunk: string): object[] {
    const text = this.#rest + chunk;
    const objects: object[] = [];
    this.#lines = [];
    let start = 0;
    for (;;) {
      if (this.#depth === 0) {
        const end = Math.max(start, this.#at);
        const next = this.#skip(text, end);
        this.#line += newLinesIn(text.slice(start, next));
        start = next;
        if (start === text.length) break;
      }
      const end = this.#endOfObject(text);
      if (end === undefined) break;
      const object = this.#parse(text.slice(start, end));
      if (!object) continue;
      this.#lines.push(this.#line);
      objects.push(object);
    }
    this.#rest = text.slice(start);
    this.#at -= start;
    if (this.#rest.length > MAX_OBJECT_LENGTH) {
      throw this.#refusal(`is longer than ${MAX_OBJECT_LENGTH} characters; a quote may be missing`);
    }
    return objects;
  }

  /**
   * The file has ended.
   *
   * @throws {@link TableError} `InvalidInput`, if an object has no end.
   */
  end(): void {
    if (this.#rest) throw this.#refusal('has no end');
  }

  #skip(text: string, from: number): number {
    BETWEEN.lastIndex = from;
    BETWEEN.test(text);
    const start = BETWEEN.lastIndex;
    this.#at = start;
    if (start < text.length && text[start] !== '{') {
      throw this.#refusal(`begins with ${JSON.stringify(text[start])} instead of {`);
    }
    return start;
  }

  // Undefined, if the text ends before.
  #endOfObject(text: string): number | undefined {
    for (; this.#at < text.length; this.#at++) {
      const code = text.charCodeAt(this.#at);
      if (code === QUOTE) {
        const end = endOfText(text, this.#at + 1);
        if (end === undefined) return undefined;
        this.#at = end;
      } else if (OPENING.includes(code)) {
        this.#depth++;
      } else if (CLOSING.includes(code) && --this.#depth === 0) {
        return ++this.#at;
      }
    }
    return undefined;
  }

  #parse(text: string): object | undefined {
    try {
      return parseExactly(text);
    } catch (error) {
      const refusal = this.#refusal(`is not JSON: ${(error as Error).message}`);
      if (!this.#onFault) throw refusal;
      this.#onFault(refusal, this.#line);
      return undefined;
    } finally {
      this.#objects++;
    }
  }

  #refusal(what: string) {
    return invalidInput(`Object ${this.#objects + 1} of the JSON ${what}.`);
  }
}

function newLinesIn(text: string): number {
  let count = 0;
  for (let at = -1; (at = text.indexOf('\n', at + 1)) >= 0;) count++;
  return count;
}

// The place of the quote that ends a text; undefined, if the chunk ends before.
function endOfText(text: string, from: number): number | undefined {
  for (let at = from; ; at++) {
    at = text.indexOf('"', at);
    if (at < 0) return undefined;
    let first = at;
    while (text.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((at - first) % 2 === 0) return at;
  }
}
