// What a user does before the scripts of a form are loaded.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { bindForm } from '../../../js/src/forms.js';
import { messages as english } from '../../../js/src/forms/messages/en.js';
import { loadValidator } from '../../../js/src/index.js';
import { makePlace } from '../views/support.js';
import { guests, keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

/** Binds a form, and does not wait. */
function bindAtOnce(value: string) {
  const form = document.createElement('form');
  form.innerHTML = `<input name="name" value="${value}"><input type="radio" name="kind" value="dog">
    <button>Send</button>`;
  makePlace().append(form);
  // The element for messages is there when the scripts are loaded.
  const isLoaded = () => form.querySelector('[role=alert]') !== null;
  const onSubmit = vi.fn<(row: object) => unknown>(() => expect(isLoaded()).toBe(true));
  const bound = bindForm(form, guests, { values: keys, messages: english, onSubmit });
  onTestFinished(() => bound.unbind());
  const control = form.querySelector<HTMLInputElement>('[name=name]')!;
  const error = () => form.querySelector('[data-error=name]')?.textContent;
  return { bound, control, error, form, onSubmit };
}

describe('before the scripts of a form are loaded', () => {
  test.each([
    ['Ann', 1, ''],
    ['A', 0, 'Please enter at least 2 characters. So far: 1.'],
  ])('a submit of %s waits for them', async (value, submits, message) => {
    const { bound, error, form, onSubmit } = bindAtOnce(value);
    const event = new SubmitEvent('submit', { cancelable: true });
    form.dispatchEvent(event);

    expect(event.defaultPrevented).toBe(true);
    expect(bound.isBusy).toBe(true);
    expect(error()).toBeUndefined();
    await vi.waitFor(() => expect(bound.isBusy).toBe(false));
    expect(error()).toBe(message);
    expect(onSubmit).toHaveBeenCalledTimes(submits);
    expect(form.querySelector('[role=alert]')!.textContent).toBe('');
  });

  test('a field that was left has its message as soon as they are', async () => {
    const { bound, control, error } = bindAtOnce('A');
    control.focus();
    control.blur();

    expect(error()).toBeUndefined();
    await bound.ready;
    expect(error()).toBe('Please enter at least 2 characters. So far: 1.');
  });

  test('the end of the form ends what waits for them', async () => {
    const { bound, control, form } = bindAtOnce('A');
    const before = form.outerHTML;
    control.focus();
    control.blur();
    bound.unbind();

    await bound.ready;
    expect(form.outerHTML).toBe(before.replace(' novalidate=""', ''));
  });
});
