// bound.ts - a form of a page that is bound to the table of guests.

import { onTestFinished, vi } from 'vitest';

import { bindForm, type BindOptions } from '../../../js/src/forms.js';
import { messages as english } from '../../../js/src/forms/messages/en.js';
import { makePlace } from '../views/support.js';
import { guests, keys } from './support.js';

export const CONTROLS = `
  <label>Name <input name="name"></label>
  <label for="age">Age</label> <input id="age" name="age" type="number">
  <fieldset>
    <legend>Kind</legend>
    <label><input type="radio" name="kind" value="dog"> Dog</label>
    <label><input type="radio" name="kind" value="cat"> Cat</label>
  </fieldset>
  <label><input type="checkbox" name="agreed"> I agree</label>
  <button>Send</button>`;

type Options = Partial<Omit<BindOptions<(typeof guests)['properties']>, 'draft' | 'account'>>;

/** Binds a form with these controls for the length of the test. */
export async function bind(html: string = CONTROLS, options: Options = {}) {
  const form = document.createElement('form');
  form.innerHTML = html;
  makePlace().append(form);
  const onSubmit = vi.fn<(row: object) => unknown>();
  const all = { values: keys, messages: english, timeZone: 'UTC', onSubmit, ...options };
  const bound = bindForm(form, guests, all);
  onTestFinished(() => bound.unbind());
  await bound.ready;
  const find = <T extends Element = HTMLInputElement>(selector: string) =>
    form.querySelector<T>(selector)!;
  return {
    ...{ form, bound, onSubmit, find },
    control: (name: string) => find(`[name=${name}]`),
    error: (name: string) => find<HTMLElement>(`[data-error=${name}]`)?.textContent,
    alert: () => find<HTMLElement>('[role=alert]').textContent,
  };
}
