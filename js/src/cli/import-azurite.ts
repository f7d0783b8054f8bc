/**
 * Imports the tables of the emulator before an account is served.
 *
 * @module
 */

import { readFile } from 'node:fs/promises';

import { importAll } from '../archive.js';
import { isTableError, type TableError } from '../base/errors.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import {
  archiveLines,
  AzuriteFileError,
  readAzuriteFile,
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
  try {
    await importAll(account, chunksOf(archiveLines(tables)));
  } catch (error) {
    for (const { name } of tables) await account.deleteTable(name);
    const { details, code } = error as TableError;
    if (!isTableError(error) || details.line === undefined) throw error;
    const reason = error.message.replace(/^Line \d+: /, '');
    throw new AzuriteFileError(
      `${placeOf(tables, details.line)} is refused with ${code}: ${reason}`,
    );
  }
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

// The place of a line of the archive in the file. The head is the first line.
function placeOf(tables: readonly AzuriteTable[], line: number): string {
  let left = line - 2;
  for (const { name, entities } of tables) {
    if (left === 0) return `table ${name}`;
    const entity = entities[left - 1];
    if (entity) return `entity ('${entity.PartitionKey}', '${entity.RowKey}') of table ${name}`;
    left -= 1 + entities.length;
  }
  return `line ${line}`;
}
