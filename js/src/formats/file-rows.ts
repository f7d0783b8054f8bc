/**
 * Rows of CSV and JSON files: values by the names of their columns, with the types that the file
 * says. Storage Explorer writes the type of the column `Age` into a column `Age@type`; OData JSON
 * calls it `Age@odata.type`.
 *
 * @module
 */

import { invalidInput, isTableError, type TableError } from '../base/errors.js';
import type { EdmTypes } from '../entity/edm.js';
import { EDM_TYPES } from '../entity/json.js';
import type { Cell, FileRow } from './cell.js';
import type { CsvForm } from './csv-form.js';
import { CsvReader } from './csv.js';
import { withoutGuard } from './formulas.js';
import { fitsDouble } from './infer-types.js';
import { compactJson, type JsonMembers } from './json-members.js';
import { JsonObjectReader } from './json-objects.js';
import { keyColumnsOf } from './row-columns.js';

/** Reads one file from its beginning to its end. */
export interface RowReader {
  /**
   * Takes the next chunk, and returns the rows that are complete now.
   *
   * @throws {@link TableError} `InvalidInput`, if the file is malformed.
   */
  push(chunk: string): FileRow[];

  /** Returns the last rows: the file has ended. It throws as `push` does. */
  end(): FileRow[];

  /** The columns that the header has. JSON has none: its rows have their columns. */
  readonly columns: readonly string[];

  /** How a CSV file is written, once its beginning was read. */
  readonly form?: CsvForm | undefined;

  /** The line where each row begins that the last call has returned, from 1 on. */
  readonly lines: readonly number[];

  /** Their numbers in the file, from 1 on. Malformed rows count, too. */
  readonly numbers: readonly number[];

  /** Whether several rows begin on one line; of what was read, and of JSON alone. */
  readonly sharesLines?: boolean;
}

/** Takes the error of a malformed row, the line where it begins, and its number in the file. */
export type OnRowFault = (error: TableError, line: number, number: number) => void;

const ANNOTATION = /@(?:odata\.)?type$/;

/** How CSV is to be read. What is left out is guessed, or as usual. */
export interface CsvOptions {
  readonly form?: Partial<CsvForm> | undefined;
  /** Whether the first record has the names of the columns; by default true. */
  readonly hasHeader?: boolean | undefined;
  /** The texts of missing values, beside the empty one. */
  readonly missing?: readonly string[] | undefined;
  /** Whether the apostrophes before formulas go away that an export has put there. */
  readonly isGuarded?: boolean | undefined;
}

/** Reads CSV, whose first record usually has the names of the columns. */
export class CsvRowReader implements RowReader {
  readonly #reader: CsvReader;
  readonly #options: CsvOptions;
  #cells: readonly CsvColumn[] | undefined;
  #width = 0;
  #rows = 0;
  lines: readonly number[] = [];
  numbers: readonly number[] = [];
  columns: readonly string[] = [];
  readonly #onFault: OnRowFault | undefined;

  /** @param onFault - with it, a malformed row is left out. Without it, its error is thrown. */
  constructor(onFault?: OnRowFault, options: CsvOptions = {}) {
    this.#onFault = onFault;
    this.#options = options;
    this.#reader = new CsvReader(options.form);
  }

  /** How the file is written, once its beginning was read. */
  get form(): CsvForm | undefined {
    return this.#reader.form;
  }

  push(chunk: string): FileRow[] {
    return this.#rowsOf(this.#reader.push(chunk));
  }

  end(): FileRow[] {
    return this.#rowsOf(this.#reader.end());
  }

  #rowsOf(records: string[][]): FileRow[] {
    let { lines } = this.#reader;
    const [first] = records;
    if (!this.#cells && first) {
      const { hasHeader = true } = this.#options;
      this.#cells = columnsOf(hasHeader ? first : first.map(() => ''));
      this.columns = this.#cells.map(({ name }) => name);
      this.#width = first.length;
      if (hasHeader) {
        records.shift();
        lines = lines.slice(1);
      }
    }
    const numbers = records.map((_, at) => this.#rows + at + 1);
    this.#rows += records.length;
    const places = { lines, numbers };
    const rowOf = (record: string[], number: number) => this.#rowOf(record, number);
    const read = readEach(records, places, rowOf, this.#onFault);
    ({ lines: this.lines, numbers: this.numbers } = read);
    return read.rows;
  }

  #rowOf(record: string[], number: number): FileRow {
    if (record.length > this.#width && record.slice(this.#width).some(Boolean)) {
      throw invalidInput(
        `Row ${number} of the CSV has ${record.length} values, and its header has ${this.#width} names.`,
      );
    }
    const row = new Map<string, Cell>();
    for (const { name, at, typeAt, isKey } of this.#cells!) {
      const written = record[at] ?? '';
      const text = this.#options.isGuarded ? withoutGuard(written) : written;
      if (!isKey && this.#options.missing?.includes(text)) continue;
      const type = typeAt === undefined ? undefined : typeOf(name, record[typeAt] ?? '');
      if (type) row.set(name, { type, text });
      // A key may be empty.
      else if (text || isKey) row.set(name, text);
    }
    return row;
  }
}

/** Reads a JSON array of objects, or JSON Lines. */
export class JsonRowReader implements RowReader {
  readonly #reader: JsonObjectReader;
  readonly #onFault: OnRowFault | undefined;
  readonly columns = [];
  lines: readonly number[] = [];
  numbers: readonly number[] = [];

