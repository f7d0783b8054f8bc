/**
 * What to write instead, if a read is refused: for an operator of other languages in a filter, and
 * for a table that is not there.
 *
 * @module
 */

import { isTableError } from '../../base/errors.js';
import { nearestName } from '../../base/nearest.js';
import { shown } from '../../base/shown.js';
import { filterHint } from '../../formats/filter-hint.js';
import { failureText } from '../../server/failure-text.js';
import { tablesOf } from '../account/synced-folder.js';

/** What a command reads. */
interface Reading {
  readonly table?: string | undefined;
  readonly filter?: string | undefined;
}

/** Runs a read. If it is refused, adds to the error what to write instead. */
export async function withHints<T>(
  account: Parameters<typeof tablesOf>[0],
  { table, filter = '' }: Reading,
  read: () => Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isTableError(error)) throw error;
    const isMissing = error.code === 'TableNotFound' && table !== undefined;
    const ofFilter = error.statusCode === 400 ? filterHint(filter) : '';
    const hint = isMissing ? await tableHint(account, table) : ofFilter;
    throw hint ? new Error(`${failureText(error)} ${hint}`, { cause: error }) : error;
  }
}

async function tableHint(account: Parameters<typeof tablesOf>[0], table: string): Promise<string> {
  // A signature for one table allows no list of them.
  const names = await tablesOf(account).catch(() => []);
  const nearest = nearestName(table, names);
  return nearest === undefined ? '' : `Did you mean ${shown(nearest)}?`;
}
