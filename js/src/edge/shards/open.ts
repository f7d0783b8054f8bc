/**
 * Asks a catalogue how many shards an account has.
 *
 * @module
 */

import { serverBusy, TableError } from '../../base/errors.js';
import { CATALOGUE_HEADER, headerOf } from './protocol.js';
import type { Backend } from './router.js';

/**
 * Opens an account.
 *
 * @param baseUrl - the address of the account.
 * @param shards - how many a new account has from now on.
 * @returns how many it has.
 * @throws {@link TableError} `StorageUnavailable` with the reason, if the account has tables and no
 * shards; `ServerBusy`, if the catalogue does not answer well.
 */
export async function openShards(
  catalogue: Backend,
  baseUrl: string,
  shards: number,
): Promise<number> {
  const headers = { [CATALOGUE_HEADER]: headerOf({ kind: 'open', shards }) };
  const answer = await catalogue(new Request(`${baseUrl}/`, { headers })).catch(
    (error: unknown) => {
      console.error('Entitable: the catalogue does not answer.', error);
      throw serverBusy();
    },
  );
  if (answer.status === 409) throw otherShards(await answer.text());
  if (!answer.ok) throw serverBusy();
  return Number(await answer.text());
}

/** @param sentence - what is wrong. */
export const otherShards = (sentence: string): TableError =>
  new TableError('StorageUnavailable', 'The storage did not do what was asked of it.', {
    sentence,
  });
