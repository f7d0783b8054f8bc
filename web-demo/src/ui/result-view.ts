/**
 * The results of a query: their number, the time, and a page of entities.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import { columnsOf } from '../columns.js';
import type { Dataset } from '../datasets/dataset.js';
import { displayCount, displayMs } from '../display.js';
import { EntityQuery, type ResultPage, type Sort } from '../entity-query.js';
import { PageChanges, type EntityKeys } from '../page-changes.js';
import type { TypedEntity } from '../typed-entity.js';
import { ChartPanel } from './chart-panel.js';
import { CodeView } from './code-view.js';
import { byId } from './dom.js';
import { FilterBox } from './filter-box.js';
import { Grid } from './grid.js';
import { begin } from './notice.js';

export interface ResultViewOptions {
  onOpen(entity: TypedEntity): void;
  /** Called with the filter of each new query. */
  onFilter(filter: string): void;
  /** Called when the page can no longer follow changes. */
  onTrouble(error: unknown): void;
}

export class ResultView {
  readonly #results = byId('results', HTMLElement);
  readonly #previous = byId('previous-page', HTMLButtonElement);
  readonly #next = byId('next-page', HTMLButtonElement);
  readonly #number = byId('page-number', HTMLElement);
  readonly #pageSize = byId('page-size', HTMLSelectElement);
  readonly #box = new FilterBox(() => begin(() => this.run()));
  readonly #onFilter: (filter: string) => void;
  readonly #chart = new ChartPanel();
  readonly #code = new CodeView();
  readonly grid: Grid;

  #table: TableClient | undefined;
  #columns: readonly string[] = [];
  #sort: Sort | undefined;
  #query: EntityQuery | undefined;
  // The number of the last request. The answer to an earlier one is dropped.
  #ticket = 0;
  #shown: ResultPage | undefined;
  readonly #changes: PageChanges;
  // Entities that others have changed, and that are not shown yet.
  #changed: EntityKeys[] = [];

  constructor({ onOpen, onFilter, onTrouble }: ResultViewOptions) {
    this.grid = new Grid({
      onOpen,
      onSort: (sort) => {
        this.#sort = sort;
        begin(() => this.run());
      },
    });
    this.#onFilter = onFilter;
    this.#changes = new PageChanges({
      onChange: (changed) => void this.#update(changed).catch(onTrouble),
      onError: onTrouble,
    });
    this.#previous.addEventListener('click', () =>
      begin(() => this.#ask((query) => query.previous())),
    );
    this.#next.addEventListener('click', () => begin(() => this.#ask((query) => query.next())));
    this.#pageSize.addEventListener('change', () => begin(() => this.run()));
  }

  /** Shows the first page of another table. */
  open(table: TableClient, dataset: Dataset | undefined): Promise<void> {
    this.#table = table;
    this.#columns = Object.keys(dataset?.properties ?? {});
    this.#sort = undefined;
    this.#box.showExamples(dataset);
    this.#box.filter = '';
    this.#box.columns = [];
    return this.run();
  }

  runFilter(filter: string): void {
    this.#box.run(filter);
  }

  /** Runs the query in the box, from the first page on. */
  run(): Promise<void> {
    if (!this.#table) return Promise.resolve();
    const { filter } = this.#box;
    const query = { filter, sort: this.#sort, pageSize: Number(this.#pageSize.value) };
    this.#query = new EntityQuery(this.#table, query);
    this.#onFilter(filter);
    this.#code.show({ table: this.#table.tableName, ...query });
    return this.#ask((query) => query.again());
  }

  /** Reads the same page again, because it may have changed. */
  refresh(): Promise<void> {
    return this.#ask((query) => query.again());
  }

  /** Ends following changes, until the next query. */
  stop(): void {
    this.#ticket++;
    this.#changes.stop();
  }

  async #ask(request: (query: EntityQuery) => Promise<ResultPage>): Promise<void> {
    if (!this.#query) return;
    const ticket = ++this.#ticket;
    this.#changes.stop();
    this.#changed = [];
    try {
      const page = await request(this.#query);
      if (ticket === this.#ticket) this.#show(page);
    } catch (error) {
      if (ticket === this.#ticket) this.#showError(error);
    }
  }

  // A page that is still the same is not drawn again.
  async #update(changed: readonly EntityKeys[]): Promise<void> {
    this.#changed.push(...changed);
    const ticket = ++this.#ticket;
    const page = await this.#query!.again().catch((error: unknown) => {
      // The view shows another page now, because the table was deleted or the account emptied.
      if (ticket === this.#ticket) throw error;
    });
    if (!page || ticket !== this.#ticket || isSame(page, this.#shown)) return;
    this.#show(page, this.#changed.splice(0));
  }

  #show(page: ResultPage, changed?: readonly EntityKeys[]): void {
    const { entities, milliseconds, number, hasNext } = page;
    this.#shown = page;
    const count = entities.length === 1 ? '1 entity' : `${displayCount(entities.length)} entities`;
    this.#box.showError(undefined);
    const where = hasNext || number > 1 ? ' on this page' : '';
    this.#results.textContent = `${count}${where} · ${displayMs(milliseconds)}`;
    const caption = `${this.#table!.tableName}, page ${number}`;
    const view = { caption, order: this.#columns, sort: this.#query!.sort };
    if (entities.length === 0) this.grid.showText('No entity matches.');
    else if (changed) this.grid.update(entities, view, changed);
    else this.grid.show(entities, view);
    this.#showPager(number, hasNext);
    this.#changes.follow(this.#table!, this.#query!, page);
    const columns = columnsOf(entities, this.#columns);
    // No result says nothing of the properties.
    if (columns.length > 0) this.#box.columns = columns;
    // Another page of the same query changes no chart.
    if (number > 1 && !changed) return;
    this.#chart.show({ table: this.#table!, filter: this.#query!.filter, columns });
  }

  #showError(error: unknown): void {
    this.#box.showError(error);
    this.#results.textContent = 'No answer';
    this.grid.showText('The service has refused the query.');
    this.#showPager(1, false);
  }

  // A button that becomes disabled would lose the focus.
  #showPager(number: number, hasNext: boolean): void {
    const focused = document.activeElement;
    this.#previous.disabled = number === 1;
    this.#next.disabled = !hasNext;
    this.#number.textContent = `Page ${number}`;
    if (focused === this.#next && !hasNext) this.#previous.focus();
    if (focused === this.#previous && number === 1) this.#next.focus();
  }
}

function isSame(one: ResultPage, other: ResultPage | undefined): boolean {
  return (
    one.hasNext === other?.hasNext &&
    one.entities.length === other.entities.length &&
    one.entities.every(({ etag }, at) => etag === other.entities[at]!.etag)
  );
}
