/**
 * The explorer as a static page: its account is in this browser, and its table in the address.
 *
 * @module
 */

import type { TableServiceClient } from 'entitable';

import { emptyPageAccount, openPageAccount } from './account.js';
import { App } from './app.js';
import type { Dataset } from './datasets/dataset.js';
import { flights } from './datasets/flights.js';
import { movies } from './datasets/movies.js';
import { displayMs } from './display.js';
import { Address } from './explorer/address.js';
import type { Home } from './explorer/home.js';
import type { ViewState } from './explorer/view-state.js';
import { lazy } from './lazy.js';
import { announce } from './ui/announce.js';
import { byId, disable, onClick } from './ui/dom.js';
import { begin, hideNotice } from './ui/notice.js';
import type { View } from './ui/views.js';

// The table with the drafts of another page. It is no beginning.
const DRAFTS = 'FormDrafts';

export class StaticPage implements Home {
  readonly samples: readonly Dataset[] = [movies, flights];
  readonly #app = new App(this);
  readonly #address = new Address((view) => begin(() => this.#follow(view)));

  readonly #look = lazy(async () => new (await import('./ui/first-look.js')).FirstLook());

  constructor() {
    onClick('welcome-movies', () => begin(() => this.#app.loadSample(movies)));
    onClick('welcome-flights', () => begin(() => this.#app.loadSample(flights)));
    onClick('empty-store', () => begin(() => this.#emptyStore()));
  }

  start(): Promise<void> {
    return this.#app.start();
  }

  async openAccount(): Promise<TableServiceClient> {
    const start = performance.now();
    const account = await openPageAccount();
    const milliseconds = performance.now() - start;
    const place = account.isInWorker ? ' in a worker' : '';
    byId('stored-time', HTMLElement).textContent =
      ` · opened in ${displayMs(milliseconds)}${place}`;
    return account;
  }

  firstTable(names: readonly string[]): string | undefined {
    return names.find((name) => name !== DRAFTS) ?? names[0];
  }

  firstView(names: readonly string[]): ViewState | undefined {
    const { view } = this.#address;
    return view && names.includes(view.table) ? view : undefined;
  }

  onState(view: ViewState | undefined): void {
    this.#address.write(view);
  }

  onView(view: View): void {
    byId('stored', HTMLElement).hidden = view === 'opening' || view === 'trouble';
    byId('empty-store', HTMLElement).hidden = view !== 'workspace';
    if (view === 'welcome') begin(async () => void (await this.#look()));
  }

  onBusy(isBusy: boolean): void {
    disable(byId('empty-store', HTMLButtonElement), isBusy);
  }

  async #follow(view: ViewState | undefined): Promise<void> {
    if (view) await this.#app.openView(view);
    else hideNotice();
  }

  async #emptyStore(): Promise<void> {
    hideNotice();
    const { confirm } = await import('./ui/confirm.js');
    const isWanted = await confirm({
      title: 'Empty the store?',
      text: 'This deletes all tables and entities that this page has stored in this browser.',
      action: 'Delete everything',
    });
    if (!isWanted) return;
    await this.#app.replaceAccount(emptyPageAccount);
    announce('The store is empty.');
    byId('welcome-movies', HTMLButtonElement).focus();
  }
}
