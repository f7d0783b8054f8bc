/**
 * Values as the texts of controls.
 *
 * @module
 */

import { isOfKind } from '../schema/parted-values.js';
import { fitsType } from '../schema/values.js';
import { filesOf, isBox, isHidden, type Control } from './controls.js';
import type { Field } from './field.js';
import { isPrecise, plainOf, textOf } from './text-values.js';
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
  const fits = rules.parted
    ? isOfKind(rules.parted.kind, value)
    : fitsType(rules.type, isPrecise(rules), value);
  const isWhole = !isChosen && fits;
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
