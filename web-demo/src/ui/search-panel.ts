/**
 * The words to find in a property, below the filter. It is loaded when it is opened first.
 *
 * @module
 */

import type { TableClient } from 'entitable';

import type { Column } from '../columns.js';
import { displayCount } from '../display.js';
import { FoundRows, MOST_FOUND, type SearchQuery } from '../rows/found-rows.js';
import type { Search } from '../rows/row-query.js';
import { byId, make } from './dom.js';
import { errorContent } from './errors.js';
import { Field } from './field.js';
import { makeSelect } from './property-row.js';
import type { QueryFollower, QuerySource } from './query-source.js';

const MATCHES: Readonly<Record<string, Search['match']>> = {
  'all of the words': 'all',
  'any of the words': 'any',
};

const HINT =
  `The best ${displayCount(MOST_FOUND)} are shown, in the order of their scores. ` +
  'Chart, Properties and Export follow the filter alone.';

const NO_TEXTS = 'No property of the entities that were loaded has texts.';

export class SearchPanel implements QueryFollower {
  readonly #panel = byId('search', HTMLElement);
  readonly #toggle = byId('toggle-search', HTMLButtonElement);
  readonly #onRun: () => void;
  readonly #input = make('input', {
    ...{ type: 'search', autocomplete: 'off', spellcheck: 'false' },
    placeholder: 'as in: star wars, or brea*',
  });
  readonly #words = new Field('Words', this.#input);
  readonly #property = new Field('In the property', make('select'));
  readonly #match = new Field('Texts with', makeSelect(Object.keys(MATCHES), ''));
  readonly #hint = make('p', { class: 'search-hint' });
  #tableName = '';
  // The property of a search that is not for the entities on the screen yet.
  #restored: string | undefined;

  /** @param onRun - called when the user has changed the search, apart from its words. */
  constructor(onRun: () => void) {
    this.#onRun = onRun;
    const fields = [this.#words, this.#property, this.#match].map(({ element }) => element);
    this.#panel.append(...fields, this.#hint);
    this.#panel.addEventListener('change', ({ target }) => {
      if (target !== this.#input && this.search) onRun();
    });
    // The button in the input removes the words.
    this.#input.addEventListener('input', () => {
      if (!this.#input.value) onRun();
    });
  }

  /** What to find; undefined, if the panel is closed or has no words. */
  get search(): Search | undefined {
    const words = this.#input.value.trim();
    const property = this.#property.value;
    if (this.#panel.hidden || !words || !property) return undefined;
    return { property, words, match: MATCHES[this.#match.value]! };
  }

  /** What is shown if the search finds nothing; undefined, if there is no search. */
  get noMatch(): string | undefined {
    return this.search && `No entity has these words in ${this.search.property}.`;
  }

  /** The rows of a search. */
  rows(table: TableClient, query: SearchQuery): FoundRows {
    return new FoundRows(table, query);
  }

  /** Offers the texts of the entities on the screen. */
  show({ table, columns }: QuerySource): void {
    const isOther = table.tableName !== this.#tableName && !this.#restored;
    this.#tableName = table.tableName;
    this.#restored = undefined;
    const texts = columns.filter(({ types }) => types.has('String'));
    const names = texts.map(({ name }) => name);
    const chosen = this.#property.value;
    // A result without entities has no columns.
    if (!isOther && columns.length === 0) return;
    if (!isOther && chosen && !names.includes(chosen)) names.push(chosen);
    const first = isOther || !chosen ? richest(texts) : chosen;
    const select = this.#property.control as HTMLSelectElement;
    select.replaceChildren(...makeSelect(names, first).children);
    select.value = first;
    this.#input.disabled = select.disabled = names.length === 0;
    this.#hint.textContent = names.length === 0 ? NO_TEXTS : HINT;
  }

  /** Opens or closes the panel. A closed one does not search. */
  toggle(): void {
    const isOpen = this.#panel.hidden;
    this.#open(isOpen);
    if (isOpen) this.#input.focus();
    if (this.#input.value.trim()) this.#onRun();
  }

  close(): void {
    this.#open(false);
  }

  #open(isOpen: boolean): void {
    this.#panel.hidden = !isOpen;
    this.#toggle.setAttribute('aria-expanded', String(isOpen));
  }

  /** Searches for the same as before; nothing, if it is undefined. */
  restore(search: Search | undefined): void {
    this.#input.value = search?.words ?? '';
    this.showError(undefined);
    if (!search) return;
    this.#restored = search.property;
    const { property, match } = search;
    this.#property.control = makeSelect([property], property);
    const [text = ''] = Object.keys(MATCHES).filter((one) => MATCHES[one] === match);
    this.#match.control.value = text;
    this.#open(true);
  }

  /** Whether a failed search is about the words: it is, if the filter alone works. */
  async isAtFault(table: TableClient, filter: string): Promise<boolean> {
    if (!this.search) return false;
    return table.countEntities({ filter }).then(
      () => true,
      () => false,
    );
  }

  showError(error: unknown): void {
    this.#words.showContent(error === undefined ? undefined : errorContent(error));
  }
}

/** The property with the most different text, which is the likely one to search. */
function richest(columns: readonly Column[]): string {
  const lengthOf = ({ values }: Column) =>
    [...values].reduce((sum, value) => sum + value.length, 0);
  const [first] = [...columns].sort((a, b) => lengthOf(b) - lengthOf(a));
  return first?.name ?? '';
}
