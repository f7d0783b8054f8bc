// Drafts that several pages write, and what would lose the input of the user.
//
// isolated: a draft of another file could still report that its account is closed.

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

import { bindForm } from '../../../js/src/forms.js';
import type { TableServiceClient } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect, openForTest } from '../support/accounts.js';
import { makePlace } from '../views/support.js';
import { deferred, guests, keys } from './support.js';

const LEFT = 'entitable/FormDrafts/Guests/sign-up';

/** Binds a form as a page does: several of one account are like several tabs. */
async function bind(account: TableServiceClient, onSubmit: () => unknown = () => {}) {
  const form = document.createElement('form');
  form.innerHTML = '<input name="name"><input name="code"><input name="age">';
  makePlace().append(form);
  const bound = bindForm(form, guests, {
    ...{ values: keys, draft: 'sign-up', account, onSubmit },
  });
  onTestFinished(() => bound.unbind());
  await bound.ready;
  const control = (name: string) => form.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  const type = (name: string, text: string) => {
    control(name).value = text;
    control(name).dispatchEvent(new Event('input', { bubbles: true }));
  };
  const texts = () => [...form.querySelectorAll('input')].map(({ value }) => value);
  return { bound, control, form, texts, type };
}

/** The texts in the draft, by name; undefined, if there is none. */
async function draftOf(account: TableServiceClient) {
  const found = await collect(account.tableClient('FormDrafts').listEntities()).catch(() => []);
  if (!found[0]) return undefined;
  const others = /^(partitionKey|rowKey|etag|timestamp|entitableDraftId)$/;
  return Object.fromEntries(Object.entries(found[0]).filter(([name]) => !others.test(name)));
}

const expectDraft = (account: TableServiceClient, texts: object | undefined) =>
  vi.waitFor(async () => expect(await draftOf(account)).toEqual(texts), { timeout: 4000 });

const open = () => openForTest({ storage: memoryStorage() });

beforeEach(() => localStorage.clear());

