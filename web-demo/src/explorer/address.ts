/**
 * Keeps what is on the screen in the address of the page, so that a reload, a link, and the steps
 * back and forward show it again.
 *
 * @module
 */

import { hashOf, viewOf, type ViewState } from './view-state.js';

export class Address {
  // Undefined until something was written.
  #written: string | undefined;

  /** @param onFollow - called when the user has gone to another address; none without a table. */
  constructor(onFollow: (view: ViewState | undefined) => void) {
    addEventListener('hashchange', () => {
      // One that the page has written is on the screen.
      if (location.hash !== this.#written) onFollow(this.view);
    });
  }

  get view(): ViewState | undefined {
    return viewOf(location.hash);
  }

  /** Writes a view, or none. A change that the user has made is a step to go back. */
  write(view: ViewState | undefined): void {
    const hash = view ? hashOf(view) : '';
    const isStep = view !== undefined && location.hash === this.#written;
    this.#written = hash;
    if (hash === location.hash) return;
    const url = hash || location.pathname + location.search;
    if (isStep) history.pushState(null, '', url);
    else history.replaceState(null, '', url);
  }
}
