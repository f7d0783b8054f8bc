/**
 * Archives: all tables of an account as JSON Lines. The grammar is in
 * `docs/internals/file-format.md`. The core writes and reads the lines.
 *
 * @module
 */

import { isTableError, TableError } from '../base/errors.js';
import type { AbortSignalLike, OwnBytes, StreamLike } from '../base/platform.js';
import { Slices } from '../base/slices.js';
import { textOfUtf8 } from '../base/utf8.js';
import type { AccountSession } from '../core/account-session.js';
import type { Operation } from '../core/frames.js';
import { positionOf, type PagePosition } from '../core/page-position.js';
import { ARCHIVE_HEAD, endLine } from '../formats/archive-lines.js';
import { importEntities } from './import.js';

const NEW_LINE = 10;

/** The chunks of an archive of all tables. */
export async function* archiveOf(
  session: AccountSession,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<OwnBytes, undefined> {
  const encoder = new TextEncoder();
  let tables = 0;
  let entities = 0;
  yield encoder.encode(ARCHIVE_HEAD);
  // Settings of the account.
  for await (const lines of pagesOf(session, { kind: 'getServiceProperties' }, signal)) {
    if (lines.length > 0) yield lines;
  }
  for await (const lines of pagesOf(session, { kind: 'queryTables' }, signal)) {
    for (const ofTable of textOfUtf8(lines).split(/^(?={"TableName")/m)) {
      if (!ofTable) continue;
      const { TableName: table } = JSON.parse(ofTable.split('\n', 1)[0]!) as { TableName: string };
      const pages = pagesOf(session, { kind: 'queryEntities', table }, signal);
      const first = await pages.next().catch(unlessGone);
      if (!first) continue;
      tables++;
      // The line of the table, with its access policies.
      yield encoder.encode(ofTable);
      for (let page = first; !page.done; page = await pages.next()) {
        entities += countOfLines(page.value);
        if (page.value.length > 0) yield page.value;
      }
    }
  }
  yield encoder.encode(endLine(tables, entities));
  return undefined;
}

// indexOf() is native. A loop over the bytes took a tenth of the time of an export.
function countOfLines(lines: Uint8Array): number {
  let count = 0;
  for (let at = lines.indexOf(NEW_LINE); at >= 0; at = lines.indexOf(NEW_LINE, at + 1)) count++;
  return count;
}

// The table was deleted since the list was read.
function unlessGone(error: unknown): undefined {
  if (!(isTableError(error) && error.code === 'TableNotFound')) throw error;
}

// Each page as lines. The first page is fresh: it has the writes of every account.
async function* pagesOf(
  session: AccountSession,
  operation: Operation,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<OwnBytes, undefined> {
  let fresh = true;
  const slices = new Slices();
  for (let position: PagePosition | undefined = {}; position; fresh = false) {
    await slices.turn();
    let lines = new Uint8Array();
    const request = { ...operation, ...position, asLines: true, fresh };
    const answer = await session.request(request, signal, (body) => (lines = body.slice()));
    yield lines;
    position = positionOf(answer);
  }
  return undefined;
}

/** The progress of {@link importAll}. */
export interface ArchiveProgress {
  /**
   * How many lines of the archive were read: one for each table, each entity and each setting, and
   * the first and the last line.
   */
  read: number;

  /** How many of them are stored, from the first one on. */
  stored: number;
}

/** Options of {@link importAll}. */
export interface ImportAllOptions {
  /** Called when more was read or stored, as in `importEntities`. */
  onProgress?: ((progress: ArchiveProgress) => void) | undefined;

  /** Ends the import, as in `importEntities`. */
  abortSignal?: AbortSignalLike | undefined;
}

/** The bytes of an archive, in chunks of any size. */
export type ArchiveSource =
  StreamLike<Uint8Array> | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** See `importAll()`. */
export async function importArchive(
  session: AccountSession,
  source: ArchiveSource,
  options: ImportAllOptions,
): Promise<ArchiveProgress> {
  try {
    return await importEntities({ session, table: '', restores: true }, source, options);
  } catch (error) {
    throw withLine(error);
  }
}

// The index of an entity, in the error of an import, is the index of a line here.
function withLine(error: unknown): unknown {
  if (!isTableError(error) || error.details.stored === undefined) return error;
  const { code, message, details, cause } = error;
  const line = details.stored! + 1;
  const { storageKey, room, partitionKey, rowKey } = details;
  const known = { line, storageKey, room, partitionKey, rowKey, cause };
  return new TableError(code, `Line ${line}: ${message}`, known);
}
