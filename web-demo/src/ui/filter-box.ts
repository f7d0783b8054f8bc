/**
 * The `$filter`: an input, examples to click, and the error of the service.
 *
 * @module
 */

import type { Column } from '../columns.js';
import type { Dataset } from '../datasets/dataset.js';
import { byId, make, makeButton } from './dom.js';
import { errorContent } from './errors.js';
import { FilterSuggestions } from './filter-suggestions.js';

export class FilterBox {
  readonly #form = byId('query', HTMLFormElement);
  readonly #input = byId('filter', HTMLInputElement);
  readonly #error = byId('filter-error', HTMLElement);
  readonly #examples = byId('examples', HTMLUListElement);
  readonly #place = byId('filter-place', HTMLElement);
  readonly #suggestions = new FilterSuggestions();
  readonly #onRun: () => void;

  constructor(onRun: () => void) {
    this.#onRun = onRun;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#suggestions.close();
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

  /** The columns of the results, which suggestions are made of. */
  set columns(columns: readonly Column[]) {
    this.#suggestions.columns = columns;
  }

  showError(error: unknown): void {
    const isWrong = error !== undefined;
    this.#showPlace(isWrong ? positionIn(error) : undefined);
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

  // Repeats the filter below the input, and marks the place of the error.
  #showPlace(position: number | undefined): void {
    const { filter } = this;
    this.#place.hidden = position === undefined;
    if (position === undefined) return;
    const { start, end } = placeAt(filter, position);
    this.#place.replaceChildren(
      filter.slice(0, start),
      make('mark', {}, filter.slice(start, end) || NO_BREAK_SPACE),
      filter.slice(end),
    );
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

const NO_BREAK_SPACE = '\u00a0';

// The service names the end of a word that it does not expect, or a character, or the end of all.
function placeAt(filter: string, position: number): { start: number; end: number } {
  const isInside = position < filter.trimEnd().length;
  const isWordEnd = isInside && /\s/.test(filter.charAt(position));
  if (!isWordEnd) return { start: position, end: position + 1 };
  return { start: filter.slice(0, position).search(/\S+$/), end: position };
}

// The service names the place in its message.
function positionIn(error: unknown): number | undefined {
  const [, position] = /at position (\d+) in /.exec((error as Error).message) ?? [];
  return position === undefined ? undefined : Number(position);
}
