/**
 * The `$filter`: an input, examples to click, and the error of the service.
 *
 * @module
 */

import type { Dataset } from '../datasets/dataset.js';
import { byId, make, makeButton } from './dom.js';
import { errorContent } from './errors.js';

export class FilterBox {
  readonly #form = byId('query', HTMLFormElement);
  readonly #input = byId('filter', HTMLInputElement);
  readonly #error = byId('filter-error', HTMLElement);
  readonly #examples = byId('examples', HTMLUListElement);
  readonly #onRun: () => void;

  constructor(onRun: () => void) {
    this.#onRun = onRun;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      onRun();
    });
    byId('clear-filter', HTMLButtonElement).addEventListener('click', () => {
      this.run('');
      this.#input.focus();
    });
  }

  get filter(): string {
    return this.#input.value;
  }

  set filter(filter: string) {
    this.#input.value = filter;
    this.showError(undefined);
  }

  run(filter: string): void {
    this.filter = filter;
    this.#onRun();
  }

  showError(error: unknown): void {
    const isWrong = error !== undefined;
    this.#error.hidden = !isWrong;
    this.#error.replaceChildren(...(isWrong ? errorContent(error) : []));
    if (isWrong) {
      this.#input.setAttribute('aria-invalid', 'true');
      this.#input.setAttribute('aria-describedby', this.#error.id);
    } else {
      this.#input.removeAttribute('aria-invalid');
      this.#input.removeAttribute('aria-describedby');
    }
  }

  /** Shows the examples of a dataset. Other tables have none. */
  showExamples(dataset: Dataset | undefined): void {
    const line = this.#examples.parentElement!;
    line.hidden = !dataset;
    if (!dataset) return;
    line.scrollLeft = 0;
    this.#examples.replaceChildren(
      ...dataset.examples.map((filter) => make('li', {}, this.#example(filter))),
      make('li', { class: 'wrong' }, 'or a wrong one ', this.#example(dataset.wrongExample)),
    );
  }

  #example(filter: string): HTMLButtonElement {
    return makeButton({ class: 'example' }, () => this.run(filter), filter);
  }
}
