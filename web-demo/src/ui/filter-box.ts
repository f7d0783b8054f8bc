/**
 * The `$filter`: an input, what it may begin with, and the error of the service.
 *
 * @module
 */

import { TableError } from 'entitable';

import { filterHint } from '../../../js/src/formats/filter-hint.js';
import type { Column } from '../columns.js';
import { byId, make } from './dom.js';
import { errorContent } from './errors.js';
import type { FilterSuggestions, Offer } from './filter-suggestions.js';
import { begin } from './notice.js';

export class FilterBox {
  readonly #form = byId('query', HTMLFormElement);
  readonly #input = byId('filter', HTMLInputElement);
  readonly #clear = byId('clear-filter', HTMLButtonElement);
  readonly #error = byId('filter-error', HTMLElement);
  readonly #place = byId('filter-place', HTMLElement);
  readonly #onRun: () => void;
  // Loaded when the filter has the focus first.
  #suggestions: FilterSuggestions | undefined;
  // Whether the user has not run the filter since.
  #isAsking = false;
  /** The columns of the results, which suggestions are made of. */
  columns: readonly Column[] = [];
  /** What an empty filter offers. */
  starts: () => readonly Offer[] = () => [];

  constructor(onRun: () => void) {
    this.#onRun = onRun;
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#closeList();
      onRun();
    });
    this.#input.addEventListener('input', () => this.#showClear());
    this.#input.addEventListener('focus', () => begin(() => this.#suggest()));
    this.#input.addEventListener('blur', () => this.#closeList());
    this.#clear.addEventListener('click', () => {
      // Not the other way round: an empty filter that gets the focus offers queries.
      this.#input.focus();
      this.run('');
    });
  }

  get filter(): string {
    return this.#input.value;
  }

  set filter(filter: string) {
    this.#input.value = filter;
    this.#closeList();
    this.#showClear();
    this.showError(undefined);
  }

  run(filter: string): void {
    this.filter = filter;
    this.#onRun();
  }

  async #suggest(): Promise<void> {
    this.#isAsking = true;
    const before = this.filter;
    const { FilterSuggestions } = await import('./filter-suggestions.js');
    this.#suggestions ??= new FilterSuggestions(this);
    // The user may have typed meanwhile.
    if (this.#isAsking && (!this.filter || this.filter !== before)) this.#suggestions.open();
  }

  #closeList(): void {
    this.#isAsking = false;
    this.#suggestions?.close();
  }

  showError(error: unknown): void {
    const isWrong = error !== undefined;
    this.#showPlace(isWrong ? positionIn(error) : undefined);
    this.#error.hidden = !isWrong;
    const hint = isWrong && error instanceof TableError ? ` ${filterHint(this.filter)}` : '';
    this.#error.replaceChildren(...(isWrong ? [...errorContent(error), hint.trimEnd()] : []));
    if (isWrong) {
      this.#input.setAttribute('aria-invalid', 'true');
      this.#input.setAttribute('aria-describedby', this.#error.id);
    } else {
      this.#input.removeAttribute('aria-invalid');
      this.#input.removeAttribute('aria-describedby');
    }
  }

  #showClear(): void {
    this.#clear.hidden = !this.filter;
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
