// The declared tables of a remote account have the methods that the service has, and each takes as
// few requests as it can.

import { describe, expect, it } from 'vitest';

import { loadValidator } from '../../../js/src/index.js';
import { and, defineTable, t } from '../../../js/src/schema.js';
import { collect } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { openCloud } from './support.js';

const tasks = defineTable(
  'Tasks',
  {
    list: t.string(),
    id: t.string(),
    title: t.string({ maxLength: 20, pattern: /^[A-Z]/ }),
    weight: t.double().optional(),
    count: t.int32().default(0),
    tags: t.array(t.string()).optional(),
    notes: t.text().optional(),
  },
  { key: ['list', 'id'] },
);

async function openTasks(options: Parameters<typeof openCloud>[0] = {}) {
  const cloud = await openCloud(options);
  await cloud.remote.createTable('Tasks');
  const { tasks: table } = await cloud.remote.openTables({ tasks });
  cloud.sent.length = 0;
  /** The methods of the requests since the last call. */
  const methods = () =>
    cloud.sent.splice(0).map(({ method, headers }) => headers['X-HTTP-Method'] ?? method);
  return { ...cloud, table, methods };
}

const milk = { list: 'home', id: '1', title: 'Milk', weight: 2 };
const numbered = (list: string, length: number) =>
  Array.from({ length }, (_, n) => ({ list, id: `${n}`.padStart(4, '0'), title: 'T', count: n }));

