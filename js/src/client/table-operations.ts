/**
 * The operations on tables of every client.
 *
 * @module
 */

import { bodyTooLarge, isTableError } from '../base/errors.js';
import { MAX_BODY_BYTES } from '../base/limits.js';
import type { AbortSignalLike } from '../base/platform.js';
import type { Validator } from '../validation/validator.js';
import type { Requester } from '../core/account-session.js';
import { explained } from './failures.js';

/** Creates a table. A table that exists already is no error. */
export async function createTable(
  session: Requester,
  validator: Validator | undefined,
  table: string,
  signal?: AbortSignalLike,
): Promise<void> {
  try {
    if (table.length > MAX_BODY_BYTES) throw bodyTooLarge();
    const body = JSON.stringify({ TableName: table });
    await session.request({ kind: 'createTable', body }, signal);
  } catch (error) {
    if (isTableError(error) && error.code === 'TableAlreadyExists') return;
    throw explained(error, { table, isNew: true }, validator);
  }
}

/** Deletes a table with all its entities. A table that does not exist is no error. */
export async function deleteTable(
  session: Requester,
  table: string,
  signal?: AbortSignalLike,
): Promise<void> {
  const request = session.request({ kind: 'deleteTable', table }, signal);
  try {
    await request;
  } catch (error) {
    // A proxy between a remote account and the service may answer with 404, too.
    if (isTableError(error) && error.code.endsWith('NotFound')) return;
    throw explained(error, { table });
  }
}
