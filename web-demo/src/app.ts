/**
 * Connects the parts of the page: opens the account, shows a table, and answers clicks.
 *
 * @module
 */

import type { TableClient, TableServiceClient } from 'entitable';

import { emptyPageAccount, openPageAccount } from './account.js';
import { Counting } from './counting.js';
import type { Dataset } from './datasets/dataset.js';
import { flights } from './datasets/flights.js';
import { fetchRows, loadRows } from './datasets/load.js';
import { movies } from './datasets/movies.js';
import { displayMs } from './display.js';
import type { AccountFile } from './import/account-file.js';
import { countOf, existingTables, storeAccount } from './import/store-account.js';
import { storeRows, type CheckedFile } from './import/store.js';
import type { LoadOptions, LoadProgress } from './import-entities.js';
import { listTableNames } from './tables.js';
import type { TypedEntity } from './typed-entity.js';
import { announce } from './ui/announce.js';
import { askToImport } from './ui/ask-to-import.js';
import { confirm } from './ui/confirm.js';
import { byId } from './ui/dom.js';
import { downloadAccount, downloadTable } from './ui/download.js';
import { EntityDialog, type EntityChange } from './ui/entity-dialog.js';
import { FileDrop } from './ui/file-drop.js';
import { ImportDialog } from './ui/import-dialog.js';
import { LoadPanel, type Load } from './ui/load-panel.js';
import { begin, hideNotice, showNotice } from './ui/notice.js';
import { PartitionList } from './ui/partition-list.js';
import { ResultView } from './ui/result-view.js';
import { showRules } from './ui/rules.js';
import { SampleList } from './ui/sample-list.js';
import { setTableInAddress, tableInAddress, TableList } from './ui/table-list.js';
import { UndoBar } from './ui/undo-bar.js';
import { showTrouble, showView } from './ui/views.js';

const DATASETS: readonly Dataset[] = [movies, flights];

// The table with the drafts of the other page. It is no beginning.
const DRAFTS = 'FormDrafts';

// The least time between two refreshes of the lists during a load.
const REFRESH_MS = 400;

const COUNT_CHANGE = { added: 1, saved: 0, deleted: -1 } as const;

/** What is loaded, and into which table. */
interface TableLoad extends Load {
  readonly table: string;
}

type Writer = (table: TableClient, options: LoadOptions) => Promise<LoadProgress>;

