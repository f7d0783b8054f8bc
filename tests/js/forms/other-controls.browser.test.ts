// Controls of a form that are no property of the table.

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { loadValidator } from '../../../js/src/index.js';
import { bind } from './bound.js';
import { keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

describe('a control that is no property', () => {
  test.each(['name="terms"', ''])(
    'must keep the rules of the browser: a box with %s',
    async (name) => {
      const { control, find, form, onSubmit } = await bind(
        `<input name="name"><label><input type="checkbox" ${name} id="terms" required> Terms</label>`,
      );
      const terms = find('#terms');
      expect(form.querySelectorAll('[data-error]')).toHaveLength(1);
      control('name').focus();
      await userEvent.keyboard('Ann{Enter}');

      await vi.waitFor(() => expect(document.activeElement).toBe(terms));
      expect(form.textContent).toContain('Please tick this box.');
      expect(terms.getAttribute('aria-invalid')).toBe('true');
      expect(onSubmit).not.toHaveBeenCalled();
      await userEvent.keyboard(' ');
      expect(form.textContent).not.toContain('Please tick this box.');
      form.requestSubmit();
      await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
      expect(onSubmit.mock.calls[0]![0]).toEqual({ ...keys, name: 'Ann', agreed: false });
    },
  );

  test('has a message in the language of the form, by its type', async () => {
    const { bound } = await bind(
      `<input name="name" value="Ann"><input name="friend" type="email" value="bob">
       <input name="seats" type="number" max="4" value="5">
       <input name="terms" type="checkbox" required>
       <input name="color" type="radio" required>
       <input name="days" type="checkbox" value="Mo" required>
       <input name="days" type="checkbox" value="Tu">`,
    );

    const { issues } = await bound.validate();

    expect(issues!.map(({ name, message }) => [name, message])).toEqual([
      ['friend', 'Please enter an e-mail address, like name@example.com.'],
      ['seats', 'Please enter 4 or less.'],
      ['terms', 'Please tick this box.'],
      ['color', 'Please choose an option.'],
      ['days', 'Please choose an option.'],
    ]);
  });

  test('keeps a message of the app, which is shown', async () => {
    const { control, error, form, onSubmit } = await bind(
      '<input name="name" value="Ann"><input name="again"><button>Send</button>',
    );
    form.addEventListener('input', () => {
      const isSame = control('again').value === control('name').value;
      control('again').setCustomValidity(isSame ? '' : 'The names differ.');
    });
    control('again').focus();
    await userEvent.keyboard('An{Enter}');

    await vi.waitFor(() => expect(error('again')).toBe('The names differ.'));
    expect(onSubmit).not.toHaveBeenCalled();
    await userEvent.keyboard('n{Enter}');
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });

  test('leaves the form as it was when it ends', async () => {
    const html = '<input name="name" value="Ann"><input required>';
    const { bound, form } = await bind(html);
    expect(await bound.validate()).toHaveProperty('issues');
    bound.unbind();

    expect(form.innerHTML).toBe(html.replace(' required', ' required=""'));
  });
});
