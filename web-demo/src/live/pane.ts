/**
 * A pane: an account of its own on the common database, and a live view of its table.
 *
 * @module
 */

import { openAccount, TableError, type LiveEntities, type TableClient } from 'entitable';
import { indexedDbStorage } from 'entitable/storage/indexeddb';

import { make } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import { codeOf, ORDERS, queryOf, type Choice, type Order } from './live-query.js';
import { KINDS, steppedPrice, TABLE, type Product } from './market.js';
import { ProductRow } from './product-row.js';

const DATABASE = 'entitable-live';

export class Pane {
  readonly card: HTMLElement;
  readonly market: TableClient<Product>;
  readonly #name: string;
  readonly #live: LiveEntities<Product>;
  readonly #list = make('ul', { class: 'products' });
  readonly #count = make('p', { role: 'status' });
  readonly #code = make('code', {});
  readonly #kind = select('Show', ['all', ...KINDS]);
  readonly #order = select('In the order of', Object.keys(ORDERS));
  readonly #rows = new Map<string, ProductRow>();

  /** What the pane shows. */
  products: readonly Product[] = [];

  private constructor(name: string, market: TableClient<Product>, choice: Choice) {
    this.#name = name;
    this.market = market;
    this.#kind.value = choice.kind ?? 'all';
    this.#order.value = choice.order;
    this.#live = market.liveEntities(queryOf(choice));
    this.#code.textContent = codeOf(choice);
    for (const choices of [this.#kind, this.#order]) {
      choices.addEventListener('change', () => this.#choose());
    }
    this.card = this.#card();
  }

  static async open(name: string, choice: Choice): Promise<Pane> {
    const account = await openAccount({ storage: indexedDbStorage(DATABASE) });
    await account.createTable(TABLE);
    return new Pane(name, account.tableClient<Product>(TABLE), choice);
  }

  /** Shows every result, as long as the page is there. */
  async follow(): Promise<void> {
    for await (const products of this.#live) this.#show(products);
  }

  async change({ partitionKey, rowKey, price }: Product, steps: number): Promise<void> {
    const changed = { partitionKey, rowKey, price: steppedPrice(price, steps) };
    await this.market.updateEntity(changed).catch(unlessGone);
  }

  async #remove({ partitionKey, rowKey }: Product): Promise<void> {
    await this.market.deleteEntity(partitionKey, rowKey).catch(unlessGone);
  }

  #choose(): void {
    const kind = this.#kind.value === 'all' ? undefined : this.#kind.value;
    const choice = { kind, order: this.#order.value as Order };
    this.#live.update(queryOf(choice));
    this.#code.textContent = codeOf(choice);
  }

  #show(products: readonly Product[]): void {
    this.products = products;
    const names = new Set(products.map(({ rowKey }) => rowKey));
    for (const [name, row] of this.#rows) {
      if (names.has(name)) continue;
      row.item.remove();
      this.#rows.delete(name);
    }
    const focused = document.activeElement;
    products.forEach((product, index) => {
      const { item } = this.#rowOf(product);
      if (this.#list.children[index] !== item) {
        this.#list.insertBefore(item, this.#list.children[index] ?? null);
      }
    });
    // An item that moves loses the focus.
    const isLost = document.activeElement !== focused && this.#list.contains(focused);
    if (isLost) (focused as HTMLElement).focus({ preventScroll: true });
    this.#count.textContent = products.length === 1 ? '1 product' : `${products.length} products`;
  }

  #rowOf(product: Product): ProductRow {
    const row = this.#rows.get(product.rowKey) ?? this.#newRow(product);
    row.show(product);
    return row;
  }

  #newRow({ rowKey }: Product): ProductRow {
    const row = new ProductRow(rowKey, {
      change: (product, steps) => begin(() => this.change(product, steps)),
      remove: (product) => begin(() => this.#remove(product)),
    });
    this.#rows.set(rowKey, row);
    return row;
  }

  #card(): HTMLElement {
    const id = `${this.#name.toLowerCase()}-title`;
    return make(
      'section',
      { class: 'card pane', 'aria-labelledby': id },
      make('div', { class: 'card-head' }, make('h2', { id }, this.#name), this.#count),
      make('div', { class: 'choices' }, ...labelled(this.#kind), ...labelled(this.#order)),
      make('pre', { tabindex: '0', 'aria-label': 'The code of this view' }, this.#code),
      this.#list,
    );
  }
}

// The other pane, or another tab, may have deleted the product.
function unlessGone(error: unknown): void {
  if (!(error instanceof TableError) || error.statusCode !== 404) throw error;
}

const select = (label: string, options: readonly string[]) =>
  make('select', { 'aria-label': label }, ...options.map((option) => make('option', {}, option)));

const labelled = (choices: HTMLSelectElement) => [
  make('label', {}, `${choices.ariaLabel ?? ''} `, choices),
];
