/**
 * The account of this page: where it is kept, and how it is emptied.
 *
 * @module
 */

import { deleteAccount, openAccount, type TableServiceClient } from 'entitable';
import { indexedDbStorage } from 'entitable/storage/indexeddb';

const DATABASE = 'entitable-demo';

/** Opens what earlier visits left, or an empty account. */
export function openPageAccount(): Promise<TableServiceClient> {
  return openAccount({ storage: indexedDbStorage(DATABASE), name: 'demo' });
}

/** Deletes everything and opens an empty account in its place. */
export async function emptyPageAccount(account: TableServiceClient): Promise<TableServiceClient> {
  await account.close();
  await deleteAccount(DATABASE);
  return openPageAccount();
}
