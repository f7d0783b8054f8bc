/**
 * The results of a query: their number, the time, and the grid of all of them.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { columnsOf } from '../columns.js';
import type { Dataset } from '../datasets/dataset.js';
import { displayCount, displayMs } from '../display.js';
import { isLocal, REMOTE_LIMITS } from '../explorer/limits.js';
import { Grid, type GridCell } from '../grid/grid.js';
import { lazy } from '../lazy.js';
import { ResultChanges } from '../rows/result-changes.js';
import { ResultRows } from '../rows/result-rows.js';
import { idOf, type Sort } from '../rows/row-query.js';
import type { TypedEntity } from '../typed-entity.js';
import { CodeView } from './code-view.js';
import { byId, onClick } from './dom.js';
import { FilterBox } from './filter-box.js';
import { begin } from './notice.js';
import type { QueryPanel, QuerySource } from './query-source.js';

// The user has stopped scrolling, in milliseconds.
const REST_MS = 200;

// Between two readings of rows that change all the time, as many times as long as a reading takes.
const REST_SHARE = 4;

export interface ResultViewOptions {
  onOpen(entity: TypedEntity): void;
  /** Called when the user wants to change a value in the grid. */
  onEdit(cell: GridCell): void;
  /** Called with the filter of each new query. */
  onFilter(filter: string): void;
  /** Called when the selected rows have changed. */
  onSelect(): void;
  /** Called when the user wants to delete the selected rows. */
  onDelete(): void;
  /** Called when the page can no longer follow changes. */
  onTrouble(error: unknown): void;
}

export class ResultView {
  readonly #results = byId('results', HTMLElement);
  readonly #box = new FilterBox(() => begin(() => this.run()));
  readonly #onFilter: (filter: string) => void;
  readonly #onTrouble: (error: unknown) => void;
  // Those that were opened once, and what they are about.
  readonly #panels: QueryPanel[] = [];
  #source: QuerySource | undefined;
  readonly #code = new CodeView();
  readonly grid: Grid;

  #table: TableClient | undefined;
  #columns: readonly string[] = [];
  #sort: Sort | undefined;
  #rows: ResultRows | undefined;
  // How long the first rows took.
  #milliseconds = 0;
  // The number of the last request. The answer to an earlier one is dropped.
  #ticket = 0;
  readonly #changes: ResultChanges;
  #updating: Promise<void> | undefined;
  #isUpdateDue = false;
  #rest: ReturnType<typeof setTimeout> | undefined;

