/**
 * What a page shows of a field: its rules as hints, and its message.
 *
 * @module
 */

import type { Place } from './added.js';
import type { Control, ShownField } from './controls.js';
import { errorPlace, showAt, unmark } from './error-place.js';
import { addHints } from './hints.js';
import type { Times } from './times.js';

/** The hints and the message of one field. */
export class FieldDisplay {
  readonly #form: HTMLFormElement;
  readonly #field: ShownField;
  readonly #times: Times | undefined;
  #place: Place | undefined;
  /** Removes the hints of a control. */
  readonly #undo = new Map<Control, () => void>();

  constructor(form: HTMLFormElement, field: ShownField, times: Times | undefined) {
    this.#form = form;
    this.#field = field;
    this.#times = times;
  }

  /** The field has these controls from now on, too. */
  add(controls: readonly Control[]): void {
    const { isProperty, rules } = this.#field;
    if (!isProperty) return;
    for (const control of controls) {
      this.#undo.set(control, addHints(control, rules, this.#times));
    }
    this.#makePlace();
  }

  /** Shows a message; an empty one removes it. */
  show(message: string): void {
    if (message) this.#makePlace();
    if (this.#place) showAt(this.#place, this.#field.controls, message);
  }

  #makePlace(): void {
    const { name, controls } = this.#field;
    this.#place ??= errorPlace(this.#form, name, controls);
  }

  /** These controls leave the field. */
  release(controls: readonly Control[]): void {
    for (const control of controls) {
      this.#undo.get(control)?.();
      this.#undo.delete(control);
    }
    if (this.#place) unmark(this.#place, controls);
  }

  /** Removes the message and its element. */
  end(): void {
    this.#place?.undo();
  }
}
