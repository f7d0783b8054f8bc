/**
 * The queries of a table that the browser remembers: gives the one on the screen a name, and lists
 * them to run or forget. It is loaded when it is opened first.
 *
 * @module
 */

import { textOf, type QueryState } from '../explorer/view-state.js';
import { forgetQuery, queriesOf, saveQuery, wordsOf } from '../saved-queries.js';
import { byId, make, makeButton } from './dom.js';
import { Field } from './field.js';
import { makeText } from './property-row.js';

const REFUSED = 'Give the query a name.';

export class QueryDialog {
  readonly #onRun: (text: string) => void;
  readonly #name = new Field('Name', makeText(''));
  readonly #query = make('code');
  readonly #named = make('ul', { class: 'queries' });
  readonly #recent = make('ul', { class: 'queries' });
  readonly #dialog: HTMLDialogElement;
  #table = '';
  #state: QueryState = {};

  /** @param onRun - called with the text of a query that the user chooses. */
  constructor(onRun: (text: string) => void) {
    this.#onRun = onRun;
    const form = make(
      'form',
      { class: 'queries-form', novalidate: true },
      this.#name.element,
      make('button', { type: 'submit', class: 'primary' }, 'Save'),
    );
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save();
    });
    const title = make('h2', { id: 'queries-title' }, 'Queries');
    const close = makeButton({}, () => this.#dialog.close(), 'Close');
    this.#dialog = make(
      'dialog',
      { class: 'confirm-dialog', 'aria-labelledby': title.id },
      make(
        'div',
        { class: 'dialog-body' },
        ...[title, make('p', {}, 'On the screen: ', this.#query), form],
        ...[make('h3', {}, 'With a name'), this.#named, make('h3', {}, 'Asked last'), this.#recent],
      ),
      make('div', { class: 'dialog-foot' }, close),
    );
    byId('table-dialog', HTMLElement).after(this.#dialog);
  }

  open(table: string, state: QueryState): void {
    this.#table = table;
    this.#state = state;
    this.#query.textContent = wordsOf(textOf(state));
    this.#name.control.value = '';
    this.#name.showContent(undefined);
    this.#draw();
    this.#dialog.showModal();
    this.#name.control.focus();
  }

  #save(): void {
    const name = this.#name.value.trim();
    this.#name.showContent(name ? undefined : [REFUSED]);
    if (!name) return this.#name.control.focus();
    saveQuery(this.#table, name, this.#state);
    this.#name.control.value = '';
    this.#draw();
  }

  #draw(): void {
    const { named, recent } = queriesOf(this.#table);
    const items = Object.entries(named).map(([name, text]) => {
      const forget = makeButton(
        { class: 'quiet', 'aria-label': `Forget ${name}` },
        () => this.#forget(name),
        'Forget',
      );
      return make(
        'li',
        {},
        this.#runner(text, make('strong', {}, name), ' ', wordsOf(text)),
        forget,
      );
    });
    const none = make('li', { class: 'about' }, 'No query has a name yet.');
    this.#named.replaceChildren(...(items.length > 0 ? items : [none]));
    this.#recent.replaceChildren(
      ...recent.map((text) => make('li', {}, this.#runner(text, wordsOf(text)))),
    );
    this.#recent.previousElementSibling!.toggleAttribute('hidden', recent.length === 0);
  }

  #forget(name: string): void {
    forgetQuery(this.#table, name);
    this.#draw();
    this.#name.control.focus();
  }

  #runner(text: string, ...content: (Node | string)[]): HTMLButtonElement {
    const run = () => {
      this.#dialog.close();
      this.#onRun(text);
    };
    return makeButton({ class: 'quiet' }, run, ...content);
  }
}
