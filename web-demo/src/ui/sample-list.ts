/**
 * The datasets, each with a button that loads it.
 *
 * @module
 */

import type { Dataset } from '../datasets/dataset.js';
import { displayCount } from '../display.js';
import { byId, disable, make, makeButton } from './dom.js';

export class SampleList {
  readonly #list = byId('samples', HTMLUListElement);
  readonly #buttons: HTMLButtonElement[];

  constructor(datasets: readonly Dataset[], onLoad: (dataset: Dataset) => void) {
    this.#buttons = datasets.map((dataset) => makeLoader(dataset, onLoad));
    byId('samples-box', HTMLElement).hidden = datasets.length === 0;
    this.#list.replaceChildren(...this.#buttons.map((button) => make('li', {}, button)));
  }

  /** Only one load runs at a time. Two would not be faster. */
  set isBusy(isBusy: boolean) {
    for (const button of this.#buttons) disable(button, isBusy);
  }
}

// The heading above says "Load". Screen readers read the name of the button alone.
function makeLoader(dataset: Dataset, onLoad: (dataset: Dataset) => void): HTMLButtonElement {
  const text = `${displayCount(dataset.count)} ${dataset.noun}`;
  return makeButton({ 'aria-label': `Load ${text}` }, () => onLoad(dataset), text);
}
