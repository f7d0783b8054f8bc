/**
 * Whole accounts as one file: {@link exportAll} writes an archive, {@link importAll} reads it.
 *
 * @module
 */

import type { OperationOptions } from './base/call-options.js';
import { invalidInput, withCallOf } from './base/errors.js';
import { checkedOptions, OPERATION_OPTIONS } from './base/options.js';
import type { ByteStream } from './base/platform.js';
import { shown } from './base/shown.js';
import type { TableServiceClient } from './client/table-service-client.js';
import type { AccountSession } from './core/account-session.js';
import {
  archiveOf,
  importArchive,
  type ArchiveProgress,
  type ArchiveSource,
  type ImportAllOptions,
} from './transfer/archive.js';

export type { ArchiveProgress, ArchiveSource, ImportAllOptions } from './transfer/archive.js';

/**
 * Returns all tables of an account with all their entities, as the bytes of an archive: JSON Lines
 * in UTF-8. {@link importAll} makes equal tables of it, with the same timestamps and etags. The
 * archive is read as fast as the stream is. Beyond the service.
 *
 * The archive may have writes that come while it is read; each entity is as it was at one moment. A
 * stream that was read to its end is complete: its last line has the numbers of tables and
 * entities.
 *
 * @example
 * ```ts
 * const file = await new Response(exportAll(account)).blob();
 * ```
 * @throws {@link TableError} `InvalidInput`, if the account does not come from `openAccount` or an
 * option is unknown; from the stream: `TableNotFound`, if a table is deleted while it is read; and
 * the errors of every call.
 */
export function exportAll(account: TableServiceClient, options?: OperationOptions): ByteStream {
  const { abortSignal } = checkedOptions('exportAll', options, OPERATION_OPTIONS);
  const chunks = archiveOf(sessionOf('exportAll', account), abortSignal);
  const call = new Error();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next().catch((error: unknown) => {
          throw withCallOf(call, error);
        });
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await chunks.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Creates the tables of an archive, beside existing tables. Its memory does not grow with the
 * archive. Entities keep their timestamps and etags; later writes have later ones. Beyond the
 * service.
 *
 * The archive is stored in steps. After a failure, all tables and entities above one line are
 * stored, and nothing else of the archive. The message begins with that line, and `details.line`
 * has its number. To try again, delete those tables, or begin with an empty account.
 *
 * @returns how many lines the archive has, when all are stored.
 * @throws {@link TableError} `TableAlreadyExists`; `InvalidInput`, if the source is not a complete
 * archive, the account does not come from `openAccount` or an option is unknown; and the errors of
 * `createTable` and `createEntity`.
 */
export async function importAll(
  account: TableServiceClient,
  source: ArchiveSource,
  options?: ImportAllOptions,
): Promise<ArchiveProgress> {
  const kinds = { onProgress: 'function', abortSignal: 'signal' } as const;
  const { onProgress, abortSignal } = checkedOptions('importAll', options, kinds);
  const session = sessionOf('importAll', account);
  return await importArchive(session, source, { onProgress, abortSignal });
}

function sessionOf(owner: string, account: TableServiceClient): AccountSession {
  const session = account?.session;
  if (session) return session;
  throw invalidInput(`The account of ${owner} must come from openAccount, not ${shown(account)}.`);
}
