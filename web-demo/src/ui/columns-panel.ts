/**
 * The list of all columns: which ones are shown, and in which order.
 *
 * @module
 */

import type { ColumnLayout, GridColumn } from '../grid/column-layout.js';
import { byId, make, makeButton } from './dom.js';

export class ColumnsPanel {
  readonly #layout: ColumnLayout;
  readonly #panel = byId('columns-panel', HTMLElement);
  readonly #toggle = byId('toggle-columns', HTMLButtonElement);

  constructor(layout: ColumnLayout) {
    this.#layout = layout;
    this.#panel.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') this.#close();
    });
    this.#panel.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside =
        relatedTarget === this.#toggle || this.#panel.contains(relatedTarget as Node);
      if (relatedTarget && !isInside) this.#show(false);
    });
  }

  toggle(): void {
    if (!this.#panel.hidden) return this.#close();
    this.#draw();
    this.#show(true);
    this.#panel.querySelector<HTMLElement>('input:enabled')?.focus();
  }

  #show(isOpen: boolean): void {
    this.#panel.hidden = !isOpen;
    this.#toggle.ariaExpanded = String(isOpen);
  }

  #close(): void {
    this.#show(false);
    this.#toggle.focus();
  }

  #draw(): void {
    const reset = makeButton(
      { class: 'quiet' },
      () => this.#change(() => this.#layout.reset()),
      'As at first',
    );
    const items = this.#layout.all.map((column, at, all) => this.#item(column, at, all));
    this.#panel.replaceChildren(make('ul', {}, ...items), reset);
  }

  #item({ name, title }: GridColumn, at: number, all: readonly GridColumn[]): HTMLLIElement {
    const box = make('input', { type: 'checkbox', disabled: name === 'rowKey' });
    box.checked = !this.#layout.isHidden(name);
    box.addEventListener('change', () => this.#layout.setHidden(name, !box.checked));
    const mover = (label: string, sign: string, to: GridColumn | undefined) =>
      makeButton(
        { class: 'quiet', 'aria-label': `Move ${title} ${label}`, disabled: to === undefined },
        () => this.#change(() => this.#layout.move(name, to!.name), `Move ${title} ${label}`),
        sign,
      );
    return make(
      'li',
      {},
      make('label', {}, box, title),
      mover('up', '↑', all[at - 1]),
      mover('down', '↓', all[at + 1]),
    );
  }

  // The list is drawn again, and the same button keeps the focus.
  #change(work: () => void, label?: string): void {
    work();
    this.#draw();
    const buttons = [...this.#panel.querySelectorAll('button')];
    const same = buttons.find((button) => button.ariaLabel === label && !button.disabled);
    (same ?? buttons.at(-1))?.focus();
  }
}
