// A declared table as the rules of a form of react-hook-form: the real one.

import { createElement as h, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { createFormControl, useForm } from 'react-hook-form';
import { beforeAll, describe, expect, expectTypeOf, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';

import { localize, resolverFor } from '../../../js/src/forms.js';
import { messages as german } from '../../../js/src/forms/messages/de.js';
import { messages as english } from '../../../js/src/forms/messages/en.js';
import { loadValidator } from '../../../js/src/index.js';
import { defineTable, t, type StandardSchema } from '../../../js/src/schema.js';
import { makePlace } from '../views/support.js';

const place: StandardSchema<{ lat: number }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => {
      const { lat } = value as { lat: number };
      if (lat <= 90) return { value: { lat } };
      return { issues: [{ message: 'No such latitude.', path: ['lat'] }] };
    },
  },
};

const tasks = defineTable(
  'Tasks',
  {
    id: t.id(),
    list: t.string(),
    title: t.string({ minLength: 3 }),
    hours: t.int32({ maximum: 8 }).optional(),
    due: t.dateTime().optional(),
    tags: t.array(t.string({ maxLength: 4 })).default([]),
    notes: t.text({ maxLength: 5 }).optional(),
    photo: t.blob({ maxBytes: 4 }).optional(),
    place: t.json(place).optional(),
  },
  { key: ['list', 'id'] },
);

beforeAll(async () => {
  await loadValidator();
});

/** Submits values, and returns the row or the errors. */
async function submitted(values: object, resolver: ReturnType<typeof resolverFor>) {
  const form = createFormControl<Record<string, unknown>>({ resolver, defaultValues: values });
  for (const name of Object.keys(values)) form.register(name);
  let found: unknown;
  await form.handleSubmit(
    (row) => void (found = { row }),
    (errors) => void (found = { errors }),
  )();
  return found as { row?: Record<string, unknown>; errors?: Record<string, { message: string }> };
}

const right = { list: 'home', title: 'Milk' };

describe('a resolver for react-hook-form', () => {
  test('reads what controls hold as the declared types', async () => {
    const photo = new File(['abc'], 'a.png', { type: 'image/png' });
    const files = { 0: photo, length: 1, item: () => photo };
    const texts = { hours: ' 5 ', due: '2024-05-06T10:00', notes: 'a\r\nb', id: '' };
    const values = { ...right, ...texts, photo: files, place: { lat: 50 }, tags: ['a'] };

    const { row, errors } = await submitted(values, resolverFor(tasks, { timeZone: 'UTC' }));

    expect(errors).toBeUndefined();
    expect(row).toMatchObject({
      ...{ ...right, hours: 5, due: new Date('2024-05-06T10:00:00Z'), notes: 'a\nb' },
      ...{ photo, place: { lat: 50 }, tags: ['a'] },
    });
  });

  test('adds the values that are not for the user', async () => {
    const values = { list: 'work' };

    const { row } = await submitted({ title: 'Milk' }, resolverFor(tasks, { values }));

    expect(row).toMatchObject({ list: 'work', title: 'Milk' });
  });

  test('says what is wrong in the language of the user, at the path of the value', async () => {
    const photo = new File(['abcde'], 'a.png');
    const files = { 0: photo, length: 1, item: () => photo };
    const values = { title: 'Mi', hours: '9', tags: ['ok', 'too long'], notes: 'abcdef' };
    const messages = Promise.resolve(german);

    const { errors } = await submitted(
      { ...values, list: '', photo: files, place: { lat: 91 } },
      resolverFor(tasks, { messages }),
    );

    expect(errors).toMatchObject({
      list: { type: 'schema-required', message: german.required },
      title: {
        type: 'schema-min-length',
        message: 'Bitte geben Sie mindestens 3 Zeichen ein. Bisher: 2.',
      },
      hours: { type: 'schema-maximum', message: 'Bitte geben Sie 8 oder weniger ein.' },
      notes: { type: 'schema-max-length', message: expect.stringContaining('5 Zeichen') },
      photo: { type: 'schema-max-bytes', message: expect.stringContaining('4 Byte') },
      place: { lat: { type: 'check', message: 'No such latitude.' } },
      tags: [undefined, { type: 'schema-max-length', message: expect.stringContaining('4') }],
    });
  });

  test('shows messages at the fields of a component, and sets the focus', async () => {
    const onValid = vi.fn();
    const App = (): ReactNode => {
      const { register, handleSubmit, formState } = useForm({
        resolver: resolverFor(tasks, { messages: english, values: { list: 'home' } }),
      });
      expectTypeOf(handleSubmit)
        .parameter(0)
        .parameter(0)
        .toMatchObjectType<{ list: string; title: string; due?: Date; tags: string[] }>();
      return h(
        'form',
        { onSubmit: (event) => void handleSubmit(onValid)(event) },
        h('input', register('title')),
        h('p', null, formState.errors.title?.message),
        h('button', null, 'Save'),
      );
    };
    const page = makePlace();
    const root = createRoot(page);
    onTestFinished(() => root.unmount());
    root.render(h(App));
    await expect.poll(() => page.querySelector('button')).not.toBeNull();

    await userEvent.click(page.querySelector('button')!);
    await expect.poll(() => page.textContent).toContain(english.required);
    expect(document.activeElement).toBe(page.querySelector('input'));
    await userEvent.keyboard('Milk{Enter}');

    await expect.poll(() => onValid.mock.calls.length).toBe(1);
    expect(onValid.mock.calls[0]![0]).toMatchObject({ list: 'home', title: 'Milk', tags: [] });
  });
});

describe('localize', () => {
  test('gives the text of an issue in a language', async () => {
    const wrong = { ...right, title: 'Mi', hours: 2.5, notes: 'abcdef', place: { lat: 91 } };

    const { issues } = await tasks.validate(wrong as never);

    const texts = issues!.map((issue) => [issue.path![0], localize(issue, english)]);
    expect(Object.fromEntries(texts)).toEqual({
      title: 'Please enter at least 3 characters. So far: 2.',
      hours: 'Please enter a whole number.',
      notes: 'Please enter no more than 5 characters. So far: 6.',
      place: 'No such latitude.',
    });
  });
});
