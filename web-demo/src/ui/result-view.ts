/**
 * The results of a query: their number, the time, and the grid of all of them.
 *
 * @module
 */

import { TableError, type TableClient } from 'entitable';

import { columnsOf } from '../columns.js';
import type { Dataset } from '../datasets/dataset.js';
import { displayCount, displayMs } from '../display.js';
import { isLocal } from '../explorer/limits.js';
import type { TableState } from '../explorer/view-state.js';
import type { Grid } from '../grid/grid.js';
import type { GridOptions } from '../grid/grid-options.js';
import { gridWithInput } from '../grid/grid-input.js';
import { ResultChanges } from '../rows/result-changes.js';
import { idOf, type RowQuery, type Sort } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { remember } from '../saved-queries.js';
import { propertiesOf, type PropertyTypes } from '../table-properties.js';
import type { TypedEntity } from '../typed-entity.js';
import { byId } from './dom.js';
import { LateText } from './late-text.js';
import { begin } from './notice.js';
import { QueryBar } from './query-bar.js';
import { QueryPanels } from './query-panels.js';

// The user has stopped scrolling, in milliseconds.
const REST_MS = 200;

// Between two readings of rows that change all the time, as many times as long as a reading takes.
const REST_SHARE = 4;

type OwnGestures = 'onSort' | 'onLoad' | 'onScroll' | 'onTrouble';

export interface ResultViewOptions extends Omit<GridOptions, OwnGestures> {
  /** Called with the filter of each new query. */
  onFilter(filter: string): void;
  /** Called with the number of all entities in the table. */
  onCount(tableName: string, count: number): void;
  /** Called when the page can no longer follow changes. */
  onTrouble(error: unknown): void;
  /** Called when the user sees something else of the table. */
  onState(): void;
}

export class ResultView {
  readonly #results = byId('results', HTMLElement);
  readonly #onFilter: (filter: string) => void;
  readonly #onTrouble: (error: unknown) => void;
  readonly #onCount: (tableName: string, count: number) => void;
  readonly #onState: () => void;
  readonly #panels: QueryPanels;
  readonly #bar: QueryBar;
  #query: RowQuery = { filter: '', sort: undefined };
  readonly grid: Grid;
  /** Whether this page writes many entities: then those that appear are not of others. */
  isLoading = false;

