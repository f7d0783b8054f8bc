/**
 * Reads JSON in chunks: the objects of an array, or one after another (JSON Lines). An object may
 * also be a feed, as services answer: then the objects are those in its array.
 *
 * A row may look like a feed, and what tells them apart may come behind the array. So an object is
 * read to its end before it is taken for a feed, unless its beginning has an annotation that only
 * feeds have, or it is longer than any row.
 *
 * @module
 */

import { invalidInput, isTableError, type TableError } from '../base/errors.js';
import { endOfText, parseMembers, type JsonMembers } from './json-members.js';

/** In UTF-16 units: more than the largest entity has. A text without an end would read on. */
const MAX_OBJECT_LENGTH = 4 * 1024 * 1024;

const QUOTE = 0x22;
const OPENING = [0x5b, 0x7b]; // [ {
const CLOSING = [0x5d, 0x7d]; // ] }

// Between objects: white space, commas, the brackets of the array, and a byte order mark.
const BETWEEN = /[\s,[\]\uFEFF]*/y;
const BETWEEN_OF_FEED = /[\s,]*/y;

// What a feed has beside its array: annotations of OData, where the next page begins, and a count.
const ABOUT_FEED = String.raw`@?odata\.[\w.]+|nextMarker|nextLink|continuationToken|count`;
const NAME_ABOUT_FEED = new RegExp(`^(?:${ABOUT_FEED})$`);
const ONLY_OF_FEED = /"@?odata\.(?:metadata|context)"/;
const SCALAR = String.raw`(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)`;

// The beginning of what may be a feed, up to the bracket of its array of objects.
const HEAD_OF_FEED = new RegExp(
  String.raw`\{\s*(?:"(?:${ABOUT_FEED})"\s*:\s*${SCALAR}\s*,\s*)*"(?:value|items)"\s*:\s*\[(?=\s*[{\]])`,
  'y',
);

/** Reads one file from its beginning to its end. */
export class JsonObjectReader {
  #rest = '';
  // Within the rest: what was read of an object that is not complete.
  #at = 0;
  #depth = 0;
  // Of arrays that are open around the objects.
  #arrays = 0;
  // In a feed: before the end of its array, or behind it.
  #feed: 'array' | 'tail' | undefined;
  #objects = 0;
  #line = 1;
  #lastLine = 0;
  #lines: number[] = [];
  #numbers: number[] = [];
  /** Whether several objects begin on one line. */
  sharesLines = false;
  readonly #onFault: ((error: TableError, line: number, number: number) => void) | undefined;

  /**
   * @param onFault - takes the error of an object that cannot be read, its line and its number; the
   * object is left out. Without it, the error is thrown.
   */
  constructor(onFault?: (error: TableError, line: number, number: number) => void) {
    this.#onFault = onFault;
  }

  /** The line where each object begins that the last call has returned, from 1 on. */
  get lines(): readonly number[] {
    return this.#lines;
  }

  /** Their numbers in the file, from 1 on. */
  get numbers(): readonly number[] {
    return this.#numbers;
  }

