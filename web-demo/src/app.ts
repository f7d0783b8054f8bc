/**
 * The explorer: connects its parts, shows a table, and answers clicks.
 *
 * @module
 */

import { TableError, type TableClient, type TableServiceClient } from 'entitable';

import type { Changes } from './changes/changes.js';
import { checkIsWritable, copyOf, type TableCopy } from './copy/table-copy.js';
import { Counting } from './counting.js';
import type { Dataset } from './datasets/dataset.js';
import { counted } from './display.js';
import type { Home, WhyNot } from './explorer/home.js';
import { isLocal } from './explorer/limits.js';
import type { TableState, ViewState } from './explorer/view-state.js';
import { lazy } from './lazy.js';
import { listTableNames } from './tables.js';
import type { TypedEntity } from './typed-entity.js';
import { announce } from './ui/announce.js';
import type { Copies } from './ui/copies.js';
import { byId, disable, onClick } from './ui/dom.js';
import { FileDrop } from './ui/file-drop.js';
import { GridActions } from './ui/grid-actions.js';
import type { History } from './ui/history.js';
import { LoadPanel } from './ui/load-panel.js';
import { attempt, begin, hideNotice, showNotice } from './ui/notice.js';
import { PartitionList } from './ui/partition-list.js';
import { ResultView } from './ui/result-view.js';
import { showRules } from './ui/rules.js';
import { SampleList } from './ui/sample-list.js';
import { TableList } from './ui/table-list.js';
import { TableLoads } from './ui/table-loads.js';
import { showTrouble, showView, type View } from './ui/views.js';
import { WorkspaceView } from './ui/workspace-view.js';

