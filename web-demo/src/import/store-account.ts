/**
 * Stores the tables of an account file: all of them, or none.
 *
 * @module
 */

import { TableError, type TableServiceClient } from 'entitable';
import type { ArchiveProgress } from 'entitable/archive';

import type { LoadOptions, LoadProgress } from '../import-entities.js';
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
 * @throws the error of the import, after the tables of the file were deleted again.
 */
export async function storeAccount(
  account: TableServiceClient,
  file: AccountFile,
  { signal, onProgress }: LoadOptions,
): Promise<LoadProgress> {
  const { importAll } = await import('entitable/archive');
  const start = performance.now();
  const progressOf = (loaded: number): LoadProgress => ({
    loaded,
    milliseconds: performance.now() - start,
  });
  try {
    await importAll(account, file.bytes(), {
      onProgress: ({ stored }: ArchiveProgress) => onProgress(progressOf(stored)),
      abortSignal: signal,
    });
    return progressOf(countOf(file));
  } catch (error) {
    // Another tab has just created a table of this name, which is not ours to delete.
    if (error instanceof TableError && error.code === 'TableAlreadyExists') throw error;
    for (const { name } of file.tables) await account.deleteTable(name);
    if (signal.aborted) return progressOf(0);
    throw error;
  }
}

/** The number of entities in all tables. */
export function countOf({ tables }: AccountFile): number {
  return tables.reduce((sum, { entities }) => sum + entities, 0);
}
