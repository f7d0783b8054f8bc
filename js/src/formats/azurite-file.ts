/**
 * Reads the file with the tables of the emulator Azurite: `__azurite_db_table__.json`, a database
 * of LokiJS.
 *
 * @module
 */

import { ARCHIVE_HEAD, endLine, tableLine } from './archive-lines.js';

/** A file that cannot be imported; the message says why. */
export class AzuriteFileError extends Error {
  override readonly name = 'AzuriteFileError';
}

/** A table of an account of the emulator. */
export interface AzuriteTable {
  readonly name: string;
  readonly entities: readonly AzuriteEntity[];
}

/** An entity in the file of the emulator. */
export interface AzuriteEntity {
  readonly PartitionKey: string;
  readonly RowKey: string;
  /** With seven digits of a second. */
  readonly lastModifiedTime: string;
  /** With an annotation for each value that is neither text, Boolean nor number. */
  readonly properties: Readonly<Record<string, unknown>>;
}

interface Collection {
  readonly name: string;
  readonly data: readonly object[];
}

const TABLES = '$TABLES_COLLECTION$';

/**
 * Finds the tables of an account, in the order of their names.
 *
 * @param text - the contents of the file.
 * @returns the tables, and the names of the other accounts that have tables.
 * @throws {@link AzuriteFileError}
 */
export function readAzuriteFile(
  text: string,
  account: string,
): { readonly tables: AzuriteTable[]; readonly otherAccounts: string[] } {
  const collections = collectionsOf(text);
  const rows = collections.find(({ name }) => name === TABLES)?.data as
    { account: string; table: string }[] | undefined;
  if (!rows) throw new AzuriteFileError('it has no list of tables');
  const others = rows.filter((row) => row.account !== account).map((row) => row.account);
  const tables = rows
    .filter((row) => row.account === account)
    .map(({ table }) => ({ name: table, entities: entitiesOf(collections, account, table) }));
  return {
    tables: tables.sort((a, b) => order(a.name.toLowerCase(), b.name.toLowerCase())),
    otherAccounts: [...new Set(others)].sort(order),
  };
}

/** Writes the tables as the lines of an archive: see `docs/internals/file-format.md`. */
export function* archiveLines(tables: readonly AzuriteTable[]): Generator<string> {
  let entities = 0;
  yield ARCHIVE_HEAD;
  for (const table of tables) {
    yield tableLine(table.name);
    for (const entity of table.entities) {
      entities++;
      yield `${entityJson(entity)}\n`;
    }
  }
  yield endLine(tables.length, entities);
}

/** An entity as JSON of the service. */
export const entityJson = (entity: AzuriteEntity): string => JSON.stringify(entityOf(entity));

/** The lines of the tables in such an archive, from 1 on. */
export function tableLines(tables: readonly AzuriteTable[]): number[] {
  // The head is line 1.
  let next = 2;
  return tables.map(({ entities }) => {
    const line = next;
    next += 1 + entities.length;
    return line;
  });
}

function collectionsOf(text: string): readonly Collection[] {
  let database: { collections?: unknown } | null;
  try {
    database = JSON.parse(text) as typeof database;
  } catch {
    throw new AzuriteFileError('it is not JSON; was the emulator still writing it?');
  }
  if (!Array.isArray(database?.collections)) {
    throw new AzuriteFileError('it is no database of LokiJS');
  }
  return database.collections as Collection[];
}

function entitiesOf(
  collections: readonly Collection[],
  account: string,
  table: string,
): AzuriteEntity[] {
  // Older versions have the name in lower case.
  const names = [`${account}$${table}`, `${account}$${table.toLowerCase()}`];
  const found = collections.find(({ name }) => names.includes(name));
  if (!found) throw new AzuriteFileError(`it has no entities of table ${table}`);
  const entities = [...found.data] as AzuriteEntity[];
  return entities.sort(
    (a, b) => order(a.PartitionKey, b.PartitionKey) || order(a.RowKey, b.RowKey),
  );
}

// By UTF-16 units.
const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));

// Some entities repeat the keys and the time in the properties, as the client sent them.
function entityOf({ PartitionKey, RowKey, lastModifiedTime, properties }: AzuriteEntity): object {
  const own = Object.entries(properties)
    .filter(([name, value]) => value !== null && !SYSTEM.includes(name.replace(/@.*/, '')))
    .map(([name, value]): [string, unknown] => [
      name,
      properties[`${name}@odata.type`] === 'Edm.Guid' ? guidOf(value) : value,
    ]);
  return { PartitionKey, RowKey, Timestamp: lastModifiedTime, ...Object.fromEntries(own) };
}

// Azurite stores a GUID as the Base64 of its text; older versions stored the text itself.
const guidOf = (value: unknown) =>
  typeof value === 'string' && BASE64.test(value) ? atob(value) : value;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+$/;

const SYSTEM = ['PartitionKey', 'RowKey', 'Timestamp', 'odata.etag'];
