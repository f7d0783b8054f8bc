// A declared table as the schema of libraries for forms and of a server framework: real ones,
// without an adapter of ours.

import { formatIssues, parseSubmission, report } from '@conform-to/dom/future';
import { sValidator } from '@hono/standard-validator';
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { FormApi } from '@tanstack/form-core';
import { Hono } from 'hono';
import { createFormControl } from 'react-hook-form';
import { beforeAll, describe, expect, expectTypeOf, it, vi } from 'vitest';

import { loadValidator } from '../../../js/src/index.js';
import { defineTable, t, type Infer, type InferInput, type Issue } from '../../../js/src/schema.js';

const users = defineTable('Users', {
  partitionKey: t.string(),
  rowKey: t.string(),
  name: t.string({ minLength: 2 }),
  points: t.int64().optional(),
});

const wrong: InferInput<typeof users> = { partitionKey: 'p', rowKey: 'a/b', name: 'A' };
const right: InferInput<typeof users> = {
  partitionKey: 'p',
  rowKey: 'ann',
  name: 'Ann',
  points: 2n ** 60n,
};

beforeAll(async () => {
  await loadValidator();
});

describe('a table is a schema for', () => {
  it('react-hook-form', async () => {
    const form = createFormControl({
      resolver: standardSchemaResolver(users),
      defaultValues: wrong,
    });
    const onValid = vi.fn();
    const onInvalid = vi.fn();
    for (const name of ['partitionKey', 'rowKey', 'name', 'points'] as const) form.register(name);

    await form.handleSubmit(onValid, onInvalid)();
    expect(onValid).not.toHaveBeenCalled();
    expect(onInvalid.mock.calls[0]![0]).toMatchObject({
      rowKey: { message: expect.stringContaining('"/" at position 1') },
      name: { message: expect.stringContaining('1 UTF-16 units') },
    });

    form.reset(right);
    await form.handleSubmit(onValid)();
    expect(onValid.mock.calls[0]![0]).toEqual(right);
  });

  it('TanStack Form', async () => {
    const onSubmit = vi.fn();
    const form = new FormApi({
      defaultValues: wrong,
      validators: { onChange: users },
      onSubmit: ({ value }) => onSubmit(value),
    });
    form.mount();

    await form.handleSubmit();
    expect(onSubmit).not.toHaveBeenCalled();
    const [errors] = form.state.errors as unknown as [Record<string, { message: string }[]>];
    expect(Object.keys(errors).sort()).toEqual(['name', 'rowKey']);

    form.reset(right);
    await form.handleSubmit();
    expect(onSubmit).toHaveBeenCalledWith(right);
  });

  it('Conform', async () => {
    const data = new FormData();
    for (const [name, value] of Object.entries(wrong)) data.append(name, value as string);
    const submission = parseSubmission(data);

    const result = await users.validate(submission.payload);
    const { error } = report(submission, { error: formatIssues(result.issues!) });

    expect(error!.fieldErrors).toEqual({
      rowKey: [expect.stringContaining('"/" at position 1')],
      name: [expect.stringContaining('1 UTF-16 units')],
    });
  });

  // What a request of a browser has: JSON has no Int64, and a query has only texts.
  describe('Hono', () => {
    const notes = defineTable('Notes', {
      partitionKey: t.string(),
      rowKey: t.string(),
      text: t.string({ minLength: 2 }),
      stars: t.int32({ maximum: 5 }).default(0),
    });
    const note = { partitionKey: 'p', rowKey: 'n', text: 'Hello' };
    const app = new Hono()
      .post('/notes', sValidator('json', notes), (context) => {
        const row = context.req.valid('json');
        expectTypeOf(row).toEqualTypeOf<Infer<typeof notes>>();
        return context.json(row, 201);
      })
      .get(
        '/notes',
        sValidator('query', notes, (result, context) => {
          if (result.success) return undefined;
          const issues = result.error as readonly Issue[];
          return context.json(
            issues.map(({ rule, path }) => `${rule} ${String(path?.[0])}`),
            422,
          );
        }),
        (context) => context.json(context.req.valid('query')),
      );
    const post = (row: object) =>
      app.request('/notes', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(row),
      });

    it('checks the bodies of requests, and fills in defaults', async () => {
      const created = await post(note);
      expect(created.status).toBe(201);
      expect(await created.json()).toEqual({ ...note, stars: 0 });

      const refused = await post({ ...note, text: 'H', stars: 6 });
      expect(refused.status).toBe(400);
      const { success, error } = (await refused.json()) as { success: boolean; error: Issue[] };
      expect(success).toBe(false);
      expect(error).toMatchObject([
        { path: ['text'], rule: 'schema-min-length', limit: 2, actual: 1 },
        { path: ['stars'], rule: 'schema-maximum', expected: 5 },
      ]);
    });

    it('gives its hook our issues', async () => {
      const query = new URLSearchParams({ ...note, rowKey: 'a/b', stars: '1' });

      const refused = await app.request(`/notes?${query.toString()}`);

      expect(refused.status).toBe(422);
      expect(await refused.json()).toEqual(['key-character rowKey', 'schema-type stars']);
    });
  });
});
