/**
 * Reads CSV (RFC 4180) in chunks: records of texts, with or without quotes.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { BEGINNING_LENGTH, csvFormOf, type CsvForm } from './csv-form.js';

/** In UTF-16 units: more than the largest entity has. A quote without an end would read on. */
const MAX_RECORD_LENGTH = 4 * 1024 * 1024;

/** Reads one file from its beginning to its end. The first record usually has the names. */
export class CsvReader {
  readonly #known: Partial<CsvForm> | undefined;
  #form: CsvForm | undefined;
  #rest = '';
  #isFirst = true;
  #records = 0;
  #line = 1;
  #lines: number[] = [];

  /** @param known - what is not to be guessed. */
  constructor(known?: Partial<CsvForm>) {
    this.#known = known;
  }

  /** How the file is written, once its beginning was read. */
  get form(): CsvForm | undefined {
    return this.#form;
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
    let at = this.#form ? 0 : this.#findForm(text, isLast);
    while (this.#form && at < text.length) {
      const end = this.#readRecord(text, at, isLast, this.#form, records);
      if (!end) break;
      const { newLine } = this.#form;
      for (let next = at; (next = text.indexOf(newLine, next) + 1) > 0 && next <= end;) {
        this.#line++;
      }
      at = end;
    }
    this.#rest = text.slice(at);
    if (isLast && this.#rest) throw this.#refusal('has a quote without an end');
    if (this.#rest.length > MAX_RECORD_LENGTH) {
      throw this.#refusal(`is longer than ${MAX_RECORD_LENGTH} characters; a quote may be missing`);
    }
    return records;
  }

  // Returns where the header begins. There is no form, as long as the beginning is too short.
  #findForm(text: string, isLast: boolean): number {
    if (text.length < BEGINNING_LENGTH && !isLast) return 0;
    const { form, skip } = csvFormOf(text, isLast, this.#known);
    this.#form = form;
    return skip;
  }

  // Returns where the next record begins, or undefined if this one is not complete.
  #readRecord(
    text: string,
    before: number,
    isLast: boolean,
    form: CsvForm,
    records: string[][],
  ): number | undefined {
    const { newLine, quote } = form;
    // Where lines end with CR, one may end with CR and LF nevertheless.
    const start = newLine === '\r' && text[before] === '\n' ? before + 1 : before;
    const lineEnd = text.indexOf(newLine, start);
    if (lineEnd < 0 && !isLast) return undefined;
    const line = text.slice(start, lineEnd < 0 ? text.length : lineEnd);
    if (quote && line.includes(quote)) return this.#readQuoted(text, start, isLast, form, records);
    const content = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (content) this.#add(content.split(form.separator), records);
    return start + line.length + 1;
  }

  #readQuoted(
    text: string,
    start: number,
    isLast: boolean,
    form: CsvForm,
    records: string[][],
  ): number | undefined {
    const fields: string[] = [];
    for (let at = start; ;) {
      const field = text[at] === form.quote ? quoted(text, at, form.quote) : { value: '', end: at };
      if (!field) return undefined;
      const end = endOfField(text, field.end, form);
      if (end === text.length && !isLast) return undefined;
      const isLastField = text[end] !== form.separator;
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
    return invalidInput(`Record ${this.#records + 1} of the CSV ${what} (line ${this.#line}).`);
  }
}

// The text in quotes that begins at a quote, and where it ends; undefined, if it does not end here.
function quoted(
  text: string,
  at: number,
  mark: string,
): { value: string; end: number } | undefined {
  let value = '';
  for (let start = at + 1; ;) {
    const quote = text.indexOf(mark, start);
    if (quote < 0) return undefined;
    value += text.slice(start, quote);
    if (text[quote + 1] !== mark) return { value, end: quote + 1 };
    value += mark;
    start = quote + 2;
  }
}

function endOfField(text: string, at: number, { separator, newLine }: CsvForm): number {
  const end = text.indexOf(newLine, at);
  const lineEnd = end < 0 ? text.length : end;
  const next = text.indexOf(separator, at);
  return next < 0 ? lineEnd : Math.min(next, lineEnd);
}