  /** @param onFault - as for CSV. */
  constructor(onFault?: OnRowFault) {
    this.#reader = new JsonObjectReader(onFault);
    this.#onFault = onFault;
  }

  get sharesLines(): boolean {
    return this.#reader.sharesLines;
  }

  push(chunk: string): FileRow[] {
    const objects = this.#reader.push(chunk);
    const read = readEach(objects, this.#reader, jsonRow, this.#onFault);
    ({ lines: this.lines, numbers: this.numbers } = read);
    return read.rows;
  }

  end(): FileRow[] {
    this.#reader.end();
    this.lines = this.numbers = [];
    return [];
  }
}

function readEach<T>(
  items: readonly T[],
  places: Pick<RowReader, 'lines' | 'numbers'>,
  read: (item: T, number: number) => FileRow,
  onFault: OnRowFault | undefined,
): { rows: FileRow[]; lines: number[]; numbers: number[] } {
  const rows: FileRow[] = [];
  const [lines, numbers]: [number[], number[]] = [[], []];
  items.forEach((item, at) => {
    const [line, number] = [places.lines[at]!, places.numbers[at]!];
    try {
      rows.push(read(item, number));
      lines.push(line);
      numbers.push(number);
    } catch (error) {
      if (!onFault || !isTableError(error)) throw error;
      onFault(error, line, number);
    }
  });
  return { rows, lines, numbers };
}

interface CsvColumn {
  readonly name: string;
  readonly at: number;
  readonly typeAt: number | undefined;
  readonly isKey: boolean;
}

function columnsOf(names: readonly string[]): CsvColumn[] {
  const trimmed = names.map((name, at) => name.trim() || `Column${at + 1}`);
  const twice = trimmed.find((name, at) => trimmed.indexOf(name) !== at);
  if (twice !== undefined) {
    throw invalidInput(`The header of the CSV has the name ${JSON.stringify(twice)} twice.`);
  }
  const keys = keyColumnsOf(trimmed);
  return trimmed.flatMap((name, at) => {
    if (isAnnotation(name, (base) => trimmed.includes(base))) return [];
    const typeAt = trimmed.findIndex(
      (other) => ANNOTATION.test(other) && other.replace(ANNOTATION, '') === name,
    );
    return [{ name, at, typeAt: typeAt < 0 ? undefined : typeAt, isKey: keys.includes(name) }];
  });
}

// `Age@type` without a column `Age` is a column like all others.
const isAnnotation = (name: string, isColumn: (name: string) => boolean) =>
  ANNOTATION.test(name) && isColumn(name.replace(ANNOTATION, ''));

// Undefined, if the file does not say a type.
function typeOf(name: string, text: string): EdmTypes | undefined {
  const type = text.trim().replace(/^Edm\./, '');
  if (!type || type === 'Null') return undefined;
  if (Object.hasOwn(EDM_TYPES, type)) return type as EdmTypes;
  throw invalidInput(`The type of ${JSON.stringify(name)} is ${JSON.stringify(text)}.`);
}

function jsonRow(members: JsonMembers): FileRow {
  const row = new Map<string, Cell>();
  const isColumn = (name: string) => members.has(name);
  for (const [name, json] of members) {
    if (json === 'null' || name.endsWith('@odata.type')) continue;
    if (isAnnotation(name, isColumn)) continue;
    const annotation = members.get(`${name}@odata.type`) ?? members.get(`${name}@type`);
    const isText = annotation?.startsWith('"');
    const declared = isText ? typeOf(name, JSON.parse(annotation!) as string) : undefined;
    row.set(name, cellOf(json, declared));
  }
  return row;
}

// JSON tells texts from numbers, so the type of a text needs no inference.
function cellOf(json: string, declared: EdmTypes | undefined): Cell {
  if (/^[[{]/.test(json)) return { type: 'String', text: compactJson(json), isNested: true };
  if (json.startsWith('"')) {
    return { type: declared ?? 'String', text: JSON.parse(json) as string };
  }
  const plain = plainNumber(json);
  return { type: declared, text: json, ...(plain !== json && { plain }) };
}

// An integer of fewer digits is exact.
const LONG_INTEGER = /^-?\d{16,}$/;

// `1.50` is 1.5, and 12E4 is no code. What a number would lose stays as it is.
function plainNumber(json: string): string {
  if (!/\d/.test(json) || LONG_INTEGER.test(json) || !fitsDouble(json)) return json;
  const value = Number(json);
  return Object.is(value, -0) ? json : String(value);
}
