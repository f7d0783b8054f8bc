/**
 * A file with rows: CSV, a JSON array, or JSON Lines. It is read as often as needed, and is never
 * in memory as a whole.
 *
 * @module
 */

import type { TableError } from 'entitable';

import type { FileRow } from '../../../js/src/formats/cell.js';
import { CsvRowReader, JsonRowReader, type RowReader } from '../../../js/src/formats/file-rows.js';
import { noTableText } from '../../../js/src/formats/no-table.js';
import type { FileChoices, FileReading } from '../../../js/src/formats/reading.js';
import { isJson } from '../../../js/src/formats/row-columns.js';
import { EncodingGuess, type Encoding } from '../../../js/src/formats/text-encoding.js';
import { Pace } from '../pace.js';

/** In characters: some hundred rows, which are checked or stored without a pause. */
const CHUNK_LENGTH = 32 * 1024;

// In bytes: it shows the kind of a file.
const BEGINNING = 1024;

/** A row, or why it cannot be read. */
export type RowOrFault = FileRow | TableError;

export class RowFile {
  readonly #file: Blob;
  readonly name: string;
  readonly size: number;
  readonly kind: 'CSV' | 'JSON';
  readonly #encoding: Encoding;
  readonly #choices: FileChoices;
  #reader: RowReader | undefined;

  private constructor(
    file: File,
    { kind, encoding }: { readonly kind: RowFile['kind']; readonly encoding: Encoding },
    choices: FileChoices,
  ) {
    this.#file = file;
    this.name = file.name;
    this.size = file.size;
    this.kind = kind;
    this.#encoding = encoding;
    this.#choices = choices;
  }

  /** How it is read, once it was read. */
  get reading(): FileReading {
    return { encoding: this.#encoding, form: this.#reader?.form };
  }

  /** The columns of its header, once it was read. */
  get columns(): readonly string[] {
    return this.#reader?.columns ?? [];
  }

  /**
   * Looks at the first character, because the names of files differ.
   *
   * @throws an Error, if the file cannot have rows.
   */
  static async open(file: File, choices: FileChoices): Promise<RowFile> {
    const encoding = choices.encoding ?? (await encodingOf(file));
    const bytes = await file.slice(0, BEGINNING).arrayBuffer();
    const beginning = new TextDecoder(encoding).decode(bytes);
    const strange = noTableText(file.name, beginning, file.size <= BEGINNING);
    if (strange) throw new Error(`${file.name} ${strange}.`);
    const kind = isJson(beginning) ? 'JSON' : 'CSV';
    return new RowFile(file, { kind, encoding }, choices);
  }

  /**
   * Reads the rows in their order, some at a time, and gives the browser a turn in between.
   *
   * @throws the reason of the signal; a TableError, if the file is malformed.
   */
  async *batches(signal: AbortSignal): AsyncGenerator<readonly RowOrFault[]> {
    const faults: Placed[] = [];
    const onFault = (row: TableError, _: number, number: number) =>
      void faults.push({ row, number });
    const reader =
      this.kind === 'CSV' ? new CsvRowReader(onFault, this.#choices) : new JsonRowReader(onFault);
    this.#reader = reader;
    const decoder = new TextDecoder(this.#encoding, { fatal: true, ignoreBOM: true });
    const stream = this.#file.stream().getReader();
    const pace = new Pace();
    try {
      for (;;) {
        const { done, value } = await stream.read();
        const text = this.#decode(decoder, value);
        for (let at = 0; at < text.length; at += CHUNK_LENGTH) {
          await pace.turn();
          signal.throwIfAborted();
          const rows = reader.push(text.slice(at, at + CHUNK_LENGTH));
          yield inOrder(rows, reader.numbers, faults.splice(0));
        }
        if (done) break;
      }
      yield inOrder(reader.end(), reader.numbers, faults.splice(0));
    } finally {
      await stream.cancel();
    }
  }

  #decode(decoder: TextDecoder, bytes: Uint8Array | undefined): string {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
    } catch {
      throw new Error(`${this.name} is no text in ${this.#encoding}.`);
    }
  }
}

interface Placed {
  readonly row: RowOrFault;
  readonly number: number;
}

function inOrder(
  rows: readonly FileRow[],
  numbers: readonly number[],
  faults: readonly Placed[],
): readonly RowOrFault[] {
  if (faults.length === 0) return rows;
  const all = [...rows.map((row, at): Placed => ({ row, number: numbers[at]! })), ...faults];
  return all.sort((a, b) => a.number - b.number).map(({ row }) => row);
}

const noText = (name: string) =>
  new Error(
    `${name} is no text in UTF-8, UTF-16 or Windows-1252. Save it as UTF-8, and try again.`,
  );

async function encodingOf(file: File): Promise<Encoding> {
  const guess = new EncodingGuess();
  const stream = file.stream().getReader();
  for (;;) {
    const { done, value } = await stream.read();
    if (done) break;
    guess.add(value);
  }
  if (!guess.encoding) throw noText(file.name);
  return guess.encoding;
}
