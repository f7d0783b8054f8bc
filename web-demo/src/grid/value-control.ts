/**
 * The control for a value in a cell: what suits its type.
 *
 * @module
 */

import type { TypedValue } from '../typed-entity.js';
import { make } from '../ui/dom.js';
import type { Control } from '../ui/field.js';
import { makeControl } from '../ui/property-row.js';

// In pixels: a text of several lines is in sight, and longer ones scroll.
const MOST_HEIGHT = 240;

export class ValueControl {
  readonly element: Control;
  readonly #first: TypedValue;
  // The text of the control before the user has typed: a date has fewer digits there.
  readonly #shown: string;
  readonly #onSize: () => void;

  /** @param onSize - called when the control needs more or less room. */
  constructor(first: TypedValue, onSize: () => void) {
    this.#first = first;
    this.#onSize = onSize;
    this.element = controlOf(first);
    this.#shown = this.element.value;
    this.element.addEventListener('input', () => this.#fit());
  }

  /** What was typed. All digits of a date stay if nobody has changed it. */
  get value(): TypedValue {
    const { type, value } = this.#first;
    const typed = this.element.value;
    if (this.element.type !== 'datetime-local' || typed === '') return { type, value: typed };
    if (typed === this.#shown) return { type, value };
    return { type, value: `${typed.length === 16 ? `${typed}:00` : typed}Z` };
  }

  /** Focuses it. A key that was typed begins the value. */
  begin(typed: string | undefined): void {
    const control = this.element;
    control.focus({ preventScroll: true });
    if (control instanceof HTMLSelectElement) {
      const option = [...control.options].find(({ value }) => value.startsWith(typed ?? '-'));
      if (option) control.value = option.value;
    } else if (typed === undefined) control.select();
    else if (control.type !== 'datetime-local') control.value = typed;
    this.#fit();
  }

  /** Begins another line, if the value is a text. */
  breakLine(): boolean {
    const control = this.element;
    if (!(control instanceof HTMLTextAreaElement)) return false;
    control.setRangeText('\n', control.selectionStart, control.selectionEnd, 'end');
    this.#fit();
    return true;
  }

  // A text of several lines, or a long one, needs more than its cell.
  #fit(): void {
    const control = this.element;
    if (!(control instanceof HTMLTextAreaElement)) return;
    const { style, classList } = control;
    classList.remove('long');
    style.height = '';
    const isLong = control.value.includes('\n') || control.scrollWidth > control.clientWidth;
    classList.toggle('long', isLong);
    if (isLong) style.height = `${Math.min(control.scrollHeight + 2, MOST_HEIGHT)}px`;
    this.#onSize();
  }
}

function controlOf({ type, value }: TypedValue): Control {
  const control =
    (type === 'DateTime' && dateControl(value)) ||
    makeControl(type, value, !/^(?:true|false)$/.test(value));
  if (['Int32', 'Int64', 'Double'].includes(type)) control.inputMode = 'decimal';
  return control;
}

// It shows the time in UTC, as the grid does. Undefined for a text that is no date.
function dateControl(value: string): HTMLInputElement | undefined {
  const [, shown = '', second = '', fraction = ''] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(\.\d{1,3})?)?/.exec(value) ?? [];
  const control = make('input', { type: 'datetime-local', step: fraction ? '0.001' : '1' });
  control.value = shown && `${shown}:${second || '00'}${fraction}`;
  return control.value === '' && value !== '' ? undefined : control;
}
