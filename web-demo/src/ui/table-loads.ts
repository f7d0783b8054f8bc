/**
 * Loads samples and files into tables, and shows them while they grow.
 *
 * @module
 */

import type { Dataset } from '../datasets/dataset.js';
import type { LoadProgress } from '../load-progress.js';
import { lazy } from '../lazy.js';
import { listTableNames } from '../tables.js';
import { attempt, begin, hideNotice, showNotice } from './notice.js';
import type { Prepare, TableLoad, TableLoadsOptions, Writer } from './table-loads-options.js';

// The least time between two refreshes of the lists during a load.
const REFRESH_MS = 400;

export class TableLoads {
  readonly #options: TableLoadsOptions;
  // Loaded with the first file.
  readonly #files = lazy(async () => {
    const { FileImports } = await import('./file-imports.js');
    return new FileImports(this.#options, (load, prepare) => this.#load(load, prepare));
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

  /** Opens a file; with a table to suggest for its rows. */
  async open(file: File, table?: string): Promise<void> {
    await (await this.#files()).open(file, table);
  }

  /** Rows of the clipboard, for the table on the screen. A copy has the name of its table. */
  async openRows(text: string): Promise<void> {
    const { fileOfRows } = await import('./pasted-rows.js');
    const name = this.#options.table()?.tableName;
    await this.open(fileOfRows(text, name), name);
  }

  /** A change has brought back a table, or taken it away. */
  async showChanged(name: string): Promise<void> {
    const { account, counting, show } = this.#options;
    const names = await listTableNames(account());
    if (names.includes(name)) counting.start(account().tableClient(name));
    else counting.forget(name);
    await show(names.includes(name) ? name : names[0]);
  }

  async #load(load: TableLoad, prepare: Prepare): Promise<void> {
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
    const isNew = !(await listTableNames(account())).some((one) => isSame(one, name));
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
    panel.finish(await write(table, { signal, onProgress }, isNew));
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

// The service takes names that differ in case alone for the same.
const isSame = (one: string, name: string) => one.toLowerCase() === name.toLowerCase();