  constructor({ onFilter, ...options }: ResultViewOptions) {
    this.#onTrouble = options.onTrouble;
    this.grid = new Grid({
      ...options,
      onSort: (sort) => begin(() => this.#sortBy(sort)),
      onLoad: () => this.#showResults(),
      onScroll: () => this.#followLater(),
    });
    this.#onFilter = onFilter;
    this.#addPanel('chart', async () => new (await import('./chart-panel.js')).ChartPanel());
    this.#addPanel('properties', async () => {
      return new (await import('./properties-panel.js')).PropertiesPanel();
    });
    const openPlan = this.#panel(async () => new (await import('./plan-view.js')).PlanView());
    byId('plan', HTMLElement).addEventListener('toggle', () =>
      begin(async () => (await openPlan()).toggle()),
    );
    this.#changes = new ResultChanges({
      onChange: () => this.#update(),
      onError: options.onTrouble,
    });
  }

  #addPanel(id: string, load: () => Promise<QueryPanel>): void {
    const open = this.#panel(load);
    onClick(`toggle-${id}`, () => begin(async () => (await open()).toggle()));
  }

  /** A panel that is loaded when it is opened first. */
  #panel(load: () => Promise<QueryPanel>): () => Promise<QueryPanel> {
    return lazy(async () => {
      const panel = await load();
      this.#panels.push(panel);
      if (this.#source) panel.show(this.#source);
      return panel;
    });
  }

  /** The rows on the screen; undefined, if there is no answer. */
  get rows(): ResultRows | undefined {
    return this.#rows;
  }

  /** Shows another table. */
  open(table: TableClient, dataset: Dataset | undefined): Promise<void> {
    this.#table = table;
    this.#columns = Object.keys(dataset?.properties ?? {});
    this.#sort = undefined;
    this.#box.showExamples(dataset);
    this.#box.filter = '';
    this.#box.columns = [];
    return this.run();
  }

  async #sortBy(sort: Sort | undefined): Promise<void> {
    if (!isLocal(this.#table!)) throw new Error(REMOTE_LIMITS);
    this.#sort = sort;
    await this.run();
  }

  runFilter(filter: string): void {
    this.#box.run(filter);
  }

  /** Runs the query in the box. */
  async run(): Promise<void> {
    if (!this.#table) return;
    const { filter } = this.#box;
    const query = { filter, sort: this.#sort };
    this.#onFilter(filter);
    this.#code.show({ table: this.#table.tableName, ...query });
    const rows = new ResultRows(this.#table, query);
    const ticket = this.#begin();
    try {
      const start = performance.now();
      await rows.open();
      const milliseconds = performance.now() - start;
      await rows.count();
      if (ticket === this.#ticket) this.#show(rows, milliseconds);
    } catch (error) {
      if (ticket === this.#ticket) this.#showError(error);
    }
  }

  /** Reads the rows in sight again, because they may have changed. */
  async refresh(): Promise<void> {
    const rows = this.#rows;
    if (!rows) return;
    const ticket = this.#begin();
    try {
      await this.#renew(rows, ticket, false);
    } catch (error) {
      if (ticket === this.#ticket) this.#showError(error);
    }
  }

  /** Ends following changes, until the next query. */
  stop(): void {
    this.#begin();
  }

  #begin(): number {
    this.#changes.stop();
    this.#isUpdateDue = false;
    return ++this.#ticket;
  }

  #show(rows: ResultRows, milliseconds: number): void {
    this.#rows = rows;
    this.#milliseconds = milliseconds;
    this.#box.showError(undefined);
    this.grid.layout.open(this.#table!.tableName, this.#columns);
    if (rows.total === 0) this.grid.showText('No entity matches.');
    else this.grid.show(rows, { caption: this.#table!.tableName, sort: this.#sort });
    this.#showResults();
    this.#showParts();
    this.#changes.follow(rows, this.grid.range);
  }

  #showResults(): void {
    const { total, isFinal } = this.#rows!;
    const count = isFinal && total === 1 ? '1 entity' : `${displayCount(total)} entities`;
    const least = isFinal ? '' : 'At least ';
    this.#results.textContent = `${least}${count} · ${displayMs(this.#milliseconds)}`;
  }

  // No result says nothing of the properties.
  #showParts(): void {
    const { table, query, loaded, total } = this.#rows!;
    const columns = columnsOf(loaded, this.#columns);
    if (columns.length > 0) this.#box.columns = columns;
    this.#source = { table, filter: query.filter, columns, entities: loaded, total };
    for (const panel of this.#panels) panel.show(this.#source);
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
  async #renew(before: ResultRows, ticket: number, isOfOthers: boolean): Promise<void> {
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
    if (isOfOthers) this.grid.markChanged(changesSince(before));
  }

  #followLater(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => {
      if (this.#rows) this.#changes.follow(this.#rows, this.grid.range);
    }, REST_MS);
  }

  #showError(error: unknown): void {
    this.#rows?.stop();
    this.#rows = undefined;
    this.#box.showError(error);
    this.#results.textContent = 'No answer';
    this.grid.showText('The service has refused the query.');
  }
}

// Whether an entity was written after all of those that were loaded before.
function changesSince({ loaded }: ResultRows): (entity: TypedEntity) => boolean {
  const etags = new Map(loaded.map((entity) => [idOf(entity), entity.etag]));
  const newest = loaded.reduce((last, { timestamp }) => (timestamp > last ? timestamp : last), '');
  return (entity) => etags.get(idOf(entity)) !== entity.etag && entity.timestamp > newest;
}
