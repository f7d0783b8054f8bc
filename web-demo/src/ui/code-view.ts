/**
 * Shows the code of the query on the screen, in the language that the user chooses. It is loaded
 * when it is opened first.
 *
 * @module
 */

import { LANGUAGES, type QueryToWrite } from '../query-code.js';
import { byId, make, makeButton } from './dom.js';
import type { QueryPanel, QuerySource } from './query-source.js';

export class CodeView implements QueryPanel {
  readonly #code = byId('code', HTMLElement);
  readonly #buttons = new Map<string, HTMLButtonElement>();
  #language = Object.keys(LANGUAGES)[0]!;
  #query: QueryToWrite | undefined;

  constructor() {
    for (const name of Object.keys(LANGUAGES)) {
      this.#buttons.set(
        name,
        makeButton({}, () => this.#choose(name), name),
      );
    }
    const items = Array.from(this.#buttons.values(), (button) => make('li', {}, button));
    byId('code-languages', HTMLUListElement).append(...items);
    this.#draw();
  }

  show({ table, filter, sort, search }: QuerySource): void {
    this.#query = { table: table.tableName, filter, sort, search };
    this.#draw();
  }

  open(): void {
    this.#draw();
  }

  close(): void {}

  #choose(language: string): void {
    this.#language = language;
    this.#draw();
  }

  #draw(): void {
    for (const [name, button] of this.#buttons)
      button.ariaPressed = String(name === this.#language);
    if (this.#query) this.#code.textContent = LANGUAGES[this.#language]!(this.#query);
  }
}
