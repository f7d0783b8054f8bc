/**
 * The controls of a form that have values, by name.
 *
 * @module
 */

import type { FormIssue } from './models.js';

/** An element that the user gives a value. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const BUTTONS = /^(button|fieldset|image|object|output|reset|submit)$/;

/** The controls of each name. All of one name have one value. */
export function controlsOf(form: HTMLFormElement): Map<string, Control[]> {
  const byName = new Map<string, Control[]>();
  for (const element of form.elements) {
    const control = element as Control;
    // An element of a component may have neither.
    const isControl = control.name && control.type && !BUTTONS.test(control.type);
    if (isControl) byName.set(control.name, [...(byName.get(control.name) ?? []), control]);
  }
  return byName;
}

/** A checkbox or a radio button. */
export const isBox = ({ type }: Control) => type === 'checkbox' || type === 'radio';

/** The texts that these controls would send. */
export function textsOf(controls: readonly Control[]): string[] {
  return controls
    .filter((control) => !control.matches(':disabled') && (!isBox(control) || isChecked(control)))
    .map(({ value }) => value);
}

const isChecked = (control: Control) => (control as HTMLInputElement).checked;

/** The files that are chosen. */
export function filesOf([control]: readonly Control[]): File[] {
  return [...((control as HTMLInputElement).files ?? [])];
}

/** How the value is given. */
export function kindOf([control]: readonly Control[]): NonNullable<FormIssue['kind']> {
  const { type } = control!;
  if (/^(email|file|url)$/.test(type)) return type as 'email' | 'file' | 'url';
  return isBox(control!) || /^select/.test(type) ? 'choice' : 'text';
}

/** @throws TypeError, if it is no form. */
export function formOf(element: object | null): HTMLFormElement {
  // An element of a frame is of another class.
  if (element && (element as Element).localName === 'form') return element as HTMLFormElement;
  throw new TypeError('There is no such form.');
}
