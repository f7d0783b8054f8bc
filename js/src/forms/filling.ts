/**
 * Values as the texts of controls.
 *
 * @module
 */

import { isBytes, isDate, isObject } from '../base/kinds.js';
import { fitsType } from '../schema/values.js';
import { filesOf, isBox, isHidden, type Control } from './controls.js';
import type { Field } from './field.js';
import { isPrecise } from './text-values.js';
import type { Times } from './times.js';

/** Shows a value in the controls of one property. */
export function showValue(
  controls: readonly Control[],
  value: unknown,
  times: Times | undefined,
): void {
  setText(controls, (kind) => textOf(value, kind, times) ?? '');
}

/** Shows a value in a field, and keeps it whole: a control may show less of it. */
export function fillField(field: Field, given: unknown, times: Times | undefined): void {
  const { rules, controls } = field;
  showValue(controls, given, times);
  const value = plainOf(given);
  const isChosen = controls[0]!.type === 'file' && filesOf(controls).length > 0;
  const isWhole = !isChosen && fitsType(rules.type, isPrecise(rules), value);
  field.filled = isWhole ? { value, texts: field.texts } : undefined;
}

/** Gives the controls of one property this text; an empty one clears them. */
export function setText(controls: readonly Control[], text: (kind: string) => string): void {
  for (const control of controls) {
    if (isBox(control)) {
      const wanted = text(control.type);
      // A box without a value of its own means true.
      (control as HTMLInputElement).checked =
        wanted === control.value || (control.value === 'on' && wanted === 'true');
    } else if (control.type !== 'file' && !isBesideBox(control)) {
      control.value = text(control.type);
    }
  }

  // It says what the box does not send.
  function isBesideBox(control: Control): boolean {
    return isHidden(control) && controls.some(isBox);
  }
}

/** The value of `{ type, value }`. */
const plainOf = (value: unknown): unknown =>
  isObject(value) && 'value' in value ? value.value : value;

/**
 * The text of a value for a control of this type; undefined, if it is no text: bytes.
 *
 * @param kind - that of a hidden control takes every text.
 */
export function textOf(value: unknown, kind: string, times: Times | undefined): string | undefined {
  const plain = plainOf(value);
  if (isBytes(plain)) return undefined;
  const isTime = isDate(plain) || (typeof plain === 'string' && plain.endsWith('Z'));
  if (/^date/.test(kind) && isTime) return times?.textOf(plain, kind);
  if (isDate(plain)) return plain.toISOString();
  return plain === undefined || plain === null ? '' : String(plain as string);
}
