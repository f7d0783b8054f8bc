// Values that are stored in parts: controls for long texts and files, and arrays without a control.

import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { bindForm, fillForm, readForm, type BindOptions } from '../../../js/src/forms.js';
import { messages } from '../../../js/src/forms/messages/en.js';
import { loadValidator } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openForTest } from '../support/accounts.js';
import { makePlace } from '../views/support.js';

const notes = defineTable(
  'Notes',
  {
    id: t.string(),
    text: t.text({ maxLength: 40_000 }),
    photo: t.blob({ maxBytes: 200_000 }).optional(),
    raw: t.bytes({ maxBytes: 4 }).optional(),
    tags: t.array(t.string({ maxLength: 8 }), { uniqueItems: true }).optional(),
    created: t.string().default('now'),
  },
  { key: 'id' },
);

const HTML = `
  <label>Text <textarea name="text"></textarea></label>
  <label>Photo <input name="photo" type="file"></label>
  <label>Raw <input name="raw" type="file"></label>
  <input name="tags" type="hidden">
  <button>Save</button>`;

// Longer than one part.
const LONG = 'x'.repeat(35_000);

beforeAll(async () => {
  await loadValidator();
});

type Options = Partial<BindOptions<typeof notes.properties>>;

const bind = (html = HTML, options: Options = {}) => bindTo(notes, html, options);

async function bindTo(table: typeof notes, html: string, options: Options = {}) {
  const form = document.createElement('form');
  form.innerHTML = html;
  makePlace().append(form);
  const onSubmit = vi.fn<(row: object) => unknown>();
  const bound = bindForm(form, table, {
    ...{ values: { id: 'n' }, messages, onSubmit },
    ...(options as object),
  });
  onTestFinished(() => bound.unbind());
  await bound.ready;
  const control = <T extends Element>(name: string) => form.querySelector<T>(`[name=${name}]`)!;
  const error = (name: string) => form.querySelector(`[data-error=${name}]`)?.textContent;
  return { bound, control, error, form, onSubmit };
}

