import { afterEach, describe, expect, it, vi } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { openTasks } from './tasks.js';

const idsOf = (property: ReturnType<typeof t.id>) => property.rules.default as () => string;

describe('t.id()', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  // Source: RFC 9562, 5.7.
  it('makes UUIDs of version 7, whose first 48 bits are the time', () => {
    const before = Date.now();
    const id = idsOf(t.id())();

    expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    const time = parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    expect(time).toBeGreaterThanOrEqual(before);
    // Ids of this process may have used up a millisecond.
    expect(time).toBeLessThan(Date.now() + 1000);
  });

  it('makes ids that ascend, also within a millisecond and if the clock goes back', () => {
    vi.useFakeTimers();
    const newId = idsOf(t.id());
    const ids = Array.from({ length: 10_000 }, newId);
    vi.setSystemTime(Date.now() - 5000);
    ids.push(newId());

    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('makes ids that descend, with the newest first', () => {
    const newId = idsOf(t.id({ newestFirst: true }));
    const ids = Array.from({ length: 10_000 }, newId);

    expect(ids).toEqual([...ids].sort().reverse());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('is made when a row is inserted without one, and stored as a text', async () => {
    const account = await openTasks();
    const { tasks } = account.tables;
    const first = await tasks.insert({ list: 'home', title: 'Milk' });
    const second = await tasks.insert({ list: 'home', title: 'Bread' });

    expect((await tasks.list()).map(({ id }) => id)).toEqual([first.id, second.id]);
    const [stored] = await account
      .tableClient('Tasks')
      .listEntities({ typed: true })
      .byPage()
      .next()
      .then(({ value }) => value as object[]);
    expect(stored).toMatchObject({ partitionKey: 'home', rowKey: first.id });
    expect(stored).not.toHaveProperty('id');
    expect(stored).not.toHaveProperty('list');
    const own = '01890a5d-ac96-774b-bcce-b302099a8057';
    expect(await tasks.insert({ list: 'home', title: 'Tea', id: own })).toMatchObject({ id: own });
    await expect(tasks.insert({ list: 'home', title: 'Tea', id: 'tea' })).rejects.toMatchObject({
      code: 'SchemaViolation',
      issues: [{ rule: 'schema-pattern', path: ['id'] }],
    });
  });

  it('is a text with the format uuid in JSON Schema, which writes may leave out', () => {
    const ones = defineTable('Ones', { id: t.id(), n: t.int32() }, { key: 'id' });

    expect(ones.jsonSchema()).toMatchObject({
      properties: { id: { type: 'string', format: 'uuid' } },
      required: ['n'],
    });
    const output = ones['~standard'].jsonSchema.output({ target: 'draft-2020-12' });
    expect(output).toMatchObject({ required: ['id', 'n'] });
  });
});
