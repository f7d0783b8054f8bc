/**
 * Asks a catalogue how many shards an account has.
 *
 * @module
 */

import { serverBusy, TableError } from '../../base/errors.js';
import { CATALOGUE_HEADER, headerOf } from './protocol.js';
import type { Backend } from './protocol.js';

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
  const { ok, status, text } = await ask(catalogue, new Request(`${baseUrl}/`, { headers }));
  if (status === 409) throw otherShards(text);
  if (!ok) throw serverBusy();
  return Number(text);
}

async function ask(catalogue: Backend, request: Request) {
  try {
    const answer = await catalogue(request);
    const { ok, status } = answer;
    return { ok, status, text: await answer.text() };
  } catch (error) {
    console.error('Entitable: the catalogue does not answer.', error);
    throw serverBusy();
  }
}

/** @param sentence - what is wrong. */
export const otherShards = (sentence: string): TableError =>
  new TableError('StorageUnavailable', 'The storage did not do what was asked of it.', {
    sentence,
  });
