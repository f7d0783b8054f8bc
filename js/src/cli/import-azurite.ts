/**
 * Imports the tables of the emulator before an account is served.
 *
 * @module
 */

import { readFile } from 'node:fs/promises';

import { importAll, type ArchiveProgress } from '../archive.js';
import { isTableError, type TableError } from '../base/errors.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import {
  archiveLines,
  AzuriteFileError,
  readAzuriteFile,
  tableLines,
  type AzuriteTable,
} from './azurite-file.js';

/**
 * Creates all tables that the file has for an account, with their timestamps: all of them or none.
 *
 * @param name - the name of the account, the same in the file and here.
 * @param print - takes a line about what was imported, and what was left out.
 * @throws {@link AzuriteFileError}, with the name of the file and the reason.
 */
export async function importAzurite(
  account: TableServiceClient,
  { file, name }: { readonly file: string; readonly name: string },
  print: (line: string) => void,
): Promise<void> {
  try {
    const text = await readFile(file, 'utf8');
    const { tables, otherAccounts } = readAzuriteFile(text, name);
    await refuseToMix(account, tables);
    await importTables(account, tables);
    const entities = tables.reduce((sum, table) => sum + table.entities.length, 0);
    print(`imported ${entities} entities in ${tables.length} tables from ${file}`);
    if (otherAccounts.length > 0) print(`left out the tables of ${otherAccounts.join(', ')}`);
  } catch (error) {
    const { message } = error as Error;
    throw new AzuriteFileError(`${file} cannot be imported: ${message}`);
  }
}

// Nothing is overwritten. A server that restarts with the same command line is refused, too.
async function refuseToMix(
  account: TableServiceClient,
  tables: readonly AzuriteTable[],
): Promise<void> {
  const names = new Set(tables.map(({ name }) => name.toLowerCase()));
  for await (const { name = '' } of account.listTables()) {
    if (names.has(name.toLowerCase())) {
      throw new AzuriteFileError(`the account has a table ${name} already`);
    }
  }
}

async function importTables(
  account: TableServiceClient,
  tables: readonly AzuriteTable[],
): Promise<void> {
  let stored = 0;
  const onProgress = (progress: ArchiveProgress) => void (stored = progress.stored);
  try {
    await importAll(account, chunksOf(archiveLines(tables)), { onProgress });
  } catch (error) {
    const { details, code } = error as TableError;
    const line = isTableError(error) ? details.line : undefined;
    await deleteTables(account, tables, line === undefined ? stored : line - 1);
    if (!isTableError(error) || line === undefined) throw error;
    const reason = error.message.replace(/^Line \d+: /, '');
    throw new AzuriteFileError(`${placeOf(tables, line)} is refused with ${code}: ${reason}`);
  }
}

// Deletes what the import has created: the tables of the lines that are stored. Another process may
// have just created one of the others.
async function deleteTables(
  account: TableServiceClient,
  tables: readonly AzuriteTable[],
  stored: number,
): Promise<void> {
  const lines = tableLines(tables);
  const created = tables.filter((_, at) => lines[at]! <= stored);
  for (const { name } of created) await account.deleteTable(name);
}

const CHUNK_CHARACTERS = 65_536;

function* chunksOf(lines: Iterable<string>): Generator<Uint8Array> {
  const encoder = new TextEncoder();
  let text = '';
  for (const line of lines) {
    text += line;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield encoder.encode(text);
    text = '';
  }
  yield encoder.encode(text);
}

// The place of a line of the archive in the file.
function placeOf(tables: readonly AzuriteTable[], line: number): string {
  const lines = tableLines(tables);
  const at = lines.findLastIndex((first) => first <= line);
  const table = tables[at];
  if (!table) return `line ${line}`;
  if (line === lines[at]) return `table ${table.name}`;
  const entity = table.entities[line - lines[at]! - 1];
  if (!entity) return `line ${line}`;
  return `entity ('${entity.PartitionKey}', '${entity.RowKey}') of table ${table.name}`;
}
