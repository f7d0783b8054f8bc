/**
 * The list below the filter: how it may go on. Arrow keys choose, Enter takes, Escape closes.
 *
 * @module
 */

import type { Column } from '../columns.js';
import { completionOf, type Completion, type Suggestion } from '../filter-completion.js';
import { byId, elementRoot, make } from './dom.js';

export class FilterSuggestions {
  readonly #input = byId('filter', HTMLInputElement);
  readonly #list = byId('filter-suggestions', HTMLUListElement);
  /** Of the entities on the screen. */
  columns: readonly Column[] = [];

  #completion: Completion | undefined;
  // The suggestion that Enter takes; -1 if Enter runs the query.
  #active = -1;

  constructor() {
    this.#input.addEventListener('input', () => this.#open());
    this.#input.addEventListener('blur', () => this.close());
    this.#input.addEventListener('keydown', (event) => this.#press(event));
    elementRoot().addEventListener('selectionchange', () => this.#followCaret());
    // The input keeps the focus.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  close(): void {
    this.#completion = undefined;
    this.#list.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#mark(-1);
  }

  // The suggestions are for the place where they were opened.
  #followCaret(): void {
    if (this.#completion && this.#input.selectionEnd !== this.#completion.end) this.close();
  }

  #open(): void {
    const { value, selectionEnd } = this.#input;
    const completion = completionOf(value.slice(0, selectionEnd ?? value.length), this.columns);
    this.close();
    if (completion.suggestions.length === 0) return;
    this.#completion = completion;
    this.#list.replaceChildren(
      ...completion.suggestions.map((suggestion, at) => this.#item(suggestion, at)),
    );
    this.#list.hidden = false;
    this.#input.setAttribute('aria-expanded', 'true');
  }

  #item({ text, about }: Suggestion, at: number): HTMLLIElement {
    const item = make(
      'li',
      { id: `suggestion-${at}`, role: 'option', 'aria-selected': 'false' },
      make('code', {}, text),
      make('span', { class: 'about' }, about),
    );
    item.addEventListener('click', () => this.#take(at));
    return item;
  }

  #press(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (this.#completion) this.#move(key === 'ArrowDown' ? 1 : -1);
      else this.#open();
    } else if (key === 'Enter' && this.#active >= 0) {
      event.preventDefault();
      this.#take(this.#active);
    } else if (key === 'Escape' && this.#completion) {
      event.preventDefault();
      this.close();
    }
  }

  // Beyond either end, the input itself is active.
  #move(step: 1 | -1): void {
    const { length } = this.#completion!.suggestions;
    this.#mark(((this.#active + 1 + step + length + 1) % (length + 1)) - 1);
  }

  #mark(active: number): void {
    this.#active = active;
    for (const [at, item] of [...this.#list.children].entries()) {
      item.setAttribute('aria-selected', String(at === active));
      if (at === active) item.scrollIntoView({ block: 'nearest' });
    }
    if (active < 0) this.#input.removeAttribute('aria-activedescendant');
    else this.#input.setAttribute('aria-activedescendant', `suggestion-${active}`);
  }

  #take(at: number): void {
    const { start, end, suggestions } = this.#completion!;
    this.#input.setRangeText(`${suggestions[at]!.text} `, start, end, 'end');
    this.#open();
  }
}
