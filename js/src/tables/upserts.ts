/**
 * Upserts with `Merge` of a table whose new rows need more than a merge has: defaults, and the
 * check of a whole row. The service has no request that inserts one row or else merges another, so
 * these are two requests of a remote account. A local account takes both rows with one request. It
 * is loaded when a declared table first needs it.
 *
 * @module
 */

import type { ErrorCode } from '../base/error-codes.js';
import { isTableError } from '../base/errors.js';
import { isRemoval } from '../entity/json.js';
import type { GivenKeys } from '../entity/keys.js';
import { wholes } from '../entity/operations.js';

const hasCode = (error: unknown, code: ErrorCode) => isTableError(error) && error.code === code;

/** The entity that is stored for a part of a row, if there is none. */
type WholeOf = (part: GivenKeys) => Promise<GivenKeys>;

/**
 * Notes what an upsert of this entity inserts in a local account.
 *
 * @returns false, if the row must not be inserted. It may be there already.
 */
export async function canInsert(entity: GivenKeys, whole: WholeOf): Promise<boolean> {
  try {
    const removed = Object.entries(entity).filter(([, value]) => isRemoval(value));
    // A new row does not have it either, whatever its default is.
    wholes.set(entity, { ...(await whole(entity)), ...Object.fromEntries(removed) });
    return true;
  } catch {
    return false;
  }
}

/** Updates a row that exists, or else inserts it. Begins again if another writer comes between. */
export async function mergeOrInsert<R>(
  merge: () => Promise<R>,
  insert: () => Promise<R>,
): Promise<R> {
  for (;;) {
    try {
      return await merge();
    } catch (error) {
      if (!hasCode(error, 'ResourceNotFound')) throw error;
    }
    try {
      return await insert();
    } catch (error) {
      if (!hasCode(error, 'EntityAlreadyExists')) throw error;
    }
  }
}
