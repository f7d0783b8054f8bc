/**
 * Imports all tables of a file, after a question. It is loaded with the first such file.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import type { AccountFile } from '../import/account-file.js';
import { countOf, existingTables, storeAccount } from '../import/store-account.js';
import type { LoadProgress } from '../load-progress.js';
import { askToImport } from './ask-to-import.js';
import type { LoadPanel } from './load-panel.js';
import { showNotice } from './notice.js';

export interface AccountImportOptions {
  readonly account: TableServiceClient;
  readonly panel: LoadPanel;
  onBusy(isBusy: boolean): void;
}

/**
 * Shows what fails while it stores.
 *
 * @returns false, if the user does not want the tables.
 * @throws {@link Error} if one of the tables exists.
 */
export async function importAccount(
  file: AccountFile,
  { account, panel, onBusy }: AccountImportOptions,
): Promise<boolean> {
  const existing = await existingTables(account, file);
  if (existing.length > 0) {
    throw new Error(
      `${file.name} cannot be imported, because these tables exist: ${existing.join(', ')}.`,
    );
  }
  if (!(await askToImport(file))) return false;
  onBusy(true);
  const signal = panel.begin({ count: countOf(file), noun: 'entities' });
  try {
    const onProgress = (progress: LoadProgress) => panel.show(progress);
    panel.finish(await storeAccount(account, file, { signal, onProgress }));
  } catch (error) {
    panel.close();
    showNotice(error, file.name);
  }
  onBusy(false);
  return true;
}
