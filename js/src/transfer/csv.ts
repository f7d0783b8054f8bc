/**
 * Reads CSV (RFC 4180) in chunks: records of texts, with or without quotes.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';

/** The separators that are recognized, the most usual first. */
const SEPARATORS = [',', ';', '\t', '|'];

/** In UTF-16 units: more than the largest entity has. A quote without an end would read on. */
const MAX_RECORD_LENGTH = 4 * 1024 * 1024;

/** Reads one file from its beginning to its end. The first record usually has the names. */
export class CsvReader {
  #separator: string | undefined;
  #rest = '';
  #isFirst = true;
  #records = 0;
  #line = 1;
  #lines: number[] = [];

  /** @param separator - by default the one that the first line has most of. */
  constructor(separator?: string) {
    this.#separator = separator;
  }

  /** The line where each record begins that the last call has returned, from 1 on. */
  get lines(): readonly number[] {
    return this.#lines;
  }

  /**
   * Takes the next chunk, and returns the records that are complete now. Empty lines are left out.
   *
   * @throws {@link TableError} `InvalidInput`, if a record is too long.
   */
  push(chunk: string): string[][] {
    const text = this.#rest + (this.#isFirst ? chunk.replace(/^\uFEFF/, '') : chunk);
    this.#isFirst &&= text === '';
    return this.#read(text, false);
  }

  /**
   * Returns the last records: the file has ended.
   *
   * @throws {@link TableError} `InvalidInput`, if a quote has no end.
   */
  end(): string[][] {
    return this.#read(this.#rest, true);
  }

  #read(text: string, isLast: boolean): string[][] {
    const records: string[][] = [];
    this.#lines = [];
    let at = 0;
    while (at < text.length) {
      this.#separator ??= separatorOf(text, isLast);
      const end = this.#separator && this.#readRecord(text, at, isLast, records);
      if (!end) break;
      for (let next = at; (next = text.indexOf('\n', next) + 1) > 0 && next <= end;) this.#line++;
      at = end;
    }
    this.#rest = text.slice(at);
    if (isLast && this.#rest) throw this.#refusal('has a quote without an end');
    if (this.#rest.length > MAX_RECORD_LENGTH) {
      throw this.#refusal(`is longer than ${MAX_RECORD_LENGTH} characters; a quote may be missing`);
    }
    return records;
  }

  // Returns where the next record begins, or undefined if this one is not complete.
  #readRecord(
    text: string,
    start: number,
    isLast: boolean,
    records: string[][],
  ): number | undefined {
    const newLine = text.indexOf('\n', start);
    if (newLine < 0 && !isLast) return undefined;
    const line = text.slice(start, newLine < 0 ? text.length : newLine);
    if (line.includes('"')) return this.#readQuoted(text, start, isLast, records);
    const content = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (content) this.#add(content.split(this.#separator!), records);
    return start + line.length + 1;
  }

  #readQuoted(
    text: string,
    start: number,
    isLast: boolean,
    records: string[][],
  ): number | undefined {
    const fields: string[] = [];
    for (let at = start; ;) {
      const field = text[at] === '"' ? quoted(text, at) : { value: '', end: at };
      if (!field) return undefined;
      const end = endOfField(text, field.end, this.#separator!);
      if (end === text.length && !isLast) return undefined;
      const isLastField = text[end] !== this.#separator;
      const plain = text.slice(field.end, end);
      fields.push(field.value + (isLastField ? plain.replace(/\r$/, '') : plain));
      at = end + 1;
      if (!isLastField) continue;
      this.#add(fields, records);
      return at;
    }
  }

  #add(fields: string[], records: string[][]): void {
    this.#records++;
    this.#lines.push(this.#line);
    records.push(fields);
  }

  #refusal(what: string) {
    return invalidInput(`Record ${this.#records + 1} of the CSV ${what}.`);
  }
}

// Undefined, as long as the first line is not complete.
function separatorOf(text: string, isLast: boolean): string | undefined {
  const end = text.indexOf('\n');
  if (end < 0 && !isLast) return undefined;
  const line = text.slice(0, end < 0 ? text.length : end).replace(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))];
}

// The text in quotes that begins at a quote, and where it ends; undefined, if it does not end here.
function quoted(text: string, at: number): { value: string; end: number } | undefined {
  let value = '';
  for (let start = at + 1; ;) {
    const quote = text.indexOf('"', start);
    if (quote < 0) return undefined;
    value += text.slice(start, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    start = quote + 2;
  }
}

function endOfField(text: string, at: number, separator: string): number {
  const newLine = text.indexOf('\n', at);
  const lineEnd = newLine < 0 ? text.length : newLine;
  const next = text.indexOf(separator, at);
  return next < 0 ? lineEnd : Math.min(next, lineEnd);
}
