/**
 * A control with its label, and the error of the service below it.
 *
 * @module
 */

import type { FieldError } from '../field-errors.js';
import { make } from './dom.js';
import { codeAndMessage } from './errors.js';

export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

// Ids connect labels and errors with their controls.
let lastId = 0;

export class Field {
  readonly element: HTMLDivElement;
  readonly #label: HTMLLabelElement;
  readonly #error: HTMLParagraphElement;
  #control: Control;

  constructor(label: string, control: Control) {
    const id = `field-${++lastId}`;
    control.id = id;
    this.#control = control;
    this.#label = make('label', { for: id }, label);
    this.#error = make('p', { class: 'field-error', id: `${id}-error`, hidden: true });
    this.element = make('div', { class: 'field' }, this.#label, control, this.#error);
  }

  get value(): string {
    return this.#control.value;
  }

  get control(): Control {
    return this.#control;
  }

  /** Replaces the control, and keeps the label. */
  set control(control: Control) {
    control.id = this.#control.id;
    this.#control.replaceWith(control);
    this.#control = control;
    this.showError(undefined);
  }

  showError(error: FieldError['error'] | undefined): void {
    this.showContent(error && codeAndMessage(error));
  }

  /** Shows any content as the error. */
  showContent(content: readonly (Node | string)[] | undefined): void {
    const isWrong = content !== undefined;
    this.#error.hidden = !isWrong;
    this.#error.replaceChildren(...(content ?? []));
    if (isWrong) {
      this.#control.setAttribute('aria-invalid', 'true');
      this.#control.setAttribute('aria-describedby', this.#error.id);
    } else {
      this.#control.removeAttribute('aria-invalid');
      this.#control.removeAttribute('aria-describedby');
    }
  }
}
