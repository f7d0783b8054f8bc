/**
 * A product in the list of a pane.
 *
 * @module
 */

import { make, makeButton } from '../ui/dom.js';
import type { Product } from './market.js';

/** What the buttons do. */
export interface ProductActions {
  readonly change: (product: Product, steps: number) => void;
  readonly remove: (product: Product) => void;
}

// How long a new price is marked.
const MARKED_MS = 600;

const PRICE = new Intl.NumberFormat('en', { minimumFractionDigits: 2 });

export class ProductRow {
  readonly item: HTMLLIElement;
  readonly #price = make('span', { class: 'price' });
  #product: Product | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(name: string, { change, remove }: ProductActions) {
    const button = (text: string, what: string, work: (product: Product) => void) =>
      makeButton(
        { class: 'quiet', 'aria-label': `${what} ${name}`, title: `${what} ${name}` },
        () => this.#product && work(this.#product),
        text,
      );
    this.item = make(
      'li',
      {},
      make('strong', {}, name),
      this.#price,
      button('−', 'Lower', (product) => change(product, -1)),
      button('+', 'Raise', (product) => change(product, 1)),
      button('×', 'Delete', remove),
    );
  }

  show(product: Product): void {
    const before = this.#product?.price;
    this.#product = product;
    this.#price.textContent = PRICE.format(product.price);
    if (before === undefined || before === product.price) return;
    this.item.className = product.price > before ? 'is-up' : 'is-down';
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (this.item.className = ''), MARKED_MS);
  }
}
