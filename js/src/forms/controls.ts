/**
 * The controls of a form that have values.
 *
 * @module
 */

import { shown } from '../base/shown.js';
import type { PropertyRules } from '../schema/properties.js';
import type { FormIssue } from './models.js';
import { withOwnMembers } from './own-members.js';

/** An element that the user gives a value. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const BUTTONS = /^(button|fieldset|image|object|output|reset|submit)$/;

/** The controls of each name, which have one value together. One without a name is by itself. */
export function controlsOf(form: HTMLFormElement): Map<string | Control, Control[]> {
  const groups = new Map<string | Control, Control[]>();
  for (const element of form.elements) {
    const control = element as Control;
    const { name, type } = control;
    // An element of a component may have neither.
    if (name === undefined || !type || BUTTONS.test(type)) continue;
    const key = name || control;
    groups.set(key, [...(groups.get(key) ?? []), control]);
  }
  // The first one is a control that the user sees, if there is one.
  for (const group of groups.values()) group.sort((a, b) => +isHidden(a) - +isHidden(b));
  return groups;
}

/** The user cannot see it. */
export const isHidden = ({ type }: Control) => type === 'hidden';

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
export function kindOf([control, next]: readonly Control[]): NonNullable<FormIssue['kind']> {
  const { type } = control!;
  // Several boxes of one name are a choice.
  if (type === 'checkbox' && next?.type !== type) return 'box';
  if (/^(email|file|url)$/.test(type)) return type as 'email' | 'file' | 'url';
  return isBox(control!) || /^select/.test(type) ? 'choice' : 'text';
}

/**
 * The form, whatever the names of its controls are.
 *
 * @param owner - the function that takes it, for messages.
 * @throws TypeError, if it is no form.
 */
export function formOf(owner: string, element: object | null): HTMLFormElement {
  const form = element && withOwnMembers(element as HTMLFormElement);
  // An element of a frame is of another class.
  if (form?.localName === 'form') return form;
  throw new TypeError(`${owner} needs a form element, not ${shown(element)}.`);
}

/** What is shown of one value of a form. */
export interface ShownField {
  readonly name: string;
  readonly isProperty: boolean;
  readonly rules: PropertyRules;
  readonly controls: readonly Control[];
  /** What is wrong with it; empty, if nothing is. */
  readonly message: string;
}
