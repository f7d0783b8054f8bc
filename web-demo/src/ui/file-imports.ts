/**
 * Files, as tables. It is loaded with the first one.
 *
 * @module
 */

import { openAccountFile, type AccountFile } from '../import/account-file.js';
import type { CheckedFile } from '../import/store.js';
import { listTableNames } from '../tables.js';
import { lazy } from '../lazy.js';
import { attempt, begin, hideNotice, showNotice } from './notice.js';
import type { Prepare, TableLoad, TableLoadsOptions } from './table-loads-options.js';

type LoadTable = (load: TableLoad, prepare: Prepare) => Promise<void>;

export class FileImports {
  readonly #options: TableLoadsOptions;
  readonly #load: LoadTable;
  readonly #import = lazy(async () => {
    const { ImportDialog } = await import('./import-dialog.js');
    return new ImportDialog((checked) => begin(() => this.#importFile(checked)));
  });

  constructor(options: TableLoadsOptions, load: LoadTable) {
    this.#options = options;
    this.#load = load;
  }

  /**
   * A file has the rows of one table, or all tables of an account.
   *
   * @param table - the table to suggest.
   */
  async open(file: File, table?: string): Promise<void> {
    hideNotice();
    let found: AccountFile | undefined;
    try {
      found = await openAccountFile(file);
    } catch (error) {
      return showNotice(error, file.name);
    }
    if (!found) return (await this.#import()).open(file, table);
    const { importAccount } = await import('./account-import.js');
    const { account, panel, onBusy } = this.#options;
    const isStored = await importAccount(found, { account: account(), panel, onBusy });
    if (isStored) await attempt(() => this.#showTables(found.tables));
  }

  // If the import has failed, only those are there that another tab has created.
  async #showTables(tables: AccountFile['tables']): Promise<void> {
    const { account, counting, table, show } = this.#options;
    const names = await listTableNames(account());
    const stored = tables.map(({ name }) => name).filter((name) => names.includes(name));
    for (const name of stored) counting.start(account().tableClient(name));
    await show(stored[0] ?? table()?.tableName ?? names[0]);
  }

  #importFile(checked: CheckedFile): Promise<void> {
    const { plan, rows, refused } = checked;
    const load = { table: plan.table, count: rows - refused.size, noun: 'rows' };
    return this.#load(load, async () => {
      // Loaded with the first file.
      const { rememberColumns, storeRows } = await import('../import/store.js');
      rememberColumns(plan);
      const { changes } = this.#options;
      return (table, options, isNew) => storeRows(table, checked, { ...options, isNew, changes });
    });
  }
}