describe('a form', () => {
  test('has a textarea for a long text, and keeps the type of a file', async () => {
    const { control, form, onSubmit } = await bind();
    control<HTMLTextAreaElement>('text').value = LONG;
    control('text').dispatchEvent(new Event('input', { bubbles: true }));
    // More than a property of one part holds.
    const photo = new File([new Uint8Array(100_000)], 'a.png', { type: 'image/png' });
    await userEvent.upload(control('photo'), photo);
    await userEvent.upload(control('raw'), new File(['abc'], 'b'));
    form.requestSubmit();

    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    const row = onSubmit.mock.calls[0]![0] as { photo: Blob };
    const files = { photo: expect.any(Blob), raw: expect.anything() };
    expect(row).toEqual({ id: 'n', text: LONG, ...files, created: 'now' });
    expect([row.photo.type, row.photo.size]).toEqual(['image/png', 100_000]);
    expect(row).toMatchObject({ raw: new TextEncoder().encode('abc') });
  });

  test('says what is too long or too large', async () => {
    const { bound, control, error } = await bind();
    expect(control<HTMLTextAreaElement>('text').maxLength).toBe(40_000);
    await bound.fill({ text: 'x'.repeat(40_001) });
    await userEvent.upload(control('photo'), new File([new Uint8Array(200_001)], 'a'));
    await userEvent.upload(control('raw'), new File(['abcde'], 'b'));

    const { issues } = await bound.validate();

    expect(issues!.map(({ name }) => name)).toEqual(['text', 'photo', 'raw']);
    expect(error('text')).toBe('Please enter no more than 40000 characters. So far: 40001.');
    expect(error('photo')).toBe('This file is too large. The limit is 200 kB.');
    expect(error('raw')).toBe('This file is too large. The limit is 4 bytes.');
  });

  test('is filled with the text of a row, whose file and array stay as they are', async () => {
    const { bound, control, form, onSubmit } = await bind();
    const photo = new Blob(['abc'], { type: 'image/png' });

    await bound.fill({ text: 'Hello', photo, tags: ['a', 'b'] });
    expect(control<HTMLTextAreaElement>('text').value).toBe('Hello');
    form.requestSubmit();

    await vi.waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    const row = { id: 'n', text: 'Hello', photo, tags: ['a', 'b'] };
    expect(onSubmit.mock.calls[0]![0]).toMatchObject(row);
  });

  test('stores a whole row again, of which it has few controls', async () => {
    const account = await openForTest({ storage: memoryStorage(), tables: { notes } });
    const table = account.tables.notes;
    const created = 'in 2020';
    const photo = new Blob(['abc'], { type: 'image/png' });
    const some = { raw: Uint8Array.of(1), tags: ['a', 'b'] };
    let stored = await table.insert({ id: 'n', text: 'Hello', photo, ...some, created });
    const { bound, control, form } = await bind(
      '<textarea name="text"></textarea><input name="raw" type="file">',
      {
        onSubmit: async (note) => {
          stored = await table.put(note, { ifUnchanged: stored });
        },
      },
    );

    await bound.fill(stored);
    await userEvent.fill(control('text'), 'Bye');
    form.requestSubmit();

    await vi.waitFor(async () => expect((await table.get('n'))!.text).toBe('Bye'));
    expect(await table.get('n')).toMatchObject({ id: 'n', ...some, created });
    expect(stored.photo!.type).toBe('image/png');
    expect(await stored.photo!.text()).toBe('abc');
  });

  test('has nothing of a row when it shows another one, or after a reset', async () => {
    const { bound, control, form } = await bind('<textarea name="text"></textarea>', {
      values: () => ({ id: 'n' }),
    });
    const valueOf = async () => ((await bound.validate()) as { value?: object }).value;
    const stored = { id: 'n', etag: 'W/"1"', timestamp: '2024-05-06T00:00:00Z' };
    const created = 'in 1970';

    await bound.fill({ ...stored, text: 'Hello', tags: ['a'], created });
    await bound.fill({ tags: ['b'] });
    expect(await valueOf()).toEqual({ id: 'n', text: 'Hello', tags: ['b'], created });
    await bound.fill({ ...stored, created });
    expect(control<HTMLTextAreaElement>('text').value).toBe('');
    await bound.fill({ text: 'Bye' });
    expect(await valueOf()).toEqual({ id: 'n', text: 'Bye', created });
    await bound.fill({ ...stored, text: 'Hello', tags: ['a'], created });
    form.reset();
    await vi.waitFor(async () => expect(await valueOf()).toBeUndefined());
    await bound.fill({ text: 'Bye' });
    expect(await valueOf()).toEqual({ id: 'n', text: 'Bye', created: 'now' });
  });

  test('says in its element, with the others, what is wrong with an array of values', async () => {
    const { bound, control, error, form, onSubmit } = await bind(
      `<label>Text <textarea name="text"></textarea></label>
       <label>Tags <input id="words"></label> <p data-error="tags"></p>`,
      {
        values: () => {
          const { value } = document.querySelector<HTMLInputElement>('#words')!;
          return { id: 'n', tags: value.split(' ').filter(Boolean) };
        },
        summary: true,
      },
    );
    const alert = () => [...form.querySelectorAll('[role=alert] li')].map((li) => li.textContent);
    await userEvent.fill(form.querySelector('#words')!, 'raspberries');
    expect(error('tags')).toBe('');

    form.requestSubmit();
    await vi.waitFor(() => expect(error('text')).toBe('Please fill in this field.'));
    const tooLong = 'Please enter no more than 8 characters. So far: 11.';
    expect(error('tags')).toBe(tooLong);
    expect(alert()).toEqual(['Text: Please fill in this field.', `tags: ${tooLong}`]);
    await userEvent.fill(control('text'), 'Hello');
    expect(alert()).toEqual([`tags: ${tooLong}`]);
    form.requestSubmit();
    await userEvent.fill(form.querySelector('#words')!, 'red red');
    expect(error('tags')).toContain('uniqueItems');
    await userEvent.fill(form.querySelector('#words')!, 'red');
    expect(error('tags')).toBe('');
    expect(onSubmit).not.toHaveBeenCalled();
    bound.unbind();
    expect(form.querySelector('p')!.outerHTML).toBe('<p data-error="tags"></p>');
  });

  test('shows what is wrong with each field, though the table has a check of whole rows', async () => {
    const { bound, error, form } = await bindTo(
      defineTable('Notes', notes.properties, {
        key: 'id',
        refine: ({ text, tags }) =>
          tags!.some((tag) => text.includes(tag)) ? [] : [{ message: 'No tag.', path: ['text'] }],
      }),
      '<textarea name="text"></textarea><p data-error="tags"></p>',
    );
    form.requestSubmit();
    await vi.waitFor(() => expect(error('text')).toBe('Please fill in this field.'));

    await bound.fill({ text: 'Hello', tags: ['a'] });
    form.requestSubmit();
    await vi.waitFor(() => expect(error('text')).toBe('No tag.'));
  });

  test('is filled and read on a server with its long text and the type of its file', async () => {
    const data = new FormData();
    fillForm(data, { text: 'a\r\nb', photo: new Blob(['abc'], { type: 'image/png' }) });

    const { value } = await readForm(data, notes, { values: { id: 'n' } });

    expect(value).toMatchObject({ id: 'n', text: 'a\nb' });
    expect(value!.photo!.type).toBe('image/png');
  });
});

test('a row that exists already is a message at the field of its key', async () => {
  const account = await openForTest({ storage: memoryStorage() });
  const { notes: table } = await account.openTables({ notes });
  await table.insert({ id: 'a', text: 'first' });
  const html = '<input name="id" value="a"><textarea name="text">second</textarea>';
  const onSubmit = (row: Parameters<typeof table.insert>[0]) => table.insert(row);
  const { error, form } = await bind(html, { values: {}, onSubmit });

  form.requestSubmit();

  await vi.waitFor(() => expect(error('id')).toBe(messages.exists));
  expect((await table.get('a'))!.text).toBe('first');
});
