/**
 * Imports the tables of the emulator before an account is served.
 *
 * @module
 */

import { readFile } from 'node:fs/promises';

import { importAll, type ArchiveProgress } from '../../archive.js';
import { isTableError, type TableError } from '../../base/errors.js';
import { nameOf } from '../../base/issue.js';
import type { TableServiceClient } from '../../client/table-service-client.js';
import {
  archiveLines,
  AzuriteFileError,
  entityJson,
  readAzuriteFile,
  tableLines,
  type AzuriteTable,
} from '../../formats/azurite-file.js';

/** What to import. */
export interface AzuriteImport {
  readonly file: string;
  /** The name of the account, the same in the file and here. */
  readonly name: string;
  /** Takes a line about what was imported, and what was passed over. */
  readonly onNotice: (line: string) => void;
  /** Takes a line about what somebody should see to. */
  readonly onWarning: (line: string) => void;
}

/**
 * Creates the tables that the file has for an account, with their timestamps, except those that
 * exist: so a server may start again with the same command line. Entities that the service would
 * refuse are left out, each with a warning.
 *
 * @throws {@link AzuriteFileError}, with the name of the file and the reason; also after the rest
 * is stored, if an entity was left out.
 */
export async function importAzurite(
  account: TableServiceClient,
  options: AzuriteImport,
): Promise<void> {
  const given = { ...options };
  const { file, name, onNotice, onWarning } = given;
  try {
    const text = await readFile(file, 'utf8');
    const { tables, otherAccounts } = readAzuriteFile(text, name);
    if (tables.length === 0) onWarning(`${file} has no tables of ${name}`);
    if (otherAccounts.length > 0) {
      onNotice(`left out the tables of ${otherAccounts.join(', ')}`);
    }
    await importNew(account, tables, given);
  } catch (error) {
    const { message } = error as Error;
    throw new AzuriteFileError(`${file} cannot be imported: ${message}`);
  }
}

// It exists while tables are imported. A process that was killed meanwhile leaves it behind, and
// tables whose entities may be incomplete.
const UNFINISHED = 'AzuriteImportUnfinished';

async function importNew(
  account: TableServiceClient,
  tables: readonly AzuriteTable[],
  { file, onNotice, onWarning }: AzuriteImport,
): Promise<void> {
  const existing = await namesIn(account);
  const isThere = ({ name }: AzuriteTable) => existing.has(name.toLowerCase());
  const [old, fresh] = [tables.filter(isThere), tables.filter((table) => !isThere(table))];
  if (existing.has(UNFINISHED.toLowerCase())) throw cutOff(old);
  if (old.length > 0) onNotice(`left ${namesOf(old)} alone: ${they(old)} already`);
  if (fresh.length === 0) return;
  const { valid, refused } = sorted(account, fresh);
  await account.createTable(UNFINISHED);
  try {
    await importTables(account, valid);
  } finally {
    await account.deleteTable(UNFINISHED);
  }
  for (const line of refused) onWarning(line);
  const entities = valid.reduce((sum, table) => sum + table.entities.length, 0);
  onNotice(`imported ${entities} entities in ${valid.length} tables from ${file}`);
  if (refused.length > 0) {
    throw new AzuriteFileError(
      `${refused.length} of its entities were left out, because the service would refuse them; all ` +
        'others are stored, and served at the next start',
    );
  }
}

async function namesIn(account: TableServiceClient): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const { name = '' } of account.listTables()) names.add(name.toLowerCase());
  return names;
}

const namesOf = (tables: readonly AzuriteTable[]) =>
  `the table${tables.length === 1 ? '' : 's'} ${tables.map(({ name }) => name).join(', ')}`;

const they = ({ length }: readonly AzuriteTable[]) => (length === 1 ? 'it exists' : 'they exist');

const cutOff = (tables: readonly AzuriteTable[]) =>
  new AzuriteFileError(
    `an earlier import was cut off: delete the table ${UNFINISHED}` +
      (tables.length === 0 ? '' : `, and ${namesOf(tables)}, which may be incomplete`),
  );

// The tables with the entities that can be stored, and a line for each of the others.
function sorted(
  { validator }: TableServiceClient,
  tables: readonly AzuriteTable[],
): { readonly valid: AzuriteTable[]; readonly refused: string[] } {
  const refused: string[] = [];
  const valid = tables.map((table) => ({
    ...table,
    entities: table.entities.filter((entity) => {
      const [first] = validator.issuesOfJson(entityJson(entity));
      if (!first) return true;
      const { PartitionKey, RowKey } = entity;
      const name = nameOf(first);
      const property = name === undefined ? '' : `, property ${name}`;
      refused.push(
        `left out entity ('${PartitionKey}', '${RowKey}') of table ${table.name}${property}: ` +
          `${first.code}: ${first.message}`,
      );
      return false;
    }),
  }));
  return { valid, refused };
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
