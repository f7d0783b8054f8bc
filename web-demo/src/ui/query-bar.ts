/**
 * What is asked of a table: the filter, the order, and the words to find.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { Column } from '../columns.js';
import type { Dataset } from '../datasets/dataset.js';
import { isLocal } from '../explorer/limits.js';
import { stateOf, type QueryState } from '../explorer/view-state.js';
import { lazy } from '../lazy.js';
import { ResultRows } from '../rows/result-rows.js';
import type { RowQuery, Sort } from '../rows/row-query.js';
import type { Rows } from '../rows/rows.js';
import { queriesOf, wordsOf } from '../saved-queries.js';
import { makeButton, onClick } from './dom.js';
import { FilterBox } from './filter-box.js';
import type { Offer } from './filter-suggestions.js';
import { begin } from './notice.js';
import type { QueryPanels } from './query-panels.js';
import type { SearchPanel } from './search-panel.js';

// Of those that were asked last.
const MOST_OFFERED = 5;

export class QueryBar {
  readonly #onRun: () => void;
  readonly #box: FilterBox;
  readonly #loadSearch: () => Promise<SearchPanel>;
  // Loaded when it is opened first.
  #search: SearchPanel | undefined;
  #sort: Sort | undefined;
  #table = '';
  #examples: readonly Offer[] = [];

  /** @param onRun - called when the user asks. */
  constructor(panels: QueryPanels, onRun: () => void) {
    this.#onRun = onRun;
    this.#box = new FilterBox(onRun);
    this.#box.starts = () => this.#starts();
    this.#loadSearch = lazy(async () => {
      const { SearchPanel } = await import('./search-panel.js');
      this.#search = new SearchPanel(onRun);
      panels.follow(this.#search);
      return this.#search;
    });
    const loadDialog = lazy(async () => {
      const { QueryDialog } = await import('./query-dialog.js');
      return new QueryDialog((text) => begin(() => this.#run(text)));
    });
    onClick('queries', () => begin(async () => (await loadDialog()).open(this.#table, this.query)));
    onClick('toggle-search', () => begin(async () => (await this.#loadSearch()).toggle()));
  }

  /** What is asked now. */
  get query(): RowQuery {
    const { filter } = this.#box;
    const search = this.#search?.search;
    return { filter, sort: search ? undefined : this.#sort, search };
  }

  /** Why nothing is found. */
  get noMatch(): string {
    return this.#search?.noMatch ?? 'No entity matches.';
  }

  /** The columns of the results, which suggestions are made of. */
  set columns(columns: readonly Column[]) {
    this.#box.columns = columns;
  }

  /** Asks for something else, without running it. */
  async restore({ filter = '', sort, search }: QueryState): Promise<void> {
    this.#box.filter = filter;
    this.#sort = sort;
    if (search) await this.#loadSearch();
    this.#search?.restore(search);
  }

  /** Offers what another table can be asked. */
  open({ tableName }: TableClient, dataset: Dataset | undefined): void {
    this.#table = tableName;
    this.#box.columns = [];
    const example = (about: string) => (text: string) => ({
      ...{ text, about },
      take: () => this.#box.run(text),
    });
    this.#examples = dataset
      ? [...dataset.examples.map(example('example')), example('a wrong one')(dataset.wrongExample)]
      : [];
  }

  /** The examples as buttons, for a result that has nothing. */
  get examples(): HTMLElement[] {
    return this.#examples.map(({ text, take }) => makeButton({ class: 'example' }, take, text));
  }

  async sortBy(table: TableClient, sort: Sort | undefined): Promise<void> {
    if (!isLocal(table)) {
      const { WHOLE_LIMITS } = await import('../explorer/remote-limits.js');
      throw new Error(WHOLE_LIMITS);
    }
    if (this.#search?.search) throw new Error('A search shows the best results first.');
    this.#sort = sort;
    this.#onRun();
  }

  runFilter(filter: string): void {
    this.#box.run(filter);
  }

  rowsOf(table: TableClient): Rows {
    const { query } = this;
    const { search } = query;
    if (search) return this.#search!.rows(table, { ...query, search });
    return new ResultRows(table, query);
  }

  showNoError(): void {
    this.#box.showError(undefined);
    this.#search?.showError(undefined);
  }

  /** Shows an error at the filter, or at the words if these are at fault. */
  async showError(error: unknown, table: TableClient, isCurrent: () => boolean): Promise<void> {
    const isOfSearch = await this.#search?.isAtFault(table, this.#box.filter);
    if (!isCurrent()) return;
    this.#box.showError(isOfSearch ? undefined : error);
    this.#search?.showError(isOfSearch ? error : undefined);
  }

  async #run(text: string): Promise<void> {
    await this.restore(stateOf(text));
    this.#onRun();
  }

  #starts(): readonly Offer[] {
    const { recent, named } = queriesOf(this.#table);
    const offer = (text: string, about: string) => ({
      ...{ text: wordsOf(text), about },
      take: () => begin(() => this.#run(text)),
    });
    return [
      ...Object.entries(named).map(([name, text]) => offer(text, name)),
      ...recent.slice(0, MOST_OFFERED).map((text) => offer(text, 'recent')),
      ...this.#examples,
    ];
  }
}
