/**
 * Shows values in a form.
 *
 * @module
 */

import { isBytes } from '../base/kinds.js';
import type { PlatformElement, PlatformFormData } from '../base/platform.js';
import { controlsOf, formOf } from './controls.js';
import { showValue } from './filling.js';
import { textOf } from './text-values.js';
import { timesIn } from './times.js';

/**
 * Gives the controls of a form the values of an entity, by their names. A member that is undefined
 * or null clears its control; controls without a member stay as they are. A browser lets nobody
 * choose a file for the user, so file controls stay as they are, too.
 *
 * A `FormData` gets an entry for each member. So a server can show an entity in a form, and
 * {@link readForm} reads the same values again, with `\n` as line breaks.
 *
 * @throws {@link TableError} `InvalidInput`, if a control for a date needs a time zone, and none is
 * stated.
 * @throws TypeError, if `form` is no form.
 */
export function fillForm(
  form: PlatformElement | PlatformFormData | null,
  entity: object,
  { timeZone }: { readonly timeZone?: string | undefined } = {},
): void {
  const times = timesIn(timeZone);
  const values = Object.entries(entity) as [string, unknown][];
  if (form && 'getAll' in form) {
    for (const [name, value] of values) setEntry(form as FormData, name, value);
    return;
  }
  const controls = controlsOf(formOf('fillForm', form));
  for (const [name, value] of values) showValue(controls.get(name) ?? [], value, times);

  function setEntry(data: FormData, name: string, value: unknown): void {
    const text = textOf(value, 'hidden', times);
    if (text === '') data.delete(name);
    else if (text !== undefined) data.set(name, text);
    else data.set(name, isBytes(value) ? new Blob([value.slice()]) : (value as Blob), name);
  }
}
