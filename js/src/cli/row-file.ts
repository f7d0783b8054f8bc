/**
 * A file with rows, or standard input. It is read as often as needed.
 *
 * @module
 */

import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';
import process from 'node:process';

import {
  CsvRowReader,
  JsonRowReader,
  type FileRow,
  type OnRowFault,
  type RowReader,
} from '../transfer/file-rows.js';
import { isJson } from '../transfer/row-columns.js';

/** A row, and where it is. */
export interface PlacedRow {
  readonly row: FileRow;
  readonly file: RowFile;
  readonly line: number;
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
  #reader: RowReader | undefined;

  private constructor(path: string, kind: FileKind, input: readonly Uint8Array[] | undefined) {
    this.path = path;
    this.name = path === '-' ? 'stdin' : basename(path, extname(path));
    this.kind = kind;
    this.#input = input;
  }

  /** @throws the error of Node, if it cannot be read. */
  static async open(path: string): Promise<RowFile> {
    if (path !== '-') return new RowFile(path, await kindOf(createReadStream(path)), undefined);
    const input: Uint8Array[] = [];
    for await (const chunk of process.stdin) input.push(chunk as Uint8Array);
    return new RowFile(path, await kindOf(input), input);
  }

  /** The columns of its header, once it was read. */
  get columns(): readonly string[] {
    return this.#reader?.columns ?? [];
  }

  /** Its bytes, from the beginning. */
  bytes(): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
    return this.#input ?? createReadStream(this.path);
  }

  /**
   * Its rows, some at a time.
   *
   * @param onFault - takes the errors of malformed rows.
   * @throws an `Error`, if it is no text in UTF-8; {@link TableError} `InvalidInput`, if what comes
   * behind a place cannot be read.
   */
  async *rows(onFault: OnRowFault): AsyncGenerator<RowChunk> {
    const reader = this.kind === 'csv' ? new CsvRowReader(onFault) : new JsonRowReader(onFault);
    this.#reader = reader;
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const placed = (rows: readonly FileRow[], { length }: string): RowChunk => {
      const { lines } = reader;
      return { rows: rows.map((row, at) => ({ row, file: this, line: lines[at]! })), length };
    };
    for await (const chunk of this.bytes()) {
      const text = this.#decoded(decoder, chunk);
      yield placed(reader.push(text), text);
    }
    const text = this.#decoded(decoder);
    yield placed(reader.push(text), text);
    yield placed(reader.end(), '');
  }

  #decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Error(`${this.path} is no text in UTF-8`);
    }
  }
}

async function kindOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<FileKind> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length >= BEGINNING) break;
  }
  const text = bytes.subarray(0, BEGINNING).toString();
  if (text.startsWith('{"entitable":"archive"')) return 'archive';
  return isJson(text) ? 'json' : 'csv';
}
