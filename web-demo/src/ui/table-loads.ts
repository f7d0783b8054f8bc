/**
 * Loads samples and files into tables, and shows them while they grow.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

import type { Counting } from '../counting.js';
import type { Dataset } from '../datasets/dataset.js';
import type { AccountFile } from '../import/account-file.js';
import type { CheckedFile } from '../import/store.js';
import type { LoadOptions, LoadProgress } from '../load-progress.js';
import { lazy } from '../lazy.js';
import { listTableNames } from '../tables.js';
import type { Load, LoadPanel } from './load-panel.js';
import { attempt, begin, hideNotice, showNotice } from './notice.js';
import type { PartitionList } from './partition-list.js';
import type { ResultView } from './result-view.js';
import type { TableList } from './table-list.js';

// The least time between two refreshes of the lists during a load.
const REFRESH_MS = 400;

/** What is loaded, and into which table. */
interface TableLoad extends Load {
  readonly table: string;
  readonly count: number;
}

type Writer = (table: TableClient, options: LoadOptions) => Promise<LoadProgress>;

export interface TableLoadsOptions {
  readonly panel: LoadPanel;
  readonly tables: TableList;
  readonly counting: Counting;
  readonly partitions: PartitionList;
  readonly results: ResultView;
  account(): TableServiceClient;
  /** The table on the screen. */
  table(): TableClient | undefined;
  /** Shows a table, or that there is none. */
  show(name: string | undefined): Promise<void>;
  /** Reads again what is on the screen. */
  refresh(): Promise<void>;
  onBusy(isBusy: boolean): void;
}

export class TableLoads {
  readonly #options: TableLoadsOptions;
  readonly #import = lazy(async () => {
    const { ImportDialog } = await import('./import-dialog.js');
    return new ImportDialog((checked) => begin(() => this.#importFile(checked)));
  });

  constructor(options: TableLoadsOptions) {
    this.#options = options;
  }

  /** Loads a sample, and shows it. */
  sample(dataset: Dataset): Promise<void> {
    return this.#load(dataset, async (signal) => {
      // Loaded with the first sample.
      const { prepareSample } = await import('../datasets/load.js');
      return await prepareSample(this.#options.account(), dataset, signal);
    });
  }

  /** A file has the rows of one table, or all tables of an account. */
  async open(file: File): Promise<void> {
    hideNotice();
    // Loaded with the first file.
    const { openAccountFile } = await import('../import/account-file.js');
    let found: AccountFile | undefined;
    try {
      found = await openAccountFile(file);
    } catch (error) {
      return showNotice(error, file.name);
    }
    if (!found) return (await this.#import()).open(file);
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
      return (table, options) => storeRows(table, checked, options);
    });
  }

  /** @param prepare - reads what is needed before the table is created. */
  async #load(load: TableLoad, prepare: (signal: AbortSignal) => Promise<Writer>): Promise<void> {
    const { panel, results, onBusy } = this.#options;
    hideNotice();
    onBusy(true);
    results.isLoading = true;
    const signal = panel.begin(load);
    try {
      const write = await prepare(signal);
      await this.#write(load.table, write, signal);
    } catch (error) {
      panel.close();
      if (!signal.aborted) showNotice(error);
    }
    onBusy(false);
    await attempt(() => this.#afterLoad(load.table));
    results.isLoading = false;
  }

  async #write(name: string, write: Writer, signal: AbortSignal): Promise<void> {
    const { account, counting, show, panel, tables } = this.#options;
    const table = account().tableClient(name);
    await table.createTable();
    counting.stop(name);
    await show(name);

    let nextRefresh = 0;
    const onProgress = (progress: LoadProgress) => {
      panel.show(progress);
      tables.setLeast(name, progress.loaded);
      if (progress.milliseconds < nextRefresh) return;
      const isFirst = nextRefresh === 0;
      nextRefresh = progress.milliseconds + REFRESH_MS;
      begin(() => this.#refreshDuringLoad(name, isFirst));
    };
    panel.finish(await write(table, { signal, onProgress }));
  }

  // Shows the first entities as soon as they are stored. Later ones change only the list of
  // partitions, because the user may be reading.
  async #refreshDuringLoad(name: string, isFirst: boolean): Promise<void> {
    const { partitions, results } = this.#options;
    const table = this.#options.table();
    if (table?.tableName !== name) return;
    await partitions.show(table);
    if (isFirst) await results.refresh();
  }

  async #afterLoad(name: string): Promise<void> {
    const { account, counting, tables, show, refresh } = this.#options;
    const table = this.#options.table();
    const names = await listTableNames(account());
    if (names.includes(name)) counting.start(account().tableClient(name));
    if (!table) return show(names[0]);
    tables.show(names, table.tableName);
    if (table.tableName === name) await refresh();
  }
}
