/**
 * The operations on tables of remote accounts.
 *
 * @module
 */

import { isTableError, remade } from '../base/errors.js';
import type { AbortSignalLike } from '../base/platform.js';
import { shown } from '../base/shown.js';
import type { RemoteSession } from './session.js';

/** Creates a table. A table that exists already is no error. */
export async function createTable(
  session: RemoteSession,
  table: string,
  signal: AbortSignalLike | undefined,
): Promise<void> {
  const body = JSON.stringify({ TableName: table });
  try {
    await session.request({ kind: 'createTable', body }, signal);
  } catch (error) {
    if (!isTableError(error) || error.code !== 'TableAlreadyExists') throw named(error, table);
  }
}

/** Deletes a table with all its entities. A table that does not exist is no error. */
export async function deleteTable(
  session: RemoteSession,
  table: string,
  signal: AbortSignalLike | undefined,
): Promise<void> {
  try {
    await session.request({ kind: 'deleteTable', table }, signal);
  } catch (error) {
    const isMissing = isTableError(error) && /NotFound$/.test(error.code);
    if (!isMissing) throw named(error, table);
  }
}

function named(error: unknown, table: string): unknown {
  if (!isTableError(error)) return error;
  return remade(error, { table, sentence: `Table ${shown(table)}.` });
}
