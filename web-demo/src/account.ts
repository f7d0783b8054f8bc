/**
 * Opens and empties the account of this page.
 *
 * @module
 */

import { deleteAccount, openAccount, type TableServiceClient } from 'entitable';
import { indexedDbStorage } from 'entitable/storage/indexeddb';

const DATABASE = 'entitable-demo';

/** Opens the account of earlier visits, or an empty one; in a worker, if the address says so. */
export function openPageAccount(): Promise<TableServiceClient> {
  const worker = new URLSearchParams(location.search).has('worker');
  return openAccount({ storage: indexedDbStorage(DATABASE), name: 'demo', worker });
}

/** Deletes everything, and opens an empty account. */
export async function emptyPageAccount(account: TableServiceClient): Promise<TableServiceClient> {
  await account.close();
  await deleteAccount(DATABASE);
  return openPageAccount();
}