  /**
   * Takes the next chunk, and returns the objects that are complete now, as `parseMembers` does.
   *
   * @throws {@link TableError} `InvalidInput`, if it is not JSON, has values that are no objects
   * beside them, or an object is too long.
   */
  push(chunk: string): JsonMembers[] {
    const text = this.#rest + chunk;
    const objects: JsonMembers[] = [];
    this.#lines = [];
    this.#numbers = [];
    let start = 0;
    for (;;) {
      if (this.#depth === 0) {
        const end = Math.max(start, this.#at);
        const next = this.#skip(text, end);
        this.#line += newLinesIn(text.slice(start, next));
        start = next;
        if (start === text.length) break;
      }
      // An object in an array is a row.
      const array = this.#feed || this.#arrays > 0 ? undefined : arrayOfFeed(text, start);
      if (array !== undefined && ONLY_OF_FEED.test(text.slice(start, array))) {
        this.#beginFeed(array);
        continue;
      }
      const end = this.#endOfObject(text);
      if (array !== undefined && isFeed(text.slice(start, end), end !== undefined)) {
        this.#beginFeed(array);
        continue;
      }
      if (end === undefined) break;
      const object = this.#take(text.slice(start, end));
      if (!object) continue;
      this.#lines.push(this.#line);
      this.#numbers.push(this.#objects);
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
    if (this.#rest || this.#feed) throw this.#refusal('has no end');
    if (this.#arrays > 0) throw invalidInput('The array of the JSON has no end.');
  }

  #beginFeed(array: number): void {
    this.#feed = 'array';
    this.#depth = 0;
    this.#at = array;
  }

  #skip(text: string, from: number): number {
    const between = this.#feed ? BETWEEN_OF_FEED : BETWEEN;
    between.lastIndex = from;
    between.test(text);
    const start = between.lastIndex;
    for (let at = from; at < start; at++) {
      if (text[at] === '[') this.#arrays++;
      if (text[at] === ']') this.#arrays--;
    }
    this.#at = start;
    if (this.#feed && text[start] === ']') {
      this.#feed = 'tail';
      this.#depth = 1;
      this.#at++;
    } else if (start < text.length && text[start] !== '{') {
      throw this.#refusal(`begins with ${JSON.stringify(text[start])} instead of {`);
    }
    return start;
  }

  // The object, if it is one to return.
  #take(text: string): JsonMembers | undefined {
    if (this.#feed !== 'tail') return this.#parse(text);
    this.#feed = undefined;
    this.#endFeed(text);
    return undefined;
  }

  /** @param tail - from the end of its array on. */
  #endFeed(tail: string): void {
    let names: string[];
    try {
      names = Object.keys(JSON.parse(`{"count":0${tail.slice(1)}`) as object);
    } catch (error) {
      throw invalidInput(`The feed in the JSON does not end well: ${(error as Error).message}`);
    }
    const strange = names.find((name) => !NAME_ABOUT_FEED.test(name));
    if (strange === undefined) return;
    throw invalidInput(
      `An object of the JSON has an array of rows and ${JSON.stringify(strange)}. Is it a feed or a row?`,
    );
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

  #parse(text: string): JsonMembers | undefined {
    this.#objects++;
    if (this.#line === this.#lastLine) this.sharesLines = true;
    this.#lastLine = this.#line;
    try {
      return parseMembers(text);
    } catch (error) {
      const refusal = isTableError(error)
        ? error
        : refusalOf(this.#objects, `is not JSON: ${(error as Error).message}`);
      if (!this.#onFault) throw refusal;
      this.#onFault(refusal, this.#line, this.#objects);
      return undefined;
    }
  }

  #refusal(what: string) {
    return refusalOf(this.#objects + 1, what);
  }
}

const refusalOf = (number: number, what: string) =>
  invalidInput(`Object ${number} of the JSON ${what}.`);

/** @param text - of an object with the head of a feed. */
function isFeed(text: string, isComplete: boolean): boolean {
  if (!isComplete) return text.length > MAX_OBJECT_LENGTH;
  const names = namesIn(text);
  const about = names.filter((name) => name !== 'value' && name !== 'items');
  if (names.length > about.length + 1 || !about.every((name) => NAME_ABOUT_FEED.test(name))) {
    return false;
  }
  return about.length === 0 ? names.length === 1 : about.some((name) => name !== 'count');
}

function namesIn(text: string): string[] {
  try {
    return Object.keys(JSON.parse(text) as object);
  } catch {
    // Its error is that of a row.
    return [];
  }
}

// Where the array begins; undefined, if this is no feed, or not all of its head is there.
function arrayOfFeed(text: string, start: number): number | undefined {
  HEAD_OF_FEED.lastIndex = start;
  return HEAD_OF_FEED.test(text) ? HEAD_OF_FEED.lastIndex : undefined;
}

function newLinesIn(text: string): number {
  let count = 0;
  for (let at = -1; (at = text.indexOf('\n', at + 1)) >= 0;) count++;
  return count;
}
