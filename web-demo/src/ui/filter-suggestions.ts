/**
 * The list below the filter: how it may go on, or, in an empty one, queries to begin with. Arrow
 * keys choose, Enter takes, Escape closes.
 *
 * @module
 */

import type { Column } from '../columns.js';
import { completionOf } from '../filter-completion.js';
import { byId, elementRoot, make } from './dom.js';

/** What the list offers. */
export interface Offer {
  readonly text: string;
  /** What it is: the type of a property, or the meaning of an operator. */
  readonly about: string;
  take(): void;
}

/** What offers are made of. */
export interface OfferSource {
  /** Of the entities on the screen. */
  readonly columns: readonly Column[];
  /** Whole queries, while the filter is empty. */
  starts(): readonly Offer[];
}

export class FilterSuggestions {
  readonly #source: OfferSource;
  readonly #input = byId('filter', HTMLInputElement);
  readonly #list = byId('filter-suggestions', HTMLUListElement);
  #offers: readonly Offer[] = [];
  // Where the caret was when the list was opened.
  #caret = 0;
  // The offer that Enter takes; -1 if Enter runs the query.
  #active = -1;

  constructor(source: OfferSource) {
    this.#source = source;
    this.#input.addEventListener('input', () => this.#open());
    this.#input.addEventListener('keydown', (event) => this.#press(event));
    elementRoot().addEventListener('selectionchange', () => this.#followCaret());
    // The input keeps the focus.
    this.#list.addEventListener('pointerdown', (event) => event.preventDefault());
  }

  /** Opens the list for what is in the input: nothing, if it is empty and no query is known. */
  open(): void {
    if (this.#input.value) this.#open();
    else this.#offer(this.#source.starts());
  }

  close(): void {
    this.#offers = [];
    this.#list.hidden = true;
    this.#input.setAttribute('aria-expanded', 'false');
    this.#mark(-1);
  }

  get #isOpen(): boolean {
    return this.#offers.length > 0;
  }

  // The offers are for the place where they were opened.
  #followCaret(): void {
    if (this.#isOpen && this.#input.selectionEnd !== this.#caret) this.close();
  }

  #open(): void {
    const { value, selectionEnd } = this.#input;
    const starts = value ? [] : this.#source.starts();
    if (starts.length > 0) return this.#offer(starts);
    const { start, end, suggestions } = completionOf(
      value.slice(0, selectionEnd ?? value.length),
      this.#source.columns,
    );
    const take = (text: string) => () => {
      this.#input.setRangeText(`${text} `, start, end, 'end');
      this.#open();
    };
    this.#offer(suggestions.map((it) => ({ ...it, take: take(it.text) })));
  }

  #offer(offers: readonly Offer[]): void {
    this.close();
    if (offers.length === 0) return;
    this.#offers = offers;
    this.#caret = this.#input.selectionEnd ?? 0;
    this.#list.replaceChildren(...offers.map((offer, at) => this.#item(offer, at)));
    this.#list.hidden = false;
    this.#input.setAttribute('aria-expanded', 'true');
  }

  #item({ text, about }: Offer, at: number): HTMLLIElement {
    const item = make(
      'li',
      { id: `suggestion-${at}`, role: 'option', 'aria-selected': 'false' },
      make('code', {}, text),
      make('span', { class: 'about' }, about),
    );
    item.addEventListener('click', () => this.#offers[at]?.take());
    return item;
  }

  #press(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (this.#isOpen) this.#move(key === 'ArrowDown' ? 1 : -1);
      else this.#open();
    } else if (key === 'Enter' && this.#active >= 0) {
      event.preventDefault();
      this.#offers[this.#active]!.take();
    } else if (key === 'Escape' && this.#isOpen) {
      event.preventDefault();
      this.close();
    }
  }

  // Beyond either end, the input itself is active.
  #move(step: 1 | -1): void {
    const { length } = this.#offers;
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
}
