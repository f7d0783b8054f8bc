/**
 * Where the message of a field stands.
 *
 * @module
 */

import { placeFor, setAttribute, type Place } from './added.js';
import { isHidden, type Control } from './controls.js';

let made = 0;

/**
 * The element of the form with `data-error` and this name, or a new one after the controls. Screen
 * readers announce what appears there.
 */
export function errorPlace(
  form: HTMLFormElement,
  name: string,
  controls: readonly Control[],
): Place {
  const own = [...form.querySelectorAll<HTMLElement>('[data-error]')].find(
    ({ dataset }) => dataset['error'] === name,
  );
  const place = placeFor(form, own, {
    'data-error': name,
    'aria-live': 'polite',
    id: `entitable-error-${++made}`,
  });
  if (!own) placeAfter(controls, place.element);
  return place;
}

// Within a label, the text would become a part of it.
function placeAfter(controls: readonly Control[], element: HTMLElement): void {
  const last = controls.filter((control) => !isHidden(control)).at(-1) ?? controls[0]!;
  const next = last.nextElementSibling as HTMLLabelElement | null;
  (last.closest('label') ?? (next?.control === last ? next : last)).after(element);
}

/**
 * The element for messages that belong to no control: one of the app, or a new one above the form.
 * Screen readers announce what appears there at once.
 */
export function alertPlace(form: HTMLFormElement, own: object | undefined): Place {
  const place = placeFor(form, own as HTMLElement | undefined, { role: 'alert' });
  if (!own) form.prepend(place.element);
  return place;
}

/** Shows a message at its controls, or none. */
export function showAt({ element }: Place, controls: readonly Control[], message: string): void {
  if (element.textContent === message) return;
  element.textContent = message;
  mark(element, controls, message);
}

/** Takes the message from controls that are no longer of its field. */
export function unmark({ element }: Place, controls: readonly Control[]): void {
  if (element.textContent) mark(element, controls, '');
}

function mark({ id }: HTMLElement, controls: readonly Control[], message: string): void {
  for (const control of controls) {
    setAttribute(control, 'aria-invalid', message && 'true');
    setAttribute(control, 'aria-errormessage', message && id);
    const described = control.getAttribute('aria-describedby')?.split(/\s+/) ?? [];
    const others = described.filter((one) => one && one !== id);
    setAttribute(control, 'aria-describedby', [...others, message && id].join(' ').trim());
  }
}