export class App {
  readonly #home: Home;
  readonly #whyNot: WhyNot = (write) => this.#home.whyNot?.(write);
  readonly #title = byId('table-title', HTMLElement);
  readonly #tables = new TableList();
  readonly #counting = new Counting(this.#tables);
  readonly #partitions = new PartitionList((filter) => this.#results.runFilter(filter));
  readonly #results = new ResultView({
    onOpen: (entity) => begin(() => this.#edit(entity)),
    onEdit: (cell) => this.#actions.edit(cell),
    onSelect: () => this.#actions.showSelection(),
    onRange: () => this.#actions.showRange(),
    onDelete: () => this.#actions.delete(),
    onCopy: () => this.#actions.copy(),
    onFill: () => this.#actions.fill(),
    onMenu: (cell, place) => this.#actions.openMenu(cell, place),
    onFilter: (filter) => this.#partitions.mark(filter),
    onTrouble: (error) => begin(() => this.#afterTrouble(error)),
    onCount: (table, count) => this.#counting.correct(table, count),
    onState: () => this.#showState(),
  });
  readonly #view = new WorkspaceView(() => this.#results.grid.followDensity());
  readonly #samples: SampleList;
  readonly #panel = new LoadPanel(() => this.#title.focus());
  readonly #dialog = lazy(async () => {
    const { EntityDialog } = await import('./ui/entity-dialog.js');
    return new EntityDialog(this.#whyNot, await this.#changes());
  });

  readonly #loadHistory: () => Promise<History> = lazy(async () => {
    const { History } = await import('./ui/history.js');
    return (this.#history = new History({
      ...{ panel: this.#panel, tables: this.#tables, results: this.#results },
      account: () => this.#account,
      table: () => this.#table,
      refresh: () => this.#refresh(),
      showTables: (name) => this.#loads.showChanged(name),
      onBusy: (isBusy) => this.#setBusy(isBusy),
    }));
  });
  readonly #changes = async (): Promise<Changes> => (await this.#loadHistory()).changes();

  readonly #actions = new GridActions({
    whyNot: this.#whyNot,
    grid: this.#results.grid,
    panel: this.#panel,
    rows: () => this.#results.rows,
    changes: this.#changes,
    onForGood: (...what) => begin(async () => (await this.#loadHistory()).showForGood(...what)),
    onDuplicate: (entity) => begin(() => this.#add(entity)),
    onRows: (text) => begin(() => this.#openRows(text)),
    onBusy: (isBusy) => this.#setBusy(isBusy),
    onFilter: (filter) => this.#results.runFilter(filter),
    onSort: (sort) => this.#results.sortBy(sort),
  });
  readonly #loads = new TableLoads({
    ...{ panel: this.#panel, tables: this.#tables, counting: this.#counting },
    ...{ partitions: this.#partitions, results: this.#results },
    changes: this.#changes,
    account: () => this.#account,
    table: () => this.#table,
    show: (name) => this.#showTable(name),
    refresh: () => this.#refresh(),
    onBusy: (isBusy) => this.#setBusy(isBusy),
  });
  readonly #loadCopies = lazy(async () => {
    this.#copies = new (await import('./ui/copies.js')).Copies({
      whyNot: this.#whyNot,
      panel: this.#panel,
      table: () => this.#table,
      filter: () => this.#results.query.filter,
      show: (copy) => this.#showCopy(copy),
      leave: (copy) => this.#leave(copy),
      onBusy: (isBusy) => this.#setBusy(isBusy),
    });
    this.#copies.showLimits(this.#isBusy);
  });
  readonly #export = lazy(async () => new (await import('./ui/export-dialog.js')).ExportDialog());
  readonly #tableActions = lazy(async () => {
    const { TableActions } = await import('./ui/table-actions.js');
    return new TableActions({
      ...{ counting: this.#counting, results: this.#results },
      history: this.#loadHistory,
      show: (name) => this.#showTable(name),
      firstTable: (names) => this.#home.firstTable(names),
    });
  });
  readonly #drop = new FileDrop((file) => begin(() => this.#open(file)));

  // Set by start(), before anything can be clicked.
  #account!: TableServiceClient;
  #table: TableClient | undefined;
  // Loaded with the first change.
  #history: History | undefined;
  // Loaded with the first table behind the REST API.
  #copies: Copies | undefined;
  #isBusy = false;
  #isStopped = false;

  constructor(home: Home) {
    this.#home = home;
    byId('copy-link', HTMLElement).hidden = !home.onState;
    if (!home.onState)
      this.#tables.onChoose = (name) => begin(() => this.openView({ table: name }));
    this.#samples = new SampleList(home.samples, (dataset) =>
      begin(() => this.loadSample(dataset)),
    );
    for (const id of ['welcome-import', 'import-file']) onClick(id, () => this.#drop.choose());
    for (const id of ['welcome-table', 'new-table']) {
      onClick(id, () => begin(async () => (await this.#tableActions()).create(this.#account)));
    }
    onClick('delete-table', () => begin(() => this.#deleteTable()));
    onClick('add-entity', () => begin(() => this.#add()));
    onClick('export-table', () => begin(() => this.#openExport()));
    onClick('download-account', () => begin(() => this.#download()));
    onClick('trouble-retry', () => begin(() => this.start()));
  }

  /** Opens the account and shows a table of it, or shows the error. */
  async start(): Promise<void> {
    try {
      this.#account = await this.#home.openAccount();
      this.#drop.isBusy = false;
      const names = await listTableNames(this.#account);
      if (this.#isStopped) return;
      for (const name of names) this.#counting.start(this.#account.tableClient(name));
      const view = this.#home.firstView?.(names);
      const { table = this.#home.firstTable(names), ...state } = view ?? {};
      await this.#showTable(table, state);
    } catch (error) {
      showTrouble(error, this.#home.remedy?.(error));
      this.#home.onView?.('trouble');
    }
  }

  /** Ends reading, because the elements are about to go. */
  stop(): void {
    this.#isStopped = true;
    this.#counting.reset();
    this.#results.stop();
    const copy = this.#replaceTable(undefined);
    if (copy) begin(() => copy.close());
  }

  /** Shows a table as an address says. */
  async openView({ table, ...state }: ViewState): Promise<void> {
    hideNotice();
    this.#view.closeDrawer();
    if (table === this.#table?.tableName) return this.#results.restore(state);
    const names = await listTableNames(this.#account);
    if (names.includes(table)) return this.#showTable(table, state);
    this.#showState();
    throw new Error(`There is no table ${table}.`);
  }

  #showState(): void {
    const table = this.#table?.tableName;
    this.#home.onState?.(table === undefined ? undefined : { ...this.#results.state, table });
  }

  /** Shows a table of the account, or the welcome if there is none. */
  async #showTable(name: string | undefined, state: TableState = {}): Promise<void> {
    if (name === undefined) this.#home.onState?.(undefined);
    const table = name === undefined ? undefined : this.#account.tableClient(name);
    const copy = this.#replaceTable(table);
    try {
      if (table) await this.#openTable(table, state);
      else this.#showView('welcome');
    } finally {
      await copy?.close();
    }
  }

  async #openTable(table: TableClient, state: TableState): Promise<void> {
    const { tableName: name } = table;
    this.#title.textContent = name;
    const loading = isLocal(table) ? undefined : this.#loadCopies();
    const [names] = await Promise.all([listTableNames(this.#account), loading]);
    if (this.#isStopped) return;
    this.#tables.show(names, name);
    this.#showView('workspace');
    const dataset = this.#home.samples.find((sample) => sample.table === name);
    await Promise.all([
      showRules(this.#account, name, () => this.#table?.tableName === name),
      this.#partitions.show(table),
      this.#results.open(table, dataset, state),
    ]);
  }

  /**
   * Ends what belongs to the table on the screen, and makes this one current. Returns the copy that
   * was shown. The caller closes it after the next table is open, because results may still read
   * it.
   */
  #replaceTable(table: TableClient | undefined): TableCopy | undefined {
    this.#copies?.stop();
    this.#history?.hide();
    const copy = copyOf(this.#table);
    if (copy) this.#results.stop();
    this.#table = table;
    this.#copies?.showLimits(this.#isBusy);
    return copy;
  }

  async #showCopy({ table, count }: TableCopy): Promise<void> {
    const before = this.#replaceTable(table);
    try {
      await Promise.all([this.#partitions.show(table), this.#results.open(table, undefined)]);
      announce(`A copy of ${counted(count, 'entities')} is shown.`);
    } finally {
      await before?.close();
    }
  }

  async #leave({ table, filter }: TableCopy): Promise<void> {
    hideNotice();
    this.#title.focus();
    await this.#showTable(table.tableName, { filter });
    announce('The table of the account is shown.');
  }

  async #deleteTable(): Promise<void> {
    hideNotice();
    await (await this.#tableActions()).delete(this.#account, this.#table!);
  }

  /** The results can no longer be read or followed. */
  async #afterTrouble(error: unknown): Promise<void> {
    showNotice(error);
    if (!(error instanceof TableError && error.code === 'TableNotFound')) return;
    await (await this.#tableActions()).leaveIfGone(this.#account, () => this.#table?.tableName);
  }

  #showView(view: View): void {
    showView(view);
    this.#home.onView?.(view);
  }

  /** Loads a sample, and shows it. */
  loadSample(dataset: Dataset): Promise<void> {
    return this.#loads.sample(dataset);
  }

  async #open(file: File): Promise<void> {
    checkIsWritable(undefined, this.#whyNot('insert'));
    await this.#loads.open(file);
  }

  async #openRows(text: string): Promise<void> {
    checkIsWritable(undefined, this.#whyNot('insert'));
    await this.#loads.openRows(text);
  }

  async #download(): Promise<void> {
    await (await import('./ui/download.js')).downloadAccount(this.#account);
  }

  async #openExport(): Promise<void> {
    (await this.#export()).open(this.#table!, this.#results.query);
  }

  async #refresh(): Promise<void> {
    await Promise.all([this.#partitions.show(this.#table!), this.#results.refresh()]);
  }

  #setBusy(isBusy: boolean): void {
    this.#isBusy = isBusy;
    this.#samples.isBusy = isBusy;
    this.#drop.isBusy = isBusy;
    for (const id of ['import-file', 'paste-rows', 'delete-table']) {
      disable(byId(id, HTMLButtonElement), isBusy);
    }
    this.#copies?.showLimits(isBusy);
    byId('welcome', HTMLElement).hidden ||= isBusy;
    this.#home.onBusy?.(isBusy);
  }

  /** @param like - the entity that the new one begins as; else it has the columns on the screen. */
  async #add(like?: TypedEntity): Promise<void> {
    checkIsWritable(this.#table, this.#whyNot('insert'));
    const dialog = await this.#dialog();
    if (like) return dialog.openCopy(this.#table!, like);
    dialog.openNew(this.#table!, this.#partitions.first ?? '', this.#results.grid.layout.shown);
  }

  async #edit({ partitionKey, rowKey }: TypedEntity): Promise<void> {
    hideNotice();
    checkIsWritable(this.#table);
    const dialog = await this.#dialog();
    await attempt(() => dialog.openExisting(this.#table!, partitionKey, rowKey));
  }

  /** Shows another account instead, which `replace` makes of this one. */
  async replaceAccount(
    replace: (account: TableServiceClient) => Promise<TableServiceClient>,
  ): Promise<void> {
    hideNotice();
    this.#counting.reset();
    this.#history?.reset();
    this.#results.stop();
    this.#account = await replace(this.#account);
    await this.#showTable((await listTableNames(this.#account))[0]);
  }
}