export class App {
  readonly #title = byId('table-title', HTMLElement);
  readonly #tables = new TableList();
  readonly #counting = new Counting(this.#tables);
  readonly #partitions = new PartitionList((filter) => this.#results.runFilter(filter));
  readonly #results = new ResultView({
    onOpen: (entity) => begin(() => this.#edit(entity)),
    onFilter: (filter) => this.#partitions.mark(filter),
    onTrouble: showNotice,
  });
  readonly #samples = new SampleList(DATASETS, (dataset) => begin(() => this.#loadSample(dataset)));
  readonly #panel = new LoadPanel(() => this.#title.focus());
  readonly #dialog = new EntityDialog((change) => begin(() => this.#afterChange(change)));

  readonly #undo = new UndoBar();
  readonly #import = new ImportDialog((checked) => begin(() => this.#importFile(checked)));
  readonly #drop = new FileDrop((file) => begin(() => this.#openFile(file)));

  // Set by start(), before anything can be clicked.
  #account!: TableServiceClient;
  #table: TableClient | undefined;

  constructor() {
    const onClick = (id: string, work: () => void) =>
      byId(id, HTMLButtonElement).addEventListener('click', work);
    onClick('welcome-movies', () => begin(() => this.#loadSample(movies)));
    onClick('welcome-flights', () => begin(() => this.#loadSample(flights)));
    for (const id of ['welcome-import', 'import-file']) onClick(id, () => this.#drop.choose());
    onClick('add-entity', () => this.#dialog.openNew(this.#table!, this.#partitions.first ?? ''));
    onClick('download-table', () => begin(() => downloadTable(this.#table!)));
    onClick('download-account', () => begin(() => downloadAccount(this.#account)));
    onClick('empty-store', () => begin(() => this.#emptyStore()));
    onClick('trouble-retry', () => begin(() => this.start()));
    addEventListener('hashchange', () => begin(() => this.#followAddress()));
  }

  /** Opens the account and shows a table of it, or shows the error. */
  async start(): Promise<void> {
    try {
      const start = performance.now();
      this.#account = await openPageAccount();
      this.#drop.isBusy = false;
      const names = await listTableNames(this.#account);
      const milliseconds = performance.now() - start;
      const place = this.#account.isInWorker ? ' in a worker' : '';
      byId('stored-time', HTMLElement).textContent =
        ` · opened in ${displayMs(milliseconds)}${place}`;
      for (const name of names) this.#counting.start(this.#account.tableClient(name));
      const asked = names.find((name) => name === tableInAddress());
      await this.#showTable(asked ?? names.find((name) => name !== DRAFTS) ?? names[0]);
    } catch (error) {
      showTrouble(error);
    }
  }

  /** Shows a table, or the welcome if there is none. */
  async #showTable(name: string | undefined): Promise<void> {
    setTableInAddress(name);
    this.#undo.hide();
    if (name === undefined) {
      this.#table = undefined;
      showView('welcome');
      return;
    }
    this.#table = this.#account.tableClient(name);
    this.#title.textContent = name;
    this.#tables.show(await listTableNames(this.#account), name);
    showView('workspace');
    const dataset = DATASETS.find(({ table }) => table === name);
    await Promise.all([
      this.#showRules(name),
      this.#partitions.show(this.#table),
      this.#results.open(this.#table, dataset),
    ]);
  }

  /** Says whether the store holds every writer of the table to a definition. */
  async #showRules(name: string): Promise<void> {
    const schema = await this.#account.enforcedSchema(name);
    // The view may show another table now.
    if (this.#table?.tableName === name) showRules(schema);
  }

  async #followAddress(): Promise<void> {
    hideNotice();
    const name = tableInAddress();
    if (name !== undefined && name !== this.#table?.tableName) await this.#showTable(name);
  }

  #loadSample(dataset: Dataset): Promise<void> {
    return this.#load(dataset, async (signal) => {
      const rows = await fetchRows(dataset, signal);
      return (table, options) => loadRows(table, dataset, rows, options);
    });
  }

  /** A file has the rows of one table, or all tables of an account. */
  async #openFile(file: File): Promise<void> {
    hideNotice();
    // Loaded with the first file.
    const { openAccountFile } = await import('./import/account-file.js');
    const found = await openAccountFile(file);
    if (!found) return this.#import.open(file);
    const existing = await existingTables(this.#account, found);
    if (existing.length > 0) {
      throw new Error(
        `${file.name} cannot be imported, because these tables exist: ${existing.join(', ')}.`,
      );
    }
    if (await askToImport(found)) await this.#importAccount(found);
  }

  async #importAccount(file: AccountFile): Promise<void> {
    this.#setBusy(true);
    const signal = this.#panel.begin({ count: countOf(file), noun: 'entities' });
    try {
      const onProgress = (progress: LoadProgress) => this.#panel.show(progress);
      this.#panel.finish(await storeAccount(this.#account, file, { signal, onProgress }));
    } catch (error) {
      this.#panel.close();
      showNotice(error);
    }
    this.#setBusy(false);
    await this.#attempt(() => this.#showTables(file.tables));
  }

  // If the import has failed, only those are there that another tab has created.
  async #showTables(tables: AccountFile['tables']): Promise<void> {
    const names = await listTableNames(this.#account);
    const stored = tables.map(({ name }) => name).filter((name) => names.includes(name));
    for (const name of stored) this.#counting.start(this.#account.tableClient(name));
    await this.#showTable(stored[0] ?? this.#table?.tableName ?? names[0]);
  }

  #importFile(checked: CheckedFile): Promise<void> {
    const { plan, rows, refused } = checked;
    const load = { table: plan.table, count: rows - refused.size, noun: 'rows' };
    return this.#load(load, () =>
      Promise.resolve((table, options) => storeRows(table, checked, options)),
    );
  }

  /** @param prepare - reads what is needed before the table is created. */
  async #load(load: TableLoad, prepare: (signal: AbortSignal) => Promise<Writer>): Promise<void> {
    hideNotice();
    this.#setBusy(true);
    const signal = this.#panel.begin(load);
    try {
      const write = await prepare(signal);
      await this.#write(load.table, write, signal);
    } catch (error) {
      this.#panel.close();
      if (!signal.aborted) showNotice(error);
    }
    this.#setBusy(false);
    await this.#attempt(() => this.#afterLoad(load.table));
  }

  async #write(name: string, write: Writer, signal: AbortSignal): Promise<void> {
    const table = this.#account.tableClient(name);
    await table.createTable();
    this.#counting.stop(name);
    await this.#showTable(name);

    let nextRefresh = 0;
    const onProgress = (progress: LoadProgress) => {
      this.#panel.show(progress);
      this.#tables.setLeast(name, progress.loaded);
      if (progress.milliseconds < nextRefresh) return;
      const isFirst = nextRefresh === 0;
      nextRefresh = progress.milliseconds + REFRESH_MS;
      begin(() => this.#refreshDuringLoad(name, isFirst));
    };
    this.#panel.finish(await write(table, { signal, onProgress }));
  }

  // Shows the first entities as soon as they are stored. Later ones change only the list of
  // partitions, because the user may be reading.
  async #refreshDuringLoad(name: string, isFirst: boolean): Promise<void> {
    if (this.#table?.tableName !== name) return;
    await this.#partitions.show(this.#table);
    if (isFirst) await this.#results.refresh();
  }

  async #afterLoad(table: string): Promise<void> {
    const names = await listTableNames(this.#account);
    if (names.includes(table)) this.#counting.start(this.#account.tableClient(table));
    if (!this.#table) return this.#showTable(names[0]);
    this.#tables.show(names, this.#table.tableName);
    if (this.#table.tableName === table) await this.#refresh();
  }

  async #refresh(): Promise<void> {
    await Promise.all([this.#partitions.show(this.#table!), this.#results.refresh()]);
  }

  #setBusy(isBusy: boolean): void {
    this.#samples.isBusy = isBusy;
    this.#drop.isBusy = isBusy;
    byId('import-file', HTMLButtonElement).disabled = isBusy;
    byId('empty-store', HTMLButtonElement).disabled = isBusy;
    byId('welcome', HTMLElement).hidden ||= isBusy;
  }

  async #edit({ partitionKey, rowKey }: TypedEntity): Promise<void> {
    hideNotice();
    await this.#attempt(() => this.#dialog.openExisting(this.#table!, partitionKey, rowKey));
  }

  async #afterChange(change: EntityChange): Promise<void> {
    const { kind, table, rowKey } = change;
    this.#tables.addToCount(table, COUNT_CHANGE[kind]);
    this.#undo.offer(`${rowKey} was ${kind}.`, () => this.#undoChange(change));
    await this.#attempt(() => this.#showChange(change));
    announce(`${rowKey} was ${kind}.`);
  }

  async #undoChange(change: EntityChange): Promise<void> {
    const { kind, table, rowKey, undo } = change;
    hideNotice();
    await undo();
    this.#tables.addToCount(table, -COUNT_CHANGE[kind]);
    await this.#showChange(change);
    announce(`The change of ${rowKey} is undone.`);
  }

  async #showChange({ table, partitionKey, rowKey }: EntityChange): Promise<void> {
    // The view may show another table now.
    if (this.#table?.tableName !== table) return;
    await this.#refresh();
    // The refresh has replaced the row that had the focus.
    if (!this.#results.grid.focus({ partitionKey, rowKey })) this.#title.focus();
  }

  async #emptyStore(): Promise<void> {
    hideNotice();
    const isWanted = await confirm({
      title: 'Empty the store?',
      text: 'This deletes all tables and entities that this page has stored in this browser.',
      action: 'Delete everything',
    });
    if (!isWanted) return;
    this.#counting.reset();
    this.#results.stop();
    this.#account = await emptyPageAccount(this.#account);
    await this.#showTable((await listTableNames(this.#account))[0]);
    announce('The store is empty.');
    byId('welcome-movies', HTMLButtonElement).focus();
  }

  /** For work that a click began: no caller handles its failure, so it is shown here. */
  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      showNotice(error);
    }
  }
}
