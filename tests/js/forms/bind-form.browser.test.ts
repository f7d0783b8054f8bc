// Forms of a page, filled in with the keyboard alone.

import axe from 'axe-core';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { bindForm } from '../../../js/src/forms.js';
import { loadValidator, TableError } from '../../../js/src/index.js';
import { bind, CONTROLS } from './bound.js';
import { deferred, guests, keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

const violationsOf = async (element: Element) =>
  (await axe.run(element)).violations.map(({ id }) => id);

describe('a bound form', () => {
  test('shows a message when a field was left, and removes it when the value is right', async () => {
    const { control, error } = await bind();
    const name = control('name');
    name.focus();

    await userEvent.keyboard('A');
    expect(name.validity.customError).toBe(true);
    expect(error('name')).toBe('');
    await userEvent.tab();
    expect(error('name')).toBe('Please enter at least 2 characters. So far: 1.');
    expect(name.getAttribute('aria-invalid')).toBe('true');
    name.focus();
    await userEvent.keyboard('{End}n');
    expect(error('name')).toBe('');
    expect(name.validity.valid).toBe(true);
    expect(name.hasAttribute('aria-invalid')).toBe(false);
    expect(name.hasAttribute('aria-describedby')).toBe(false);
  });

  test('submits what the keyboard has given, and is busy until it is stored', async () => {
    const stored = deferred<void>();
    const onSubmit = vi.fn<(row: object) => unknown>(() => stored.promise);
    const { form, bound, control } = await bind(CONTROLS, { onSubmit });
    control('name').focus();
    await userEvent.keyboard('Ann');
    await userEvent.tab();
    await userEvent.keyboard('36');
    await userEvent.tab();
    await userEvent.keyboard(' ');
    await userEvent.tab();
    await userEvent.keyboard(' ');

    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalled());
    await userEvent.keyboard('{Enter}');

    expect(onSubmit).toHaveBeenCalledOnce();
    expect(onSubmit.mock.calls[0]![0]).toEqual({
      ...{ ...keys, name: 'Ann', age: 36, kind: 'dog', agreed: true },
    });
    expect(bound.isBusy).toBe(true);
    expect(form.getAttribute('aria-busy')).toBe('true');
    stored.resolve();
    await vi.waitFor(() => expect(bound.isBusy).toBe(false));
    expect(form.hasAttribute('aria-busy')).toBe(false);
  });

  test('gives the focus to the first wrong field of a submit', async () => {
    const { control, error, onSubmit } = await bind();
    control('age').focus();
    await userEvent.keyboard('200{Enter}');

    await vi.waitFor(() => expect(document.activeElement).toBe(control('name')));
    expect(onSubmit).not.toHaveBeenCalled();
    expect(error('name')).toBe('Please fill in this field.');
    expect(error('age')).toBe('Please enter 150 or less.');
  });

  test('passes the rules of axe, with and without messages', async () => {
    const { form, control } = await bind(CONTROLS, { summary: true });
    expect(await violationsOf(form)).toEqual([]);

    control('age').focus();
    await userEvent.keyboard('200{Enter}');
    await vi.waitFor(() => expect(document.activeElement).toBe(control('name')));

    const id = control('name').getAttribute('aria-errormessage')!;
    expect(document.getElementById(id)!.textContent).toBe('Please fill in this field.');
    expect(await violationsOf(form)).toEqual([]);
  });

  test('sets attributes from the definition, and no others', async () => {
    const { find } = await bind(`
      <input name="name" maxlength="5"><input name="code"><input name="age" type="number">
      <input name="weight" type="number"><input name="born" type="date">
      <input name="agreed" type="checkbox">`);
    const html = (name: string) => find(`[name=${name}]`).outerHTML;

    expect(find('[name=name]')).toMatchObject({ required: true, maxLength: 5, minLength: 2 });
    expect(new RegExp(`^(?:${find('[name=code]').pattern})$`, 'v').test('abc')).toBe(true);
    expect(new RegExp(`^(?:${find('[name=code]').pattern})$`, 'v').test('abcd')).toBe(false);
    expect(find('[name=age]')).toMatchObject({ min: '0', max: '150', step: '1', required: false });
    expect(find('[name=weight]')).toMatchObject({ min: '', max: '', step: 'any' });
    expect(find('[name=born]')).toMatchObject({ min: '2000-01-01' });
    expect(html('agreed')).not.toContain('required');
  });

  test('leaves the form as it was when it ends', async () => {
    const { form, bound, control } = await bind();
    control('age').focus();
    await userEvent.keyboard('200{Enter}');
    await vi.waitFor(() => expect(document.activeElement).toBe(control('name')));

    bound.unbind();
    bound.unbind();

    const plain = document.createElement('form');
    plain.innerHTML = CONTROLS;
    expect(form.outerHTML).toBe(plain.outerHTML);
    expect(control('name').validity.valid).toBe(true);
    control('name').dispatchEvent(new InputEvent('input', { bubbles: true }));
    expect(form.outerHTML).toBe(plain.outerHTML);
  });

  test('uses places for messages that are there, and a summary with links', async () => {
    const { control, find, form } = await bind(
      `<p data-error="name"></p><label>Name <input name="name"></label>
       <label>Age <input name="age" type="number"></label> <button>Send</button>
       <label>Kind <select name="kind"><option>bird</option></select></label>`,
      { summary: true },
    );
    control('age').focus();
    await userEvent.keyboard('200{Enter}');
    await vi.waitFor(() => expect(find('p[data-error=name]').textContent).not.toBe(''));

    const summary = find<HTMLElement>('[role=alert]');
    expect(summary.querySelector('p')!.textContent).toBe('Please correct 3 entries');
    expect([...summary.querySelectorAll('a')].map(({ textContent }) => textContent)).toEqual([
      'Name: Please fill in this field.',
      'Age: Please enter 150 or less.',
      'Kind: Please choose one of the options.',
    ]);
    expect(form.querySelectorAll('[data-error=name]')).toHaveLength(1);
    summary.querySelectorAll('a')[1]!.focus();
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement).toBe(control('age'));
    await userEvent.keyboard('{Backspace}');
    expect(summary.querySelector('p')!.textContent).toBe('Please correct 2 entries');
  });

  test('says what the browser finds wrong beyond the definition', async () => {
    const { control, error, onSubmit } = await bind('<input name="name" type="email">');
    control('name').focus();
    await userEvent.keyboard('Ann{Enter}');

    await vi.waitFor(() => expect(error('name')).not.toBe(''));
    expect(onSubmit).not.toHaveBeenCalled();
    await userEvent.keyboard('@example.com');
    expect(error('name')).toBe('');
  });

  test('finds a text that a number control does not show to scripts', async () => {
    const { control, error } = await bind();
    control('age').focus();
    await userEvent.keyboard('1e');
    await userEvent.tab();

    expect(error('age')).toBe('Please enter a whole number.');
  });

  test('refuses what it cannot bind', async () => {
    const html = '<select multiple name="kind"></select>';
    await expect(bind(html)).rejects.toThrow(/several values/);
    const withoutZone = bind('<input name="born" type="date">', { timeZone: undefined });
    await expect(withoutZone).rejects.toMatchObject({
      code: 'InvalidInput',
      message: expect.stringMatching(/born.*timeZone/) as string,
    });
    expect(() => bindForm(null, guests, { onSubmit: () => {} })).toThrow(
      'bindForm needs a form element, not null.',
    );
  });

  test('shows values, and reads every kind of control', async () => {
    const { bound, control, find } = await bind(`
      <input name="name"><input name="age" type="range">
      <select name="kind"><option value=""></option><option>dog</option><option>cat</option></select>
      <textarea name="code"></textarea><input name="chip" type="hidden">
      <input name="born" type="datetime-local"><input name="seen" type="datetime-local">
      <input name="agreed" type="radio" value="true"><input name="agreed" type="radio" value="false">`);
    const row = {
      ...{ name: 'Ann', age: 36, kind: 'cat' as const, code: 'abc', chip: 9007199254740993n },
      ...{ born: new Date('2024-05-06T07:08:09.123Z'), agreed: true },
      seen: '2024-05-06T07:08:09.123Z',
    };

    await bound.fill(row);

    expect(control('born').value).toBe('2024-05-06T07:08:09.123');
    expect(find('[name=agreed]').checked).toBe(true);
    expect(await bound.validate()).toEqual({ value: { ...keys, ...row } });
    await bound.fill({ agreed: false, age: undefined, kind: undefined });
    expect(find('[name=agreed][value=false]').checked).toBe(true);
    expect(control('kind').value).toBe('');
  });

  test('reads a file', async () => {
    const { bound, control, error } = await bind(
      '<input name="name" value="Ann"><input name="photo" type="file">',
    );
    await userEvent.upload(control('photo'), new File([Uint8Array.of(1, 2)], 'a.bin'));
    expect(await bound.validate()).toMatchObject({ value: { photo: Uint8Array.of(1, 2) } });

    await userEvent.upload(control('photo'), new File([new Uint8Array(9)], 'b.bin'));
    expect(await bound.validate()).toHaveProperty('issues');
    expect(error('photo')).toBe('This file is too large. The limit is 8 bytes.');
  });

  test('shows an error of the store at its field, and others above the form', async () => {
    const failures = [
      new TableError('EntityAlreadyExists', 'The specified entity already exists.'),
      new TableError('StorageQuotaExceeded', 'There is no room.'),
    ];
    const onSubmit = vi.fn(() => Promise.reject(failures.shift()!));
    const { alert, control, error } = await bind(
      '<input name="name" value="Ann"><input name="rowKey"><button>Send</button>',
      { values: { partitionKey: 'p' }, onSubmit },
    );
    control('rowKey').focus();
    await userEvent.keyboard('ann{Enter}');
    await vi.waitFor(() => expect(error('rowKey')).toBe('This entry exists already.'));
    expect(document.activeElement).toBe(control('rowKey'));

    await userEvent.keyboard('2');
    expect(error('rowKey')).toBe('');
    await userEvent.keyboard('{Enter}');
    await vi.waitFor(() => expect(alert()).toMatch(/^There is no room left on this device/));
    await userEvent.keyboard('3');
    expect(alert()).toBe('');
  });

  test('shows an issue of a refused row at its field, and no issue of another error', async () => {
    vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    const issue = { message: 'Not Ann again!', path: ['name', 0] };
    const rule = { rule: 'schema-refine', code: 'SchemaViolation' } as const;
    const failures = [
      new TableError('SchemaViolation', issue.message, {
        ...{ issues: [{ ...rule, ...issue }], sentence: 'Table "Guests".' },
      }),
      Object.assign(new Error('No connection.'), { issues: [issue] }),
    ];
    const { alert, error, form } = await bind('<input name="name" value="Ann">', {
      onSubmit: () => Promise.reject(failures.shift()!),
    });
    form.requestSubmit();
    await vi.waitFor(() => expect(error('name')).toBe('Not Ann again!'));

    form.requestSubmit();
    await vi.waitFor(() => expect(alert()).toBe('This could not be saved. Please try again.'));
    expect(error('name')).toBe('');
  });

  test('says above the form what is wrong with a value that nobody sees', async () => {
    const { alert, form, onSubmit } = await bind(
      '<input name="name" value="Ann"><input type="hidden" name="age" value="-1">',
    );
    form.requestSubmit();

    await vi.waitFor(() => expect(alert()).toBe('age: Please enter 0 or more.'));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe('a check', () => {
  test('runs when its field is left, and the last answer wins', async () => {
    const answers: ((message: string | undefined) => void)[] = [];
    const signals: AbortSignal[] = [];
    const { bound, control, error } = await bind(CONTROLS, {
      checks: {
        name: (_, { signal }) => {
          signals.push(signal);
          return new Promise((answer) => answers.push(answer));
        },
      },
    });
    control('name').focus();
    await userEvent.keyboard('Ann');
    expect(answers).toHaveLength(0);
    await userEvent.tab();
    expect(bound.isBusy).toBe(true);
    control('name').focus();
    await userEvent.keyboard('{End}a');
    expect(signals[0]!.aborted).toBe(true);
    await userEvent.tab();

    answers[1]!('Anna is taken.');
    answers[0]!('Ann is taken.');
    await vi.waitFor(() => expect(bound.isBusy).toBe(false));
    expect(error('name')).toBe('Anna is taken.');
    expect(control('name').validity.customError).toBe(true);
  });

  test('runs before a submit, once for a value', async () => {
    const check = vi.fn(async (name: string) => (name === 'Ann' ? 'Ann is taken.' : undefined));
    const { control, error, form, onSubmit } = await bind(CONTROLS, { checks: { name: check } });
    control('name').focus();
    await userEvent.keyboard('Ann{Enter}');
    await vi.waitFor(() => expect(error('name')).toBe('Ann is taken.'));
    form.requestSubmit();
    await vi.waitFor(() => expect(form.hasAttribute('aria-busy')).toBe(false));
    expect(check).toHaveBeenCalledOnce();
    expect(onSubmit).not.toHaveBeenCalled();

    await userEvent.keyboard('{End}a{Enter}');
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });
});