describe('a draft', () => {
  test('has what was typed while the submit was pending', async () => {
    const account = await open();
    const submit = deferred<void>();
    const onSubmit = vi.fn(() => submit.promise);
    const { bound, form, type } = await bind(account, onSubmit);
    type('name', 'Ann');
    type('code', 'abc');
    form.requestSubmit();
    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    type('name', 'Anna');
    submit.resolve();

    await expectDraft(account, { name: 'Anna' });
    bound.unbind();
    const next = await bind(account);
    expect(next.texts()).toEqual(['Anna', '', '']);
  });

  test('has the last text of each control, in whichever page it was typed', async () => {
    const account = await open();
    const [one, other] = [await bind(account), await bind(account)];
    one.type('name', 'Ann');
    await expectDraft(account, { name: 'Ann' });
    other.type('code', 'abc');
    await expectDraft(account, { name: 'Ann', code: 'abc' });
    other.type('name', 'Bob');
    await expectDraft(account, { name: 'Bob', code: 'abc' });
    one.type('age', '7');
    await expectDraft(account, { name: 'Bob', code: 'abc', age: '7' });

    expect((await bind(account)).texts()).toEqual(['Bob', 'abc', '7']);
  });

  test('keeps what another page has typed when this one submits or resets', async () => {
    const account = await open();
    const onSubmit = vi.fn();
    const [one, other] = [await bind(account, onSubmit), await bind(account)];
    one.type('name', 'Ann');
    await expectDraft(account, { name: 'Ann' });
    other.type('code', 'abc');
    await expectDraft(account, { name: 'Ann', code: 'abc' });
    one.form.requestSubmit();
    await expectDraft(account, { code: 'abc' });

    one.type('age', '7');
    await expectDraft(account, { code: 'abc', age: '7' });
    other.form.reset();
    await expectDraft(account, { age: '7' });
    await other.bound.discardDraft();
    await expectDraft(account, undefined);
  });

  test('shows what the user has not changed since', async () => {
    const account = await open();
    const first = await bind(account);
    first.type('name', 'Ann');
    first.type('code', 'abc');
    await expectDraft(account, { name: 'Ann', code: 'abc' });
    first.bound.unbind();
    const form = document.createElement('form');
    form.innerHTML = '<input name="name"><input name="code">';
    makePlace().append(form);
    const later = deferred<TableServiceClient>();
    const options = { values: keys, draft: 'sign-up', account: later.promise, onSubmit() {} };
    const bound = bindForm(form, guests, options);
    onTestFinished(() => bound.unbind());
    const [name, code] = form.querySelectorAll('input');
    name!.value = 'Bob';
    name!.dispatchEvent(new Event('input', { bubbles: true }));
    later.resolve(account);
    await bound.ready;

    expect([name!.value, code!.value]).toEqual(['Bob', 'abc']);
    await expectDraft(account, { name: 'Bob', code: 'abc' });
  });

  test('keeps the last text that is short enough', async () => {
    const account = await open();
    const { type } = await bind(account);
    type('name', 'Ann');
    await expectDraft(account, { name: 'Ann' });
    type('name', 'x'.repeat(32_769));
    type('code', 'abc');

    await expectDraft(account, { name: 'Ann', code: 'abc' });
  });

  test('stays after a reset that the app prevents', async () => {
    const account = await open();
    const { form, type } = await bind(account);
    type('name', 'Ann');
    await expectDraft(account, { name: 'Ann' });
    form.addEventListener('reset', (event) => event.preventDefault());
    form.reset();
    // The draft would be removed after the event.
    await new Promise((resolve) => setTimeout(resolve));

    expect(await draftOf(account)).toEqual({ name: 'Ann' });
  });

  test('has no text for a control with the name of a member of objects', async () => {
    const account = await open();
    const properties = {
      partitionKey: t.string(),
      rowKey: t.string(),
      name: t.string().optional(),
    };
    const table = defineTable('Names', { ...properties, constructor: t.string().optional() });
    const bindOne = async () => {
      const form = document.createElement('form');
      form.innerHTML = '<input name="name"><input name="constructor">';
      makePlace().append(form);
      // In TypeScript, every object has a constructor.
      const values = () => keys as never;
      const bound = bindForm(form, table, { values, draft: 'names', account, onSubmit() {} });
      onTestFinished(() => bound.unbind());
      await bound.ready;
      return [...form.querySelectorAll('input')];
    };
    const [name] = await bindOne();
    name!.value = 'Ann';
    name!.dispatchEvent(new Event('input', { bubbles: true }));
    await expectDraft(account, { name: 'Ann' });

    expect((await bindOne()).map(({ value }) => value)).toEqual(['Ann', '']);
  });
});

describe('the localStorage of a draft', () => {
  test.each(['{oops', '5', '["x", {}]', '["x", [["name"]]]'])(
    'may have anything: %s',
    async (text) => {
      const account = await open();
      localStorage.setItem(LEFT, text);

      const { texts } = await bind(account);

      expect(texts()).toEqual(['', '', '']);
      expect(localStorage).toHaveLength(0);
    },
  );

  test('may be full', async () => {
    const account = await open();
    const { type } = await bind(account);
    const report = vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    // Other files of tests in this page spy on it, too.
    report.mockClear();
    const full = new DOMException('full', 'QuotaExceededError');
    const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw full;
    });
    onTestFinished(() => setItem.mockRestore());
    type('name', 'A');
    type('name', 'Ann');
    window.dispatchEvent(new Event('pagehide'));

    expect(report).toHaveBeenCalledExactlyOnceWith(full);
    await expectDraft(account, { name: 'Ann' });
  });

  test('has the texts of several pages that end', async () => {
    const storage = memoryStorage();
    const account = await openForTest({ storage });
    const [one, other] = [await bind(account), await bind(account)];
    one.type('name', 'Ann');
    await expectDraft(account, { name: 'Ann' });
    other.type('code', 'abc');
    await expectDraft(account, { name: 'Ann', code: 'abc' });
    vi.spyOn(globalThis, 'reportError').mockImplementation(() => {});
    // As in a page that ends, nothing more is stored.
    await account.close();
    one.type('name', 'Anna');
    other.type('age', '7');
    window.dispatchEvent(new Event('pagehide'));
    for (const { bound } of [one, other]) bound.unbind();

    const reopened = await openForTest({ storage });
    expect((await bind(reopened)).texts()).toEqual(['Anna', 'abc', '7']);
    await expectDraft(reopened, { name: 'Anna', code: 'abc', age: '7' });
    await vi.waitFor(() => expect(localStorage).toHaveLength(0));
  });
});
