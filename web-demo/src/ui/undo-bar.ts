/**
 * Offers to undo the last change, until the next one.
 *
 * @module
 */

import { byId } from './dom.js';
import { begin } from './notice.js';

export class UndoBar {
  readonly #bar = byId('undo', HTMLElement);
  readonly #text = byId('undo-text', HTMLElement);
  #undo: (() => Promise<void>) | undefined;

  constructor() {
    byId('undo-change', HTMLButtonElement).addEventListener('click', () => {
      const undo = this.#undo;
      this.hide();
      if (undo) begin(undo);
    });
    byId('undo-dismiss', HTMLButtonElement).addEventListener('click', () => this.hide());
  }

  offer(text: string, undo: () => Promise<void>): void {
    this.#text.textContent = text;
    this.#undo = undo;
    this.#bar.hidden = false;
  }

  hide(): void {
    this.#undo = undefined;
    this.#bar.hidden = true;
  }
}
