/**
 * Two panes that show one table, each by a live view of its own.
 *
 * @module
 */

import { byId } from '../ui/dom.js';
import { begin } from '../ui/notice.js';
import { PRODUCTS } from './market.js';
import { Pane } from './pane.js';

// How often a price changes by itself.
const TRADE_MS = 200;

export class LivePage {
  async start(): Promise<void> {
    const left = await Pane.open('Left', { kind: undefined, order: 'price down' });
    const right = await Pane.open('Right', { kind: 'fruit', order: 'name' });
    byId('panes', HTMLElement).append(left.card, right.card);
    for (const pane of [left, right]) begin(() => pane.follow());
    byId('fill', HTMLButtonElement).addEventListener('click', () => begin(() => fill(left)));
    this.#tradeWhileChecked(left);
    if ((await left.market.countEntities()) === 0) await fill(left);
  }

  #tradeWhileChecked(pane: Pane): void {
    const box = byId('trade', HTMLInputElement);
    let timer: ReturnType<typeof setInterval> | undefined;
    box.addEventListener('change', () => {
      clearInterval(timer);
      if (box.checked) timer = setInterval(() => begin(() => trade(pane)), TRADE_MS);
    });
  }
}

async function fill({ market }: Pane): Promise<void> {
  await market.submitTransaction(
    PRODUCTS.map((product) => ['upsert', product, 'Replace'] as const),
    { split: true },
  );
}

async function trade(pane: Pane): Promise<void> {
  const product = pane.products[Math.floor(Math.random() * pane.products.length)];
  if (product) await pane.change(product, Math.random() < 0.5 ? -1 : 1);
}
