/**
 * A file with rows, or standard input. It is read as often as needed.
 *
 * @module
 */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import process from 'node:process';

import type { TableError } from '../../base/errors.js';
import type { FileRow } from '../../formats/cell.js';
import {
  CsvRowReader,
  JsonRowReader,
  type CsvOptions,
  type OnRowFault,
  type RowReader,
} from '../../formats/file-rows.js';
import { noTableText } from '../../formats/no-table.js';
import type { FileChoices, FileReading } from '../../formats/reading.js';
import { isJson } from '../../formats/row-columns.js';
import { failureText } from '../../server/failure-text.js';
import { ENCODINGS, EncodingGuess, type Encoding } from '../../formats/text-encoding.js';

/** A row, and where it is. */
export interface PlacedRow extends RowPlace {
  readonly row: FileRow;
}

/** Where a row is. */
export interface RowPlace {
  readonly file: RowFile;
  readonly line: number;
  /** Among the rows of the file, from 1 on. */
  readonly number: number;
}

/** Rows that were read together. */
export interface RowChunk {
  readonly rows: readonly PlacedRow[];
  /** In UTF-16 units: how much text was read for them. */
  readonly length: number;
}

/** What a file has. */
export type FileKind = 'csv' | 'json' | 'archive';

// The beginning of a file shows its kind. The first line of an archive is shorter.
const BEGINNING = 1024;

/** A file, whose kind is known. */
export class RowFile {
  /** The name of the file without its folder and its ending. */
  readonly name: string;
  readonly kind: FileKind;
  /** As the command line has it. */
  readonly path: string;
  // Standard input comes once, so it is in memory.
  readonly #input: readonly Uint8Array[] | undefined;
  readonly #encoding: Encoding;
  readonly #options: CsvOptions;
  #reader: RowReader | undefined;
  #sharesLines = false;

  private constructor(
    path: string,
    { kind, encoding }: { readonly kind: FileKind; readonly encoding: Encoding },
    input: readonly Uint8Array[] | undefined,
    options: CsvOptions,
  ) {
    this.path = path;
    this.name = path === '-' ? 'stdin' : basename(path, extname(path));
    this.kind = kind;
    this.#encoding = encoding;
    this.#input = input;
    this.#options = options;
  }

  /**
   * @throws the error of Node, if it cannot be read; an `Error`, if it cannot have rows.
   */
  static async open(path: string, choices: FileChoices = {}): Promise<RowFile> {
    const options = { ...choices };
    let input: Uint8Array[] | undefined;
    if (path !== '-' && (await stat(path)).isDirectory()) throw new Error(`${path} is a folder`);
    if (path === '-') {
      input = [];
      for await (const chunk of process.stdin) input.push(chunk as Uint8Array);
    }
    const bytes = () => input ?? createReadStream(path);
    const encoding = options.encoding ?? (await encodingOf(path, bytes()));
    const [beginning, isWhole] = await beginningOf(bytes(), encoding);
    const strange = noTableText(path, beginning, isWhole);
    if (strange) throw new Error(`${path} ${strange}`);
    const kind = kindOf(beginning);
    return new RowFile(path, { kind, encoding }, input, options);
  }

  /** How it is read, once it was read. */
  get reading(): FileReading {
    return { encoding: this.#encoding, form: this.#reader?.form };
  }

  /** The columns of its header, once it was read. */
  get columns(): readonly string[] {
    return this.#reader?.columns ?? [];
  }

  /** Whether several rows begin on one line, once it was read: lines do not tell them apart. */
  get sharesLines(): boolean {
    return this.#sharesLines;
  }

  /** Its bytes, from the beginning. */
  bytes(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
    return this.#input ?? createReadStream(this.path);
  }

  /**
   * Its rows, some at a time.
   *
   * @param onFault - takes the errors of malformed rows, and where they are.
   * @throws an `Error` with the name of the file, if it is no text in its encoding, or what comes
   * behind a place cannot be read.
   */
  async *rows(onFault: (error: TableError, place: RowPlace) => void): AsyncGenerator<RowChunk> {
    const onBadRow: OnRowFault = (error, line, number) => {
      onFault(error, { file: this, line, number });
    };
    const reader: RowReader =
      this.kind === 'csv' ? new CsvRowReader(onBadRow, this.#options) : new JsonRowReader(onBadRow);
    this.#reader = reader;
    const decoder = new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true });
    const chunkOf = (rows: readonly FileRow[], { length }: string): RowChunk => {
      const { lines, numbers } = reader;
      const placed = rows.map((row, at) => {
        return { row, file: this, line: lines[at]!, number: numbers[at]! };
      });
      return { rows: placed, length };
    };
    const push = (text: string) =>
      chunkOf(
        this.#named(() => reader.push(text)),
        text,
      );
    for await (const chunk of this.bytes()) yield push(this.#decoded(decoder, chunk));
    yield push(this.#decoded(decoder));
    yield chunkOf(
      this.#named(() => reader.end()),
      '',
    );
    this.#sharesLines = reader.sharesLines ?? false;
  }

  // Several files may be read, so an error that ends the import has the name of its file.
  #named<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw new Error(`${this.path}: ${failureText(error)}`, { cause: error });
    }
  }

  #decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Error(`${this.path} is no text in ${this.#encoding}`);
    }
  }
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

async function encodingOf(path: string, chunks: Chunks): Promise<Encoding> {
  const guess = new EncodingGuess();
  for await (const chunk of chunks) guess.add(chunk);
  const { encoding } = guess;
  if (encoding) return encoding;
  throw new Error(`${path} is no text in one of ${ENCODINGS.join(', ')}`);
}

async function beginningOf(
  chunks: Chunks,
  encoding: Encoding,
): Promise<[text: string, isWhole: boolean]> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= BEGINNING) break;
  }
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, BEGINNING));
  return [text, bytes.length < BEGINNING];
}

function kindOf(text: string): FileKind {
  if (text.startsWith('{"entitable":"archive"')) return 'archive';
  return isJson(text) ? 'json' : 'csv';
}