  #table: TableClient | undefined;
  #columns: readonly string[] = [];
  // The columns that the address names.
  #arranged: readonly string[] | undefined;
  #isRestoring = false;
  // Of all entities in the table, once they are known.
  #properties: PropertyTypes = new Map();
  #rows: Rows | undefined;
  // How long the first rows took.
  #milliseconds = 0;
  // The number of the last request. The answer to an earlier one is dropped.
  #ticket = 0;
  readonly #wait = new LateText();
  readonly #waitForBlock = new LateText();
  readonly #changes: ResultChanges;
  #updating: Promise<void> | undefined;
  #isUpdateDue = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor({ onFilter, onState, ...options }: ResultViewOptions) {
    this.#onTrouble = options.onTrouble;
    this.#onCount = options.onCount;
    this.#onFilter = onFilter;
    this.#onState = () => {
      if (this.#table && !this.#isRestoring) onState();
    };
    this.grid = gridWithInput({
      ...options,
      onSort: (sort) => this.sortBy(sort),
      onLoad: () => this.#showResults(),
      onScroll: () => this.#followLater(),
    });
    this.grid.layout.onArrange = this.#onState;
    this.#panels = new QueryPanels(panelsWith(this.#onState), this.#onState);
    this.#bar = new QueryBar(this.#panels, () => begin(() => this.run()));
    const { onTrouble: onError } = options;
    this.#changes = new ResultChanges({ onChange: () => this.#update(), onError });
  }

  /** That the user has asked last. */
  get query(): RowQuery {
    return this.#query;
  }

  /** The rows on the screen; undefined, if there is no answer. */
  get rows(): Rows | undefined {
    return this.#rows;
  }

  /** What is on the screen of the table. */
  get state(): TableState {
    const { opened: panel, choice: chart } = this.#panels;
    return { ...this.#bar.query, columns: this.grid.layout.arranged, panel, chart };
  }

  /** Shows another table; all of it, if the state says nothing else. */
  async open(table: TableClient, dataset: Dataset | undefined, state: TableState = {}) {
    this.#table = table;
    if (!isLocal(table)) this.#panels.close();
    this.#columns = Object.keys(dataset?.properties ?? {});
    this.#properties = new Map();
    this.#bar.open(table, dataset);
    if (state.panel) begin(() => this.#panels.open(state.panel, table.tableName, state.chart));
    await this.#restoreQuery(state);
    await this.run();
    begin(() => this.#readProperties());
  }

  /** Shows something else of the same table. */
  async restore(state: TableState): Promise<void> {
    await this.#restoreQuery(state);
    begin(() => this.#panels.open(state.panel, this.#table!.tableName, state.chart));
    await this.run();
  }

  // Nobody is told what is on the screen in between.
  async #restoreQuery(state: TableState): Promise<void> {
    this.#arranged = state.columns;
    this.#isRestoring = true;
    try {
      await this.#bar.restore(state);
    } finally {
      this.#isRestoring = false;
    }
  }

  // A property that the loaded rows lack has a column nevertheless. The results are read from the
  // same pages, and say so if these cannot be read.
  async #readProperties(): Promise<void> {
    const table = this.#table;
    const properties =
      table && isLocal(table) && (await propertiesOf(table).catch(() => undefined));
    if (!properties || table !== this.#table) return;
    this.#properties = properties;
    if (this.#rows?.table === table) this.#showParts();
  }

  sortBy(sort: Sort | undefined): void {
    begin(() => this.#bar.sortBy(this.#table!, sort));
  }

  runFilter(filter: string): void {
    this.#bar.runFilter(filter);
  }

  /** Runs the query in the box. */
  async run(): Promise<void> {
    if (!this.#table) return;
    this.#query = this.#bar.query;
    this.#onFilter(this.#query.filter);
    this.#onState();
    const rows = this.#bar.rowsOf(this.#table);
    const ticket = this.#begin();
    this.#wait.await(() => this.#showWait());
    try {
      const start = performance.now();
      await rows.open();
      const milliseconds = performance.now() - start;
      await rows.count();
      if (ticket !== this.#ticket) return;
      this.#show(rows, milliseconds);
      remember(this.#table.tableName, this.#query);
    } catch (error) {
      await this.#showError(error, ticket);
    }
  }

  /** Reads the rows in sight again, because they may have changed. */
  async refresh(): Promise<void> {
    const rows = this.#rows;
    if (!rows) return;
    if (this.isLoading) begin(() => this.#readProperties());
    const ticket = this.#begin();
    try {
      await this.#renew(rows, ticket, false);
    } catch (error) {
      await this.#showError(error, ticket);
    }
  }

  /** Reads and follows nothing any more, until the next query. */
  stop(): void {
    this.#begin();
    this.#rows?.stop();
    this.#rows = undefined;
  }

  #begin(): number {
    this.#changes.stop();
    this.#wait.stop();
    this.#waitForBlock.stop();
    this.#isUpdateDue = false;
    return ++this.#ticket;
  }

  #showWait(): void {
    this.#results.textContent = 'Reading…';
    if (this.#rows?.table === this.#table) return;
    // Else the rows of the table before would be under the name of this one.
    this.#rows?.stop();
    this.#rows = undefined;
    this.grid.showText('');
  }

  #waitForRows(): void {
    this.#waitForBlock.await(() => {
      const rows = this.#rows;
      const { first } = this.grid.range;
      if (!rows || rows.total === 0 || rows.at(first)) return;
      const work = rows.query.sort ? `Sorting ${displayCount(rows.total)} entities` : 'Reading';
      this.#results.textContent = `${work}, for row ${displayCount(first + 1)} and on…`;
    });
  }

  #show(rows: Rows, milliseconds: number): void {
    this.#wait.stop();
    this.#rows = rows;
    this.#milliseconds = milliseconds;
    this.#bar.showNoError();
    this.grid.layout.open(this.#table!.tableName, this.#columns, this.#arranged);
    if (rows.total === 0) this.grid.showText(this.#bar.noMatch, this.#bar.examples);
    else this.grid.show(rows, { caption: this.#table!.tableName, sort: rows.query.sort });
    this.#showResults();
    this.#showParts();
    this.#changes.follow(rows, this.grid.range);
  }

  #showResults(): void {
    const { table, total, isFinal, query } = this.#rows!;
    if (isFinal && !query.search && !query.filter.trim()) this.#onCount(table.tableName, total);
    const count = isFinal && total === 1 ? '1 entity' : `${displayCount(total)} entities`;
    const least = isFinal ? '' : 'At least ';
    const order = query.search && total > 1 ? ', best first' : '';
    this.#results.textContent = `${least}${count}${order} · ${displayMs(this.#milliseconds)}`;
    this.#waitForRows();
  }

  // No result says nothing of the properties.
  #showParts(): void {
    const { table, query, loaded, scope } = this.#rows!;
    const columns = columnsOf(loaded, this.#columns, this.#properties);
    this.grid.layout.addTypes(this.#properties);
    if (columns.length > 0) this.#bar.columns = columns;
    this.#panels.show({ ...query, table, columns, entities: loaded, total: scope });
  }

  // Changes that come while the rows are read lead to one more reading, after a rest.
  #update(): void {
    this.#isUpdateDue = true;
    this.#updating ??= this.#updateInTurns()
      .catch(this.#onTrouble)
      .finally(() => (this.#updating = undefined));
  }

  async #updateInTurns(): Promise<void> {
    while (this.#isUpdateDue && this.#rows) {
      this.#isUpdateDue = false;
      const ticket = this.#ticket;
      const start = performance.now();
      await this.#renew(this.#rows, ticket, true).catch((error: unknown) => {
        // The view shows another result now, because the table was deleted or the account emptied.
        if (ticket === this.#ticket) throw error;
      });
      const rest = (performance.now() - start) * REST_SHARE;
      await new Promise((resolve) => setTimeout(resolve, rest));
    }
  }

  /** @param isOfOthers - whether changed entities are highlighted. */
  async #renew(before: Rows, ticket: number, isOfOthers: boolean): Promise<void> {
    const start = performance.now();
    const { rows, moved } = await before.renewed(this.grid.range, this.grid.isAtTop);
    if (ticket !== this.#ticket || before !== this.#rows) return rows.stop();
    const milliseconds = performance.now() - start;
    if (before.total === 0 || rows.total === 0) {
      this.#show(rows, milliseconds);
    } else {
      if (isOfOthers && this.grid.isSame(rows, moved)) return rows.stop();
      this.#rows = rows;
      this.#milliseconds = milliseconds;
      this.grid.replace(rows, moved);
      this.#showResults();
      this.#showParts();
      this.#changes.follow(rows, this.grid.range);
    }
    if (isOfOthers && !this.isLoading) this.grid.body.markChanged(changesSince(before));
  }

  #followLater(): void {
    this.#waitForRows();
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#rows) this.#changes.follow(this.#rows, this.grid.range);
    }, REST_MS);
  }

  // The rows of the last answer stay, so that the user sees what the query is about.
  async #showError(error: unknown, ticket: number): Promise<void> {
    await this.#bar.showError(error, this.#table!, () => ticket === this.#ticket);
    if (ticket !== this.#ticket) return;
    this.#wait.stop();
    this.#panels.refuse();
    const isGone = error instanceof TableError && error.code === 'TableNotFound';
    this.#results.textContent = 'No answer';
    if (isGone || this.#rows?.table !== this.#table) {
      this.#rows?.stop();
      this.#rows = undefined;
      this.grid.showText('The service has refused the query.');
    } else if (this.#rows) {
      this.#results.textContent += '. These are the rows of the query before.';
    }
    if (isGone) this.#onTrouble(error);
  }
}

// Each is loaded when it is opened first.
const panelsWith = (onChoose: () => void) => ({
  chart: async () => new (await import('./chart-panel.js')).ChartPanel(onChoose),
  properties: async () => new (await import('./properties-panel.js')).PropertiesPanel(),
  plan: async () => new (await import('./plan-view.js')).PlanView(),
  'code-view': async () => new (await import('./code-view.js')).CodeView(),
});

// Whether an entity was written after all of those that were loaded before.
function changesSince({ loaded }: Rows): (entity: TypedEntity) => boolean {
  const etags = new Map(loaded.map((entity) => [idOf(entity), entity.etag]));
  const newest = loaded.reduce((last, { timestamp }) => (timestamp > last ? timestamp : last), '');
  return (entity) => etags.get(idOf(entity)) !== entity.etag && entity.timestamp > newest;
}
