/**
 * A file with all tables of an account: an archive, or the file of the emulator Azurite.
 *
 * @module
 */

import type { ArchiveSource } from 'entitable/archive';

import { archiveLines, readAzuriteFile, tableLines } from '../../../js/src/formats/azurite-file.js';
import { newerArchiveText } from '../../../js/src/formats/no-table.js';
import { Pace } from '../pace.js';

export interface TableSummary {
  readonly name: string;
  readonly entities: number;
  /** Its line in the archive, from 1 on. */
  readonly line: number;
}

export interface AccountFile {
  readonly name: string;
  readonly tables: readonly TableSummary[];
  /** Whether its last line is missing. */
  readonly isCut: boolean;
  /** The bytes of an archive. */
  bytes(): ArchiveSource;
}

const ARCHIVE = /^\s*\{"entitable":"archive"/;
const AZURITE = /^\s*\{"filename":"[^"]*__azurite_db_table/;
const DEFAULT_ACCOUNT = 'devstoreaccount1';

/**
 * Reads which tables the file has.
 *
 * @returns undefined, if it has rows instead of tables.
 * @throws an Error, if it is malformed.
 */
export async function openAccountFile(file: File): Promise<AccountFile | undefined> {
  const beginning = await file.slice(0, 1024).text();
  if (ARCHIVE.test(beginning)) {
    const newer = newerArchiveText(beginning);
    if (newer) throw new Error(`It ${newer}.`);
    const found = await readArchive(file);
    return { name: file.name, ...found, bytes: () => file.stream() };
  }
  return AZURITE.test(beginning) ? openAzurite(file) : undefined;
}

// Each table has a line, and each of its entities a line below. The last line has their numbers.
async function readArchive(file: File): Promise<Pick<AccountFile, 'tables' | 'isCut'>> {
  const tables: { name: string; entities: number; line: number }[] = [];
  let lines = 0;
  let isCut = true;
  const pace = new Pace();
  for await (const line of linesOf(file)) {
    // An import passes over white space between lines.
    if (line.trim()) {
      lines++;
      isCut = !line.startsWith('{"tables":');
    }
    if (line.startsWith('{"TableName":')) {
      const { TableName: name } = JSON.parse(line) as { TableName: string };
      tables.push({ name, entities: 0, line: lines });
    } else if (line.startsWith('{"PartitionKey":') && tables.length > 0) {
      tables.at(-1)!.entities++;
    }
    await pace.turn();
  }
  return { tables, isCut };
}

async function* linesOf(file: File): AsyncGenerator<string> {
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
  if (rest) yield rest;
}

// The emulator has one account, unless it was told of others.
async function openAzurite(file: File): Promise<AccountFile> {
  const text = await file.text();
  const ofDefault = readAzuriteFile(text, DEFAULT_ACCOUNT);
  const [other] = ofDefault.otherAccounts;
  const isOther = ofDefault.tables.length === 0 && other !== undefined;
  const { tables } = isOther ? readAzuriteFile(text, other) : ofDefault;
  const lines = tableLines(tables);
  return {
    name: file.name,
    tables: tables.map(({ name, entities }, at) => ({
      ...{ name, entities: entities.length },
      line: lines[at]!,
    })),
    isCut: false,
    bytes: () => encoded(archiveLines(tables)),
  };
}

function* encoded(lines: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const line of lines) yield encoder.encode(line);
}
