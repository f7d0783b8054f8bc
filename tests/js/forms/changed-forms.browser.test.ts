// Forms whose controls change while they are bound, and those with controls of unusual names.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { bindForm } from '../../../js/src/forms.js';
import { loadValidator } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { makePlace } from '../views/support.js';
import { bind } from './bound.js';
import { keys } from './support.js';

beforeAll(async () => {
  await loadValidator();
});

describe('a control that was removed', () => {
  test.each(['abc', 'wrong'])('is no part of the form: one with %s', async (value) => {
    const { control, form, onSubmit } = await bind(
      `<input name="name" value="Ann"><input name="code" value="${value}">`,
    );
    control('code').remove();
    form.requestSubmit();

    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    expect(onSubmit.mock.calls[0]![0]).toEqual({ ...keys, name: 'Ann', agreed: false });
    expect(form.querySelector('[data-error=code]')).toBeNull();
  });

  test('does not count if it is no property', async () => {
    const { find, form, onSubmit } = await bind(
      '<input name="name" value="Ann"><input type="checkbox" name="terms" required>',
    );
    form.requestSubmit();
    await vi.waitFor(() => expect(form.textContent).toBe('Please tick this box.'));
    find('[name=terms]').remove();
    form.requestSubmit();

    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });

  test('does not count in a row for others', async () => {
    const rows: unknown[] = [];
    const { control } = await bind('<input name="name"><input name="code" value="abc">', {
      checks: { name: (_, { row }) => void rows.push(row) },
    });
    control('code').remove();
    await userEvent.fill(control('name'), 'Ann');
    control('name').blur();

    await vi.waitFor(() => expect(rows).toEqual([{ name: 'Ann' }]));
  });
});

describe('a control with another name', () => {
  test('has its value under that name only', async () => {
    const { bound, control } = await bind('<input name="name" value="ann">');
    control('name').name = 'code';

    expect(await bound.validate()).toMatchObject({ issues: [{ name: 'name' }] });
    expect(control('code').minLength).toBe(-1);
    control('code').name = 'name';
    expect(await bound.validate()).toMatchObject({ value: { name: 'ann' } });
  });

  test('that is no property loses the message', async () => {
    const { bound, form, find } = await bind(
      `<input name="name" value="Ann">
       <input type="radio" name="kind" value="dog"><input type="radio" name="kind" value="bird">`,
    );
    find('[value=bird]').click();
    expect(await bound.validate()).toHaveProperty('issues');
    find('[value=bird]').name = 'other';

    expect(await bound.validate()).toEqual({ value: { ...keys, name: 'Ann', agreed: false } });
    expect(find('[value=bird]').getAttribute('aria-invalid')).toBeNull();
    expect(form.checkValidity()).toBe(true);
  });
});

test('a control for a day that is added later is read, too', async () => {
  const { bound, form } = await bind('<input name="name" value="Ann">');
  form.insertAdjacentHTML('beforeend', '<input name="born" type="date" value="2024-05-06">');

  const born = new Date('2024-05-06T00:00Z');
  expect(await bound.validate()).toEqual({ value: { ...keys, name: 'Ann', agreed: false, born } });
});

test('a control that is added before others gets the focus first', async () => {
  const { control, form } = await bind('<input name="name"><button>Send</button>');
  form.insertAdjacentHTML('afterbegin', '<input name="code" value="wrong">');
  form.requestSubmit();

  await vi.waitFor(() => expect(document.activeElement).toBe(control('code')));
});

describe('a hidden control beside a checkbox of its name', () => {
  const hidden = '<input type="hidden" name="agreed" value="false">';
  const box = '<label><input type="checkbox" name="agreed" value="true"> I agree</label>';

  test.each([hidden + box, box + hidden])('says what the box does not send: %s', async (pair) => {
    const { bound, find } = await bind(`<input name="name" value="Ann">${pair}`);
    const checkbox = find('[type=checkbox]');
    const value = { ...keys, name: 'Ann', agreed: false };
    expect(await bound.validate()).toEqual({ value });

    checkbox.click();
    expect(await bound.validate()).toEqual({ value: { ...value, agreed: true } });

    await bound.fill({ agreed: true });
    expect(checkbox.checked).toBe(true);
    checkbox.click();
    expect(await bound.validate()).toEqual({ value });
    await bound.fill({ agreed: true });
    expect(checkbox.checked).toBe(true);
    await bound.fill({ agreed: false });
    expect(checkbox.checked).toBe(false);
  });
});

describe('a control with the name of a member of forms', () => {
  test.each([
    ...['addEventListener', 'elements', 'getRootNode', 'localName', 'noValidate', 'ownerDocument'],
    ...['prepend', 'querySelectorAll', 'removeAttribute', 'setAttribute'],
  ])('is one like others: %s', async (name) => {
    const text = t.string({ minLength: 2 });
    const all = { partitionKey: t.string(), rowKey: t.string(), [name]: text };
    const table = defineTable('Members', all);
    const place = makePlace();
    const html = `<form><input name="${name}"><button>Send</button></form>`;
    place.innerHTML = html;
    const [input, button] = [place.querySelector('input')!, place.querySelector('button')!];
    const onSubmit = vi.fn();
    const form = place.querySelector('form');
    const bound = bindForm(form, table, { values: keys, onSubmit, summary: true });
    onTestFinished(() => bound.unbind());
    await bound.ready;
    await userEvent.fill(input, 'a');
    button.click();
    await vi.waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));

    await userEvent.fill(input, 'abc');
    button.click();

    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    expect(onSubmit.mock.calls[0]![0]).toEqual({ ...keys, [name]: 'abc' });
    bound.unbind();
    expect(place.innerHTML).toBe(html);
  });
});
