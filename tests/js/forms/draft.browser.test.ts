// Unsaved input of a form, kept in an account.

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { bindForm } from '../../../js/src/forms.js';
import type { TableServiceClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { makePlace } from '../views/support.js';
import { deferred, guests, keys } from './support.js';

async function bind(account: TableServiceClient, onSubmit = vi.fn<() => unknown>()) {
  const form = document.createElement('form');
  form.innerHTML = `
    <input name="name"><input name="rowKey"><input type="checkbox" name="agreed">
    <input name="code" type="password">`;
  makePlace().append(form);
  const bound = bindForm(form, guests, {
    ...{ values: { partitionKey: 'p' }, draft: 'sign-up', account, onSubmit },
  });
  onTestFinished(() => bound.unbind());
  await bound.ready;
  const control = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  return { bound, control, form, onSubmit };
}

const drafts = (account: TableServiceClient) =>
  collect(account.tableClient('FormDrafts').listEntities()).catch(() => []);

/** Fills in the form, and waits until it is kept. */
async function fillIn(account: TableServiceClient) {
  const first = await bind(account);
  first.control('name').focus();
  await userEvent.keyboard('Ann');
  await userEvent.tab();
  await userEvent.keyboard('ann');
  await userEvent.tab();
  await userEvent.keyboard(' ');
  await userEvent.tab();
  await userEvent.keyboard('abc');
  await vi.waitFor(async () => expect(await drafts(account)).toMatchObject([{ agreed: 'on' }]));
  return first;
}

beforeEach(() => localStorage.clear());

describe('a draft', () => {
  test('is there when the form is bound again, without passwords', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    (await fillIn(account)).bound.unbind();

    const { bound, control } = await bind(account);

    expect(control('name').value).toBe('Ann');
    expect(control('rowKey').value).toBe('ann');
    expect(control('agreed').checked).toBe(true);
    expect(control('code').value).toBe('');
    expect(await bound.validate()).toEqual({
      value: { ...keys, rowKey: 'ann', name: 'Ann', agreed: true },
    });
    const [entity] = await drafts(account);
    expect(entity).toMatchObject({ partitionKey: 'Guests', rowKey: 'sign-up' });
    expect(entity).not.toHaveProperty('code');
  });

  test('is there when the form is unbound and bound again in one turn', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const first = await bind(account);
    first.control('name').focus();
    await userEvent.keyboard('An');
    first.control('name').value = 'Ann';
    first.control('name').dispatchEvent(new Event('input', { bubbles: true }));
    first.bound.unbind();

    const { control } = await bind(account);

    expect(control('name').value).toBe('Ann');
  });

  test('ends with the submit, and with a reset', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const { form, control, onSubmit } = await fillIn(account);
    form.requestSubmit();
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalled());
    await vi.waitFor(async () => expect(await drafts(account)).toEqual([]));

    control('name').focus();
    await userEvent.keyboard('a');
    await vi.waitFor(async () => expect(await drafts(account)).toHaveLength(1));
    form.reset();
    await vi.waitFor(async () => expect(await drafts(account)).toEqual([]));
  });

  test('that cannot be removed does not make a stored row look refused', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const { form, onSubmit } = await fillIn(account);
    const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    // Other files of tests in this page spy on it, too.
    report.mockClear();
    onSubmit.mockImplementation(() => account.close());
    form.requestSubmit();

    await vi.waitFor(() => expect(report).toHaveBeenCalled());
    expect(report.mock.calls[0]![0]).toMatchObject({ code: 'AccountClosed' });
    expect(form.querySelector('[role=alert]')!.textContent).toBe('');
  });

  test('stays when the submit fails', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const { form, onSubmit } = await fillIn(account);
    vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    onSubmit.mockRejectedValue(new Error('offline'));
    form.requestSubmit();

    await vi.waitFor(() => expect(form.textContent).toContain('offline'));
    expect(await drafts(account)).toHaveLength(1);
  });

  test('has what was typed just before the form is bound again', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const { bound, form, control, onSubmit } = await fillIn(account);
    control('name').focus();
    await userEvent.keyboard('{End}a');
    bound.unbind();
    const again = bindForm(form, guests, {
      ...{ values: { partitionKey: 'p' }, draft: 'sign-up', account, onSubmit },
    });
    onTestFinished(() => again.unbind());
    await again.ready;

    expect(control('name').value).toBe('Anna');
    expect(await drafts(account)).toMatchObject([{ name: 'Anna' }]);
  });

  test('does not replace what the user has typed since', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    (await fillIn(account)).bound.unbind();
    const form = document.createElement('form');
    form.innerHTML = '<input name="name">';
    makePlace().append(form);
    const later = deferred<TableServiceClient>();
    const bound = bindForm(form, guests, {
      ...{ values: keys, draft: 'sign-up', account: later.promise, onSubmit: () => {} },
    });
    onTestFinished(() => bound.unbind());
    form.querySelector('input')!.focus();
    await userEvent.keyboard('Bob');

    later.resolve(account);
    await bound.ready;

    expect(form.querySelector('input')!.value).toBe('Bob');
  });

  test('stays where the form is filled, if the app says so', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const { bound, control } = await fillIn(account);

    await bound.fill({ name: 'Bob', agreed: false }, { keepDraft: true });
    expect([control('name').value, control('agreed').checked]).toEqual(['Ann', true]);
    await bound.fill({ name: 'Bob', agreed: false });
    expect([control('name').value, control('agreed').checked]).toEqual(['Bob', false]);

    await bound.discardDraft();
    await bound.fill({ name: 'Eve' }, { keepDraft: true });
    expect(control('name').value).toBe('Eve');
  });

  test('that is restored stays where the form is filled at once', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    (await fillIn(account)).bound.unbind();
    const form = document.createElement('form');
    form.innerHTML = '<input name="name"><input name="kind">';
    makePlace().append(form);
    const options = { values: keys, draft: 'sign-up', account, onSubmit: () => {} };
    const bound = bindForm(form, guests, options);
    onTestFinished(() => bound.unbind());

    await bound.fill({ name: 'Bob', kind: 'cat' }, { keepDraft: true });

    const values = [...form.querySelectorAll('input')].map(({ value }) => value);
    expect(values).toEqual(['Ann', 'cat']);
  });

  test('is replaced where the form is filled at once, unless the app says so', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    (await fillIn(account)).bound.unbind();
    const form = document.createElement('form');
    form.innerHTML = '<input name="name">';
    makePlace().append(form);
    const later = deferred<TableServiceClient>();
    const options = { values: keys, draft: 'sign-up', account: later.promise, onSubmit: () => {} };
    const bound = bindForm(form, guests, options);
    onTestFinished(() => bound.unbind());

    const filling = bound.fill({ name: 'Bob' });
    // The form is there, and the draft is late.
    await vi.waitFor(() => expect(form.querySelector('input')!.required).toBe(true));
    later.resolve(account);
    await Promise.all([filling, bound.ready]);

    expect(form.querySelector('input')!.value).toBe('Bob');
  });

  test('has what the user has changed, and not what else the form was filled with', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const bindFilled = async (row: { name: string; kind: 'cat' | 'dog' }) => {
      const form = document.createElement('form');
      form.innerHTML = '<input name="name"><input name="kind">';
      makePlace().append(form);
      const options = { values: keys, draft: 'edit', account, onSubmit: () => {} };
      const bound = bindForm(form, guests, options);
      onTestFinished(() => bound.unbind());
      await bound.fill(row, { keepDraft: true });
      const [name, kind] = form.querySelectorAll('input');
      return { bound, name: name!, kind: kind! };
    };
    const first = await bindFilled({ name: 'Bob', kind: 'cat' });
    first.name.focus();
    await userEvent.keyboard('{End}by');
    await vi.waitFor(async () => expect(await drafts(account)).toMatchObject([{ name: 'Bobby' }]));
    first.bound.unbind();

    // Another writer has changed both since.
    const next = await bindFilled({ name: 'Rob', kind: 'dog' });

    expect([next.name.value, next.kind.value]).toEqual(['Bobby', 'dog']);
  });

  test('has what was typed just before the page was left', async () => {
    const storage = memoryStorage();
    const account = await openForTest({ storage });
    const { bound, control } = await fillIn(account);
    vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    // As in a page that ends, nothing more is stored.
    await account.close();
    control('name').focus();
    await userEvent.keyboard('{End}a');
    window.dispatchEvent(new Event('pagehide'));
    bound.unbind();

    const reopened = await openForTest({ storage });
    const next = await bind(reopened);

    expect(next.control('name').value).toBe('Anna');
    await vi.waitFor(async () => {
      expect(await drafts(reopened)).toMatchObject([{ name: 'Anna' }]);
      expect(localStorage).toHaveLength(0);
    });
  });

  test('of another account does not have it', async () => {
    const account = await openForTest({ storage: memoryStorage() });
    const { bound, control } = await fillIn(account);
    vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    await account.close();
    control('name').focus();
    await userEvent.keyboard('{End}a');
    document.dispatchEvent(new Event('visibilitychange'));
    bound.unbind();
    expect(localStorage).toHaveLength(1);

    const other = await openForTest({ storage: memoryStorage() });
    const next = await bind(other);

    expect(next.control('name').value).toBe('');
    expect(localStorage).toHaveLength(0);
  });
});
