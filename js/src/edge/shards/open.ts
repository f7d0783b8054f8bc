/**
 * Checks that an account has the shards that a router knows.
 *
 * @module
 */

import { serverBusy, TableError } from '../../base/errors.js';
import { CATALOGUE_HEADER, headerOf } from './protocol.js';
import type { Backend } from './router.js';

/**
 * Opens an account. A new account has so many shards from now on.
 *
 * @param baseUrl - the address of the account.
 * @throws {@link TableError} `StorageUnavailable` with the reason, if the account has another
 * number of shards; `ServerBusy`, if the catalogue does not answer well.
 */
export async function openShards(
  catalogue: Backend,
  baseUrl: string,
  shards: number,
): Promise<void> {
  const headers = { [CATALOGUE_HEADER]: headerOf({ kind: 'open', shards }) };
  const answer = await catalogue(new Request(`${baseUrl}/`, { headers }));
  if (answer.status === 409) throw otherShards(await answer.text());
  if (!answer.ok) throw serverBusy();
}

/** @param sentence - what is wrong. */
export const otherShards = (sentence: string): TableError =>
  new TableError('StorageUnavailable', 'The storage did not do what was asked of it.', {
    sentence: `${sentence} The option shards must not change.`,
  });
