/**
 * Copies entities of an account behind the REST API into the memory of the page, through an
 * archive, which keeps their Timestamps, and so the etags that Azure Storage makes of them. It is
 * loaded with the first copy.
 *
 * @module
 */

import { openAccount, TableError, type TableClient } from 'entitable';
import { importAll } from 'entitable/archive';
import { memoryStorage } from 'entitable/storage/memory';

import { ARCHIVE_HEAD, endLine, tableLine } from '../../../js/src/formats/archive-lines.js';
import { displaySize } from '../display.js';
import type { LoadOptions } from '../load-progress.js';
import { toTypedEntity, type TypedEntity, type TypedValue } from '../typed-entity.js';
import { addCopy, type TableCopy } from './table-copy.js';

// What a page can hold beside the rest of it: many millions of small entities.
const MOST_BYTES = 500_000_000;

// The most that the service returns.
const PAGE_SIZE = 1000;

export interface CopyOptions extends LoadOptions {
  readonly mostBytes?: number;
}

/**
 * @param filter - selects the entities; all of them, if it is empty.
 * @throws the error of the service, or an Error for people, if the copy has no room.
 */
export async function copyTable(
  source: TableClient,
  filter: string,
  { signal, onProgress, mostBytes = MOST_BYTES }: CopyOptions,
): Promise<TableCopy> {
  const readAt = new Date();
  const start = performance.now();
  const storage = memoryStorage({ maxBytes: mostBytes });
  const account = await openAccount({ storage, developmentWarnings: false });
  let count = 0;
  // The import would add a line of the archive to an error of the service.
  let failure: unknown;
  async function* read(): AsyncGenerator<TypedEntity[]> {
    const list = { filter, disableTypeConversion: true, abortSignal: signal } as const;
    try {
      for await (const page of source.listEntities(list).byPage({ maxPageSize: PAGE_SIZE })) {
        yield Array.from(page, toTypedEntity);
        count += page.length;
        onProgress({ loaded: count, milliseconds: performance.now() - start });
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  }
  try {
    await importAll(account, archiveOf(source.tableName, read()), { abortSignal: signal });
  } catch (error) {
    await account.close();
    throw failure ?? explained(error, mostBytes);
  }
  const table = account.tableClient(source.tableName);
  const copy = { table, source, filter, count, readAt, close: () => account.close() };
  addCopy(copy);
  return copy;
}

async function* archiveOf(
  table: string,
  pages: AsyncIterable<readonly TypedEntity[]>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let entities = 0;
  yield encoder.encode(ARCHIVE_HEAD + tableLine(table));
  for await (const page of pages) {
    entities += page.length;
    yield encoder.encode(page.map(lineOf).join(''));
  }
  yield encoder.encode(endLine(1, entities));
}

function lineOf({ partitionKey, rowKey, timestamp, properties }: TypedEntity): string {
  const system = { PartitionKey: partitionKey, RowKey: rowKey, Timestamp: timestamp };
  // Cosmos DB may answer with null, which is no value.
  const own = Array.from(properties, ([name, value]) => value && memberOf(name, value));
  return `${[JSON.stringify(system).slice(0, -1), ...own.filter(Boolean)].join(',')}}\n`;
}

// Types whose values JSON writes without quotes. These and texts need no annotation.
const LITERALS = ['Boolean', 'Int32'];

function memberOf(given: string, { type, value }: TypedValue): string {
  // The API writes `$timestamp` for an ordinary property called timestamp. The archive has no `$`.
  const name = given.replace(/^\$/, '');
  const isLiteral = LITERALS.includes(type) || isFiniteDouble(type, value);
  const member = `${JSON.stringify(name)}:${isLiteral ? value : JSON.stringify(value)}`;
  if (type === 'String' || LITERALS.includes(type)) return member;
  return `${JSON.stringify(`${name}@odata.type`)}:"Edm.${type}",${member}`;
}

// NaN and infinities are texts in JSON.
function isFiniteDouble(type: string, value: string): boolean {
  return type === 'Double' && Number.isFinite(Number(value));
}

function explained(error: unknown, mostBytes: number): unknown {
  const isFull =
    (error instanceof TableError && error.code === 'StorageQuotaExceeded') ||
    [error, (error as Error).cause].some((one) => one instanceof RangeError);
  if (!isFull) return error;
  return new Error(
    `The copy has no room in the memory of this page, which holds up to ${displaySize(mostBytes)}. ` +
      'Select fewer entities by a filter, and copy those.',
  );
}
