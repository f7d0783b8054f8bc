/**
 * The datasets, each with the button that loads it.
 *
 * @module
 */

import type { Dataset } from '../datasets/dataset.js';
import { displayCount } from '../display.js';
import { byId, make, makeButton } from './dom.js';

export class SampleList {
  readonly #list = byId('samples', HTMLUListElement);
  readonly #buttons: HTMLButtonElement[];

  constructor(datasets: readonly Dataset[], onLoad: (dataset: Dataset) => void) {
    this.#buttons = datasets.map((dataset) => makeLoader(dataset, onLoad));
    this.#list.replaceChildren(...this.#buttons.map((button) => make('li', {}, button)));
  }

  /** One load at a time: two would only share the same pace. */
  set isBusy(isBusy: boolean) {
    for (const button of this.#buttons) button.disabled = isBusy;
  }
}

// The heading says "load" to those who see it; the name says it to those who do not.
function makeLoader(dataset: Dataset, onLoad: (dataset: Dataset) => void): HTMLButtonElement {
  const what = `${displayCount(dataset.count)} ${dataset.noun}`;
  return makeButton({ 'aria-label': `Load ${what}` }, () => onLoad(dataset), what);
}
