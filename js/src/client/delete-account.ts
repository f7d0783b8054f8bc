/**
 * Deletes accounts.
 *
 * @module
 */

import { invalidInput, storageError } from '../base/errors.js';
import { hasMethod } from '../base/kinds.js';
import { loaded } from '../base/loaded.js';
import { shown } from '../base/shown.js';
import type { PageStorage } from '../storage/page-storage.js';

/**
 * Deletes all data of an account. Close the account first: an account that is still open
 * fails from then on.
 *
 * @param account - the storage, or the name that `indexedDbStorage` was given.
 * @throws {@link TableError} `StorageUnavailable`, with the cause, if the storage cannot be
 * deleted; `ScriptNotLoaded`, if a script cannot be loaded; `InvalidInput`, if the argument is
 * neither a name nor a storage.
 */
export async function deleteAccount(account: string | PageStorage): Promise<void> {
  try {
    if (typeof account !== 'string' && !hasMethod(account, 'destroy')) {
      throw invalidInput(`deleteAccount takes a storage or a name, not ${shown(account)}.`);
    }
    const storage = typeof account === 'string' ? await storageOf(account) : account;
    await storage.destroy();
  } catch (cause) {
    throw storageError(cause, 'The storage cannot be deleted.');
  }
}

// Loaded on demand: an app with another storage does not need it.
async function storageOf(name: string): Promise<PageStorage> {
  const { indexedDbStorage } = await loaded(import('../storage/indexeddb.js'));
  return indexedDbStorage(name);
}