describe('declared tables of a remote account', () => {
  it('are opened without a request', async () => {
    const { remote, sent } = await openCloud();

    const { mine } = await remote.openTables({ mine: tasks });

    expect(mine.name).toBe('Tasks');
    expect(sent).toEqual([]);
    expect(await errorCode(remote.openTables({ mine: {} } as never))).toBe('InvalidInput');
    expect(await errorCode(mine.get(milk))).toBe('TableNotFound');
  });

  it('have rows with declared types, defaults and fields of keys', async () => {
    const { table, local, methods } = await openTasks();

    const row = await table.insert(milk);

    expect(row).toMatchObject({ ...milk, count: 0, etag: expect.stringMatching(/^W\//) });
    expect(methods()).toEqual(['POST']);
    expect(await table.get(row)).toEqual({ ...row, timestamp: expect.any(String) });
    expect(methods()).toEqual(['GET']);
    const stored = await local.tableClient('Tasks').getEntity('home', '1', { typed: true });
    expect(stored).toMatchObject({ weight: { type: 'Double', value: 2 } });
    expect(stored).not.toHaveProperty('list');
    expect(await errorCode(table.insert(milk))).toBe('EntityAlreadyExists');
    expect(await table.get({ list: 'home', id: '2' })).toBeUndefined();
    const [none, found] = await table.getMany([{ list: 'home', id: '2' }, milk]);
    expect([none, found?.title]).toEqual([undefined, 'Milk']);
  });

  it('are changed on condition of what was read', async () => {
    const { table, methods } = await openTasks();
    const row = await table.insert(milk);
    await table.update(row, { count: 1 });
    expect(methods()).toEqual(['POST', 'MERGE']);

    for (const late of [
      () => table.update(row, { count: 2 }, { ifUnchanged: row }),
      () => table.update(row, { weight: null }, { ifUnchanged: row }),
      () => table.put(milk, { ifUnchanged: row }),
      () => table.delete(row, { ifUnchanged: row }),
    ]) {
      expect(await errorCode(late())).toBe('UpdateConditionNotSatisfied');
    }
    methods();
    await Promise.all(
      [1, 2, 3].map(() => table.update(row, ({ count }) => ({ count: count + 1 }))),
    );
    expect((await table.get(row))!.count).toBe(4);
    methods();
    expect(await table.delete(row)).toBe(true);
    expect(await table.delete(row)).toBe(false);
    expect(methods()).toEqual(['DELETE', 'DELETE']);
    expect(await errorCode(table.update(row, { count: 1 }))).toBe('ResourceNotFound');
  });

  it('lose properties and parts by one write over what was read', async () => {
    const { table, local, methods } = await openTasks();
    const untyped = local.tableClient('Tasks');
    const row = await table.insert({ ...milk, notes: 'n'.repeat(70_000), tags: ['a'] });
    methods();

    await table.update(row, { weight: null, notes: 'short' });
    expect(methods()).toEqual(['GET', 'PUT']);
    await table.update(row, ({ tags }) => ({ tags: [...tags!, 'b'], notes: null }));
    expect(methods()).toEqual(['GET', 'PUT']);
    const after = await untyped.getEntity('home', '1', { typed: true });
    expect(after).toMatchObject({ title: { value: 'Milk' }, tags: { value: '["a","b"]' } });
    expect(Object.keys(after).filter((name) => /^(notes|weight)/.test(name))).toEqual([]);

    // What another program has stored keeps its type.
    const weighed = { partitionKey: 'home', rowKey: '1', price: { type: 'Double', value: 3 } };
    await untyped.updateEntity(weighed as never);
    await table.update(row, () => ({ tags: null, count: undefined }));
    expect(methods()).toEqual(['GET', 'GET', 'PUT']);
    expect(await untyped.getEntity('home', '1', { typed: true })).toMatchObject({
      price: { type: 'Double', value: 3 },
      count: { type: 'Int32', value: 0 },
    });
    expect(await table.get(row)).not.toHaveProperty('tags');
  });

  it('insert what an upsert does not find, with its defaults', async () => {
    const { table, methods } = await openTasks();

    await table.upsert(milk);
    expect(methods()).toEqual(['MERGE', 'POST']);
    await table.upsert({ list: 'home', id: '1', count: 7 });
    expect(methods()).toEqual(['MERGE']);
    expect(await table.get(milk)).toMatchObject({ ...milk, count: 7 });
  });

  it('are listed by filters of the service, up to a limit', async () => {
    const { table, methods } = await openTasks();
    await table.insertMany([...numbered('home', 5), ...numbered('work', 3)]);
    methods();

    const rows = await table.list({
      where: ({ list, count }) => and(list.eq('home'), count.ge(1)),
      limit: 3,
      select: ['count'],
    });
    expect(rows.map(({ list, count }) => [list, count])).toEqual([
      ['home', 1],
      ['home', 2],
      ['home', 3],
    ]);
    expect(methods()).toEqual(['GET']);
    expect(await table.list({ limit: 0 })).toEqual([]);
    expect(methods()).toEqual([]);
    expect((await table.first({ where: "list eq 'work'" }))?.count).toBe(0);
    expect(await table.first({ where: ({ count }) => count.gt(99) })).toBeUndefined();
    expect((await collect(table.rows({ limit: 6 }))).map(({ list }) => list)).toEqual([
      ...Array<string>(5).fill('home'),
      'work',
    ]);
    expect(await table.count()).toBe(8);
    expect(await table.count({ where: ({ count }) => count.eq(2) })).toBe(2);
  });

  it('refuse what only a local account can do before any request', async () => {
    const { table, sent } = await openTasks();

    for (const [where, word] of [
      ["contains(title,'x')", 'contains'],
      ["tolower(title) eq 'x'", 'tolower'],
      ['count in (1,2)', 'in'],
      ['count add 1 gt 2', 'add'],
      ["tags/any(x:x eq 'a')", 'tags/any'],
      ['place/lat gt 5', 'place/lat'],
    ] as const) {
      const error = await tableError(table.list({ where }));
      expect(error.code).toBe('InvalidInput');
      expect(error.message).toContain(`A remote account cannot filter with "${word}"`);
      expect(await errorCode(table.deleteMany({ where }))).toBe('InvalidInput');
    }
    const order = await tableError(table.list({ orderBy: 'count' } as never));
    expect(order.message).toContain('list has no option orderBy');
    expect(await errorCode(table.first({ skip: 1 } as never))).toBe('InvalidInput');
    expect(await errorCode(table.deleteMany({ where: ' ' }))).toBe('InvalidInput');
    expect(sent).toEqual([]);
    for (const where of [
      "title eq 'a in (b)' and not (count gt 1 or done)",
      "(title ge 'it''s add 1') and timestamp lt datetime'2024-01-01T00:00:00Z'",
      'not done',
    ]) {
      expect(await table.list({ where })).toEqual([]);
    }
  });
});

describe('many rows of a remote account', () => {
  it('are inserted by transactions of one partition', async () => {
    const { table, methods } = await openTasks();
    const told: number[] = [];
    const rows = numbered('home', 150).flatMap((row) => [row, { ...row, list: 'work' }]);

    const progress = await table.insertMany(rows, {
      onProgress: ({ stored }) => told.push(stored),
    });

    expect(progress).toEqual({ read: 300, stored: 300 });
    expect(told).toEqual([100, 200, 250, 300]);
    expect(methods()).toEqual(['POST', 'POST', 'POST', 'POST']);
    expect(await table.count()).toBe(300);
  });

  it('are refused with the row at fault, and how many are stored', async () => {
    const { table } = await openTasks();
    await table.insert({ ...milk, id: '0102' });

    const taken = await tableError(table.insertMany(numbered('home', 150)));
    expect(taken).toMatchObject({
      code: 'EntityAlreadyExists',
      details: { stored: 100, entityIndex: 102 },
    });
    const wrong = [...numbered('work', 3), { ...milk, title: 'lower' }, ...numbered('more', 2)];
    expect(await tableError(table.insertMany(wrong))).toMatchObject({
      code: 'SchemaViolation',
      details: { stored: 3, entityIndex: 3 },
    });
    const twice = [...numbered('twice', 2), ...numbered('twice', 1)];
    expect(await tableError(table.insertMany(twice))).toMatchObject({
      code: 'EntityAlreadyExists',
      details: { stored: 2, entityIndex: 2 },
    });
    expect(await errorCode(table.insertMany(5 as never))).toBe('InvalidInput');
  });

  it('are deleted and updated by transactions, each row as it was read', async () => {
    const { table, faults, methods } = await openTasks();
    await table.insertMany(numbered('home', 150));
    methods();

    const updated = await table.updateMany({
      where: ({ count }) => count.lt(120),
      set: { weight: 5 },
    });
    expect(updated).toEqual({ found: 120, updated: 120, refused: 0 });
    expect(methods()).toEqual(['GET', 'POST', 'POST']);

    // Somebody changes a row between the read and the write.
    faults.push(async (_, next) => {
      const answer = await next();
      await table.update({ list: 'home', id: '0007' }, { weight: 1 });
      return answer;
    });
    const deleted = await table.deleteMany({ where: ({ weight }) => weight.eq(5) });
    expect(deleted).toEqual({ found: 120, deleted: 119 });
    expect((await table.first())!.id).toBe('0007');
    expect(await table.count()).toBe(31);
  });

  it('are updated by a function, and a row that a rule refuses is reported', async () => {
    const { table } = await openTasks({ validator: await loadValidator() });
    await table.insertMany(numbered('home', 3));
    const refused: unknown[] = [];

    const progress = await table.updateMany({
      where: 'true',
      set: ({ count }) => ({ title: count === 1 ? 'x'.repeat(21) : 'Ok', notes: null }),
      onRefused: ({ details }) => refused.push(details['rowKey']),
    });

    expect(progress).toEqual({ found: 3, updated: 2, refused: 1 });
    expect(refused).toEqual(['0001']);
    expect((await table.list()).map(({ title }) => title)).toEqual(['Ok', 'T', 'Ok']);
  });
});

describe('the rules of a declared table', () => {
  const long = { ...milk, title: 'M'.repeat(21) };

  it('are checked with a validator, before anything is sent', async () => {
    const { table, sent } = await openTasks({ validator: await loadValidator() });

    const error = await tableError(table.insert(long));

    expect(error).toMatchObject({ code: 'SchemaViolation', statusCode: 400 });
    expect(error.issues.map(({ rule, path }) => [rule, path])).toEqual([
      ['schema-max-length', ['title']],
    ]);
    expect(await errorCode(table.insertMany([long]))).toBe('SchemaViolation');
    expect(await errorCode(table.insert({ list: 'home', id: '1' } as never))).toBe(
      'SchemaViolation',
    );
    expect(sent).toEqual([]);
  });

  it('are patterns and checks alone without one', async () => {
    const { table } = await openTasks();

    expect(await errorCode(table.insert({ ...milk, title: 'milk' }))).toBe('SchemaViolation');
    expect(await table.insert(long)).toMatchObject(long);
  });

  it('include upgrades, when rows are read and when they are written', async () => {
    const properties = { id: t.string(), name: t.string() };
    const old = defineTable('Pets', properties, { key: 'id', version: 1 });
    const current = defineTable(
      'Pets',
      { id: t.string(), title: t.string(), age: t.int32().optional() },
      {
        key: 'id',
        version: 2,
        upgrade: { 1: ({ name, ...row }) => ({ ...row, title: `Sir ${String(name)}` }) },
      },
    );
    const { remote, local } = await openCloud();
    const { pets } = await local.openTables({ pets: old });
    await pets.insert({ id: 'rex', name: 'Rex' });
    const { pets: table } = await remote.openTables({ pets: current });

    expect(await table.get('rex')).toMatchObject({ title: 'Sir Rex' });
    await table.update('rex', { age: 3 });

    expect(await local.tableClient('Pets').getEntity('all', 'rex')).toMatchObject({
      title: 'Sir Rex',
      age: 3,
      schemaVersion: 2,
    });
  });
});
