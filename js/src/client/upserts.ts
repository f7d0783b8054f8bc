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
import { isObject } from '../base/kinds.js';
import { ANY_ETAG } from '../entity/any-etag.js';
import { isRemoval } from '../entity/json.js';
import { keyTexts, type EntityKeys, type GivenKeys } from '../entity/keys.js';
import type { TransactionAction } from '../entity/models.js';
import { wholes } from '../entity/operations.js';
import type { VersionedTable, WriteAction } from './row-versions.js';

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

/** A table whose new rows need more than a merge has. */
export interface UpsertTarget {
  /** Maps the actions of a transaction. An error has the index of its action. */
  readonly mapped: VersionedTable['mapped'];
  /** Whether its account is local. */
  readonly takesWholes: boolean;
  readonly exists: (keys: EntityKeys) => Promise<boolean>;
  readonly whole: WholeOf;
}

/**
 * Carries out a transaction in which an upsert with `Merge` is an update, or an insert if there is
 * no such row. If another writer makes or deletes the row meanwhile, it begins again. The caller
 * must not change the actions.
 *
 * @param mayRepeat - whether a transaction that failed has stored nothing.
 */
export function submitUpserts<R>(
  target: UpsertTarget,
  given: readonly TransactionAction[],
  carryOut: (actions: readonly TransactionAction[]) => Promise<R>,
  mayRepeat: boolean,
): Promise<R> {
  return submitAs(target, given, carryOut, mayRepeat);
}

async function submitAs<R>(
  target: UpsertTarget,
  given: readonly TransactionAction[],
  carryOut: (actions: readonly TransactionAction[]) => Promise<R>,
  mayRepeat: boolean,
): Promise<R> {
  for (;;) {
    const replaced = new Set<number | undefined>();
    const kinds = new Map<string, string>();
    const actions = await target.mapped(given, async (action, index) => {
      const written = await writtenAction(target, action, kinds);
      if (written !== action) replaced.add(index);
      return written;
    });
    try {
      return await carryOut(actions);
    } catch (error) {
      const hasChanged =
        hasCode(error, 'ResourceNotFound') || hasCode(error, 'EntityAlreadyExists');
      const index = isTableError(error) ? error.details.operationIndex : undefined;
      if (!mayRepeat || !hasChanged || !replaced.has(index)) throw error;
    }
  }
}

/**
 * The action in place of an upsert with `Merge`; every other action itself.
 *
 * @param kinds - the kind of the last action on each row of the transaction.
 */
async function writtenAction(
  { takesWholes, exists, whole }: UpsertTarget,
  action: TransactionAction,
  kinds: Map<string, string>,
): Promise<TransactionAction> {
  if (!Array.isArray(action) || !isObject(action[1])) return action;
  const [kind, entity, mode = 'Merge', options, ...rest] = action as unknown as WriteAction;
  const { partitionKey, rowKey } = keyTexts(entity);
  // It is refused.
  if (partitionKey === undefined || rowKey === undefined) return action;
  const name = JSON.stringify([partitionKey, rowKey]);
  const earlier = kinds.get(name);
  kinds.set(name, kind);
  // An etag is refused there. After another write, a row exists.
  const isUpsert = kind === 'upsert' && mode === 'Merge' && options?.etag === undefined;
  if (!isUpsert || (earlier !== undefined && earlier !== 'delete')) return action;
  if (takesWholes && (await canInsert(entity, whole))) return action;
  const isStored = earlier === undefined && (await exists({ partitionKey, rowKey }));
  const written = isStored
    ? ['update', entity, 'Merge', { ...options, etag: ANY_ETAG }, ...rest]
    : ['create', await whole(entity)];
  return written as unknown as TransactionAction;
}
