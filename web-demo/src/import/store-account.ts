/**
 * Stores the tables of an account file: all of them, or none.
 *
 * @module
 */

import { TableError, type TableServiceClient } from 'entitable';
import type { ArchiveProgress } from 'entitable/archive';

import { isLocal } from '../explorer/limits.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { listTableNames } from '../tables.js';
import type { AccountFile } from './account-file.js';

/** Tables of the file that exist already. An import never mixes two tables. */
export async function existingTables(
  account: TableServiceClient,
  { tables }: AccountFile,
): Promise<string[]> {
  // The service takes names that differ in case alone for the same.
  const names = new Set((await listTableNames(account)).map((name) => name.toLowerCase()));
  return tables.map(({ name }) => name).filter((name) => names.has(name.toLowerCase()));
}

/**
 * @returns how many entities were stored: none, if the signal stopped it.
 * @throws the error of the import, after the tables that it has created were deleted again.
 */
export async function storeAccount(
  account: TableServiceClient,
  file: AccountFile,
  { signal, onProgress }: LoadOptions,
): Promise<LoadProgress> {
  if (!isLocal(account)) {
    throw new Error(
      'A file with all tables is imported into an account of a browser or a folder only. For a ' +
        'remote one, use the command npx entitable copy.',
    );
  }
  const { importAll } = await import('entitable/archive');
  const start = performance.now();
  const progressOf = (loaded: number): LoadProgress => ({
    loaded,
    milliseconds: performance.now() - start,
  });
  const count = countOf(file);
  // Of the lines of the archive. There are more of them than entities.
  let stored = 0;
  try {
    await importAll(account, file.bytes(), {
      onProgress: (progress: ArchiveProgress) => {
        stored = progress.stored;
        onProgress(progressOf(Math.min(stored, count)));
      },
      abortSignal: signal,
    });
    return progressOf(count);
  } catch (error) {
    stored = storedLines(error) ?? stored;
    // Another tab may have just created a table of the lines below, which is not ours to delete.
    const created = file.tables.filter(({ line }) => line <= stored);
    for (const { name } of created) await account.deleteTable(name);
    if (signal.aborted) return progressOf(0);
    throw error;
  }
}

// An error of the file itself does not say it.
function storedLines(error: unknown): number | undefined {
  if (error instanceof TableError) return error.details.line && error.details.line - 1;
  return (error as Partial<ArchiveProgress>).stored;
}

/** The number of entities in all tables. */
export function countOf({ tables }: AccountFile): number {
  return tables.reduce((sum, { entities }) => sum + entities, 0);
}
