/**
 * Whole accounts as one file: {@link exportAll} writes an archive, {@link importAll} reads it.
 *
 * The grammar is in `ARCHITECTURE.md`, "Archives"; tables and entities are written and read by the
 * core.
 *
 * @module
 */

import type { Operation } from './core/frames.js';
import type { Session } from './core/session.js';
import { checkReadOnly, entityToJson } from './entity.js';
import { invalidInput, isTableError, TableError } from './errors.js';
import { importEntities } from './import.js';
import type { OperationOptions } from './models.js';
import { checkedOptions, OPERATION_OPTIONS } from './options.js';
import type { AbortSignalLike, ByteStream, OwnBytes, StreamLike } from './platform.js';
import { shown } from './shown.js';
import type { TableServiceClient } from './table-service-client.js';

const HEAD = '{"entitable":"archive","version":1}\n';
const NEW_LINE = 10;

/**
 * Returns all tables of an account with all their entities, as the bytes of an archive: JSON Lines
 * in UTF-8. {@link importAll} makes of it tables that equal these, timestamps and etags included.
 * They are read as fast as the stream is. Beyond the service.
 *
 * What others write meanwhile may be in it or not; each entity is as it was at one moment. A
 * stream that was read to its end is whole: its last line says how much there is.
 *
 * @example
 * ```ts
 * const file = await new Response(exportAll(account)).blob();
 * ```
 * @throws {@link TableError} `InvalidInput`, if the account is none or an option is unknown; from the
 * stream: `TableNotFound`, if a table is deleted while it is read; and what every call may throw.
 */
export function exportAll(account: TableServiceClient, options?: OperationOptions): ByteStream {
  const { abortSignal } = checkedOptions('exportAll', options, OPERATION_OPTIONS);
  const chunks = archiveOf(sessionOf('exportAll', account), abortSignal);
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

function sessionOf(owner: string, account: TableServiceClient): Session {
  const session = account?.session;
  if (session) return session;
  throw invalidInput(`The account of ${owner} must come from openAccount, not ${shown(account)}.`);
}

async function* archiveOf(
  session: Session,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<OwnBytes, undefined> {
  const encoder = new TextEncoder();
  let tables = 0;
  let entities = 0;
  yield encoder.encode(HEAD);
  // What the account itself is set to.
  for await (const lines of pagesOf(session, { kind: 'getServiceProperties' }, signal)) {
    if (lines.length > 0) yield lines;
  }
  for await (const lines of pagesOf(session, { kind: 'queryTables' }, signal)) {
    for (const ofTable of new TextDecoder().decode(lines).split(/^(?={"TableName")/m)) {
      if (!ofTable) continue;
      const { TableName: table } = JSON.parse(ofTable.split('\n', 1)[0]!) as { TableName: string };
      const pages = pagesOf(session, { kind: 'queryEntities', table }, signal);
      const first = await pages.next().catch(unlessGone);
      if (!first) continue;
      tables++;
      // With its access policies.
      yield encoder.encode(ofTable);
      for (let page = first; !page.done; page = await pages.next()) {
        entities += page.value.reduce((count, byte) => count + Number(byte === NEW_LINE), 0);
        if (page.value.length > 0) yield page.value;
      }
    }
  }
  yield encoder.encode(`${JSON.stringify({ tables, entities })}\n`);
  return undefined;
}

// A table that was deleted since the list was read.
function unlessGone(error: unknown): undefined {
  if (!(isTableError(error) && error.code === 'TableNotFound')) throw error;
}

// Each page as lines; the first of what anybody has stored.
async function* pagesOf(
  session: Session,
  operation: Operation,
  signal: AbortSignalLike | undefined,
): AsyncGenerator<OwnBytes, undefined> {
  let fresh = true;
  for (let position = {}; ; fresh = false) {
    let lines = new Uint8Array();
    const request = { ...operation, ...position, asLines: true, fresh };
    const answer = await session.request(request, signal, (body) => (lines = body.slice()));
    yield lines;
    const { nextPartitionKey, nextRowKey, nextTableName } = answer;
    if (nextPartitionKey === undefined && nextTableName === undefined) break;
    position = { nextPartitionKey, nextRowKey, nextTableName };
  }
  return undefined;
}

/** How far {@link importAll} is. */
export interface ArchiveProgress {
  /**
   * Lines of the archive that were read: one for each table, each entity, and each record of what
   * tables and the account are set to, and two more.
   */
  read: number;

  /** How many of them, from the first one on, are stored. */
  stored: number;
}

/** Options of {@link importAll}. */
export interface ImportAllOptions {
  /** Is called after each step that was stored, and at last when the import ends early. */
  onProgress?: ((progress: ArchiveProgress) => void) | undefined;

  /** Ends the import, as of `importEntities`. */
  abortSignal?: AbortSignalLike | undefined;
}

/** The bytes of an archive, in chunks that may be cut anywhere. */
export type ArchiveSource =
  StreamLike<Uint8Array> | Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Makes the tables of an archive, beside those that there are, in memory that does not grow with
 * it. Entities keep their timestamps and etags; later writes have later ones. Beyond the service.
 *
 * It is stored in steps. If it fails, the message begins with the line of the archive that was
 * the first not to be stored, and `details.line` says which it is: all tables and entities above
 * are there, and nothing else of it. To try again, delete those tables, or begin with an empty
 * account.
 *
 * @returns how many lines there were, once all are stored.
 * @throws {@link TableError} `TableAlreadyExists`; `InvalidInput`, if the source is not a whole
 * archive, the account is none or an option is unknown; what `createTable` and `createEntity` say of
 * their rules.
 */
export async function importAll(
  account: TableServiceClient,
  source: ArchiveSource,
  options?: ImportAllOptions,
): Promise<ArchiveProgress> {
  const kinds = { onProgress: 'function', abortSignal: 'signal' } as const;
  const { onProgress, abortSignal } = checkedOptions('importAll', options, kinds);
  const session = sessionOf('importAll', account);
  const forms = { toJson: entityToJson, checkReadOnly };
  const target = { session, table: '', ...forms, restores: true };
  try {
    return await importEntities(target, source, { onProgress, abortSignal });
  } catch (error) {
    throw withLine(error);
  }
}

// What an import calls the index of an entity is that of a line here.
function withLine(error: unknown): unknown {
  if (!isTableError(error) || error.details.stored === undefined) return error;
  const { code, message, details, cause } = error;
  const line = details.stored! + 1;
  const { storageKey, room } = details;
  const failed = new TableError(code, `Line ${line}: ${message}`, { storageKey, room, cause });
  Object.assign(failed.details, { line });
  return failed;
}
