import { beforeEach, describe, expect, it } from 'vitest';

import { avg, count, max, sum } from '../../../js/src/index.js';
import { and } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { collect } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { openTasks } from './tasks.js';

let account: Awaited<ReturnType<typeof openTasks>>;
let table: (typeof account)['tables']['tasks'];

beforeEach(async () => {
  account = await openTasks();
  table = account.tables.tasks;
});

const noon = new Date('2024-05-06T07:08:09.010Z');
const ids = (n: number) => `01890a5d-ac96-774b-bcce-${String(n).padStart(12, '0')}`;

/** Rows of two lists, from the first key. */
const rows = [
  { list: 'home', id: ids(1), title: 'Milk', count: 2, due: noon },
  { list: 'home', id: ids(2), title: 'Bread', count: 5 },
  { list: 'work', id: ids(1), title: 'Mail', count: 3, done: true },
];

describe('a row', () => {
  it('comes back whole from its insert, as from a read', async () => {
    const row = await table.insert({ list: 'home', title: 'Milk', due: noon });

    expect(row).toMatchObject({ list: 'home', title: 'Milk', due: noon, done: false, count: 0 });
    expect(row).toEqual({
      ...{ id: expect.any(String), list: 'home', title: 'Milk', due: noon, done: false, count: 0 },
      ...{ etag: expect.stringMatching(/^W\//), timestamp: expect.stringMatching(/Z$/) },
    });
    expect(await table.get(row)).toEqual(row);
    expect(Object.keys(row)).not.toContain('partitionKey');
    expect(await errorCode(table.insert(row))).toBe('EntityAlreadyExists');
  });

  it('is read by its key, or is undefined', async () => {
    await table.insertMany(rows);
    const { pages } = account.tables;
    await pages.insert({ url: '/a?b', title: 'A' });

    expect(await table.get({ list: 'work', id: ids(1) })).toMatchObject({ title: 'Mail' });
    expect(await table.get({ list: 'work', id: ids(2) })).toBeUndefined();
    expect(await table.get({ list: 'work', id: 'x' })).toBeUndefined();
    expect(await pages.get('/a?b')).toMatchObject({ url: '/a?b', title: 'A' });
    expect(await pages.get({ url: '/a?b' })).toMatchObject({ url: '/a?b', title: 'A' });
    expect(await pages.get('/a')).toBeUndefined();
    const many = await table.getMany([rows[2]!, { list: 'no', id: ids(1) }, rows[0]!]);
    expect(many.map((row) => row?.title)).toEqual(['Mail', undefined, 'Milk']);
    const part = await table.get(rows[0]!, { select: ['title'] });
    expect(part).toEqual({ list: 'home', id: ids(1), title: 'Milk', etag: many[2]!.etag });
    for (const key of [{ list: 'home' }, { list: 5, id: 'x' }, 'home', null, undefined]) {
      expect(await errorCode(table.get(key as never))).toBe('InvalidInput');
    }
    expect(await tableError(table.get({ list: 'home' } as never))).toMatchObject({
      message: expect.stringContaining('Property "id" is missing, and part of the key.'),
    });
  });

  it('is put whole', async () => {
    const first = await table.put(rows[0]!);
    const second = await table.put({ list: 'home', id: ids(1), title: 'Soy milk' });

    expect(first).toMatchObject({ ...rows[0], done: false });
    expect(second.due).toBeUndefined();
    expect(await table.get(first)).toEqual(second);
    const late = table.put(first, { ifUnchanged: first });
    expect(await errorCode(late)).toBe('UpdateConditionNotSatisfied');
    await table.put(first, { ifUnchanged: second });
    expect(await table.get(first)).toMatchObject({ title: 'Milk', due: noon });
  });

  it('is inserted or changed by an upsert', async () => {
    await table.upsert({ list: 'home', id: ids(1), title: 'Milk' });
    await table.upsert({ list: 'home', id: ids(1), count: 7 });

    expect(await table.get(rows[0]!)).toMatchObject({ title: 'Milk', count: 7, done: false });
    expect(await errorCode(table.upsert({ ...rows[1]!, title: '' }))).toBe('SchemaViolation');
    expect(await errorCode(table.upsert({ list: 'home' } as never))).toBe('InvalidInput');
  });

  it('is changed in what is given, and null removes', async () => {
    const milk = await table.insert({ ...rows[0]!, notes: 'n' });
    const { etag } = await table.update(milk, { done: true, notes: undefined });
    expect(await table.get(milk)).toMatchObject({ ...rows[0], done: true, notes: 'n', etag });
    await table.update({ list: 'home', id: ids(1) }, { due: null, count: 9 });

    const after = (await table.get(milk))!;
    expect(after).toMatchObject({ title: 'Milk', done: true, notes: 'n', count: 9 });
    expect(after).not.toHaveProperty('due');
    expect(await errorCode(table.update(milk, { count: 1 }, { ifUnchanged: milk }))).toBe(
      'UpdateConditionNotSatisfied',
    );
    expect(await errorCode(table.update(milk, { notes: null }, { ifUnchanged: milk }))).toBe(
      'UpdateConditionNotSatisfied',
    );
    expect(await errorCode(table.update(rows[1]!, { count: 1 }))).toBe('ResourceNotFound');
    expect(await errorCode(table.update(rows[1]!, { notes: null }))).toBe('ResourceNotFound');
    const moved = await tableError(table.update(milk, { list: 'work' } as never));
    expect(moved.message).toContain('The changes have list. Keys do not change.');
    await table.update(milk, { list: 'home', count: 4 } as never);
    expect(await table.get(milk)).toMatchObject({ count: 4 });
  });

  it('is read, changed and written again if somebody else was faster', async () => {
    const milk = await table.insert(rows[0]!);
    const add = () => table.update(milk, (row) => ({ count: row.count + 1 }));
    await Promise.all(Array.from({ length: 20 }, add));

    expect(await table.get(milk)).toMatchObject({ count: 22, due: noon });
    await table.update(milk, ({ count }) => ({ count: count + 1, due: null }));
    expect(await table.get(milk)).not.toHaveProperty('due');
    const thrown = table.update(milk, () => {
      throw new Error('mine');
    });
    await expect(thrown).rejects.toThrow('mine');
    expect(await errorCode(table.update(rows[1]!, () => ({})))).toBe('ResourceNotFound');
    for (const wrong of [() => 5, () => null, null, 5, [], Promise.resolve({})]) {
      expect(await errorCode(table.update(milk, wrong as never))).toBe('InvalidInput');
    }
  });

  it('is read as another tab has just stored it', async () => {
    const storage = memoryStorage();
    const [here, there] = [await openTasks(storage), await openTasks(storage)];
    const [mine, theirs] = [here.tables.tasks, there.tables.tasks];
    await mine.list();
    const milk = await theirs.insert(rows[0]!);
    await mine.update(milk, ({ count }) => ({ count: count + 1 }));
    const ifUnchanged = await theirs.update(milk, ({ count }) => ({ count: count + 1 }));
    await mine.update(milk, ({ count }) => ({ count: count + 1 }), { ifUnchanged });

    expect(await mine.get(milk)).toMatchObject({ count: rows[0]!.count + 3 });
  });

  it('is deleted once', async () => {
    const milk = await table.insert(rows[0]!);
    await table.update(milk, { count: 1 });

    expect(await errorCode(table.delete(milk, { ifUnchanged: milk }))).toBe(
      'UpdateConditionNotSatisfied',
    );
    expect(await table.delete(milk)).toBe(true);
    expect(await table.delete(milk)).toBe(false);
    expect(await table.get(milk)).toBeUndefined();
  });

  it('is refused with everything that is wrong, under the names of the app', async () => {
    const refused = table.insert({ list: '', id: ids(1), title: '', count: 1 });
    const error = await tableError(refused);

    expect(error.code).toBe('SchemaViolation');
    expect(error.issues.map(({ rule, path }) => `${rule} ${String(path)}`).sort()).toEqual([
      'schema-min-length list',
      'schema-min-length title',
    ]);
    const missing = await tableError(table.insert({ title: 'Milk' } as never));
    expect(missing.issues.map(({ rule, path }) => `${rule} ${String(path)}`)).toEqual([
      'schema-required list',
    ]);
    const typed = await tableError(table.insert({ list: 5, title: 'Milk' } as never));
    expect(typed.issues.map(({ rule, path }) => `${rule} ${String(path)}`)).toEqual([
      'schema-type list',
    ]);
    const control = await tableError(table.insert({ list: 'a\nb', title: 'Milk' }));
    expect(control).toMatchObject({
      code: 'OutOfRangeInput',
      issues: [{ rule: 'key-character', path: ['list'], code: 'OutOfRangeInput' }],
    });
    const long = await tableError(table.insert({ list: 'a'.repeat(1025), title: 'Milk' }));
    expect(long.issues).toMatchObject([{ rule: 'key-length', path: ['list'] }]);
    expect(long.message).not.toMatch(/PartitionKey|partitionKey/);
    await table.insert(rows[0]!);
    const twice = await tableError(table.insert(rows[0]!));
    expect(twice.message).toContain(`Table "Tasks", list "home", id "${ids(1)}"`);
    expect(twice.message).not.toMatch(/PartitionKey|RowKey/);
  });
});

describe('many rows', () => {
  beforeEach(async () => {
    const progress = await table.insertMany(rows);
    expect(progress).toMatchObject({ stored: 3 });
  });

  const titles = (found: { title: string }[]) => found.map(({ title }) => title);

  it('are listed in the order of their keys, or another', async () => {
    expect(titles(await table.list())).toEqual(['Milk', 'Bread', 'Mail']);
    expect(titles(await table.list({ orderBy: 'count desc' }))).toEqual(['Bread', 'Mail', 'Milk']);
    expect(titles(await table.list({ orderBy: ['id desc', 'list'] }))).toEqual([
      'Bread',
      'Milk',
      'Mail',
    ]);
    expect(titles(await table.list({ orderBy: 'list desc', limit: 1 }))).toEqual(['Mail']);
    expect(titles(await table.list({ skip: 1, limit: 1 }))).toEqual(['Bread']);
    expect(titles(await collect(table.rows({ where: ({ list }) => list.eq('home') })))).toEqual([
      'Milk',
      'Bread',
    ]);
    expect(titles(await table.list({ where: "list eq 'home' and contains(title,'il')" }))).toEqual([
      'Milk',
    ]);
    expect((await table.first({ orderBy: 'count desc' }))?.title).toBe('Bread');
    expect(await table.first({ where: ({ list }) => list.eq('none') })).toBeUndefined();
    expect(await table.count()).toBe(3);
    expect(await table.count({ where: ({ done }) => done.eq(false) })).toBe(2);
    expect(await table.list({ where: ({ due }) => due.ge(noon), select: ['title'] })).toEqual([
      { list: 'home', id: ids(1), title: 'Milk', etag: expect.any(String) },
    ]);
  });

  it('are found by their keys alone', async () => {
    const plan = await table.explain({
      where: ({ list, id }) => and(list.eq('home'), id.gt(ids(1))),
    });

    expect(plan).toMatchObject({ count: 1, access: 'row range', ranges: 1 });
    const { pages } = account.tables;
    await pages.insertMany([
      { url: 'a', title: 'A' },
      { url: 'b/c', title: 'B' },
    ]);
    const point = await pages.explain({ where: ({ url }) => url.eq('b/c') });
    expect(point).toMatchObject({ count: 1, access: 'point' });
    const range = await pages.explain({ where: ({ url }) => url.startsWith('b/') });
    expect(range).toMatchObject({ count: 1, access: 'row range' });
  });

  it('are grouped by fields of keys', async () => {
    const groups = await table.aggregate({
      groupBy: ['list'],
      select: { number: count(), last: max('id'), most: max('count') },
    });

    expect(groups).toEqual([
      { list: 'home', number: 2, last: ids(2), most: 5 },
      { list: 'work', number: 1, last: ids(1), most: 3 },
    ]);
    const { pages } = account.tables;
    await pages.insert({ url: 'b/c', title: 'B' });
    expect(await pages.aggregate({ groupBy: { at: 'url' }, select: { last: max('url') } })).toEqual(
      [{ at: 'b/c', last: 'b/c' }],
    );
  });

  it('have sums of numbers alone', async () => {
    const { visits } = account.tables;
    const refusal = async (aggregated: Promise<unknown>) => (await tableError(aggregated)).message;

    expect(await refusal(table.aggregate({ select: { n: sum('title' as never) } }))).toContain(
      'sum() calculates with numbers, but property "title" is of type String.',
    );
    expect(await refusal(visits.aggregate({ select: { n: avg('year' as never) } }))).toContain(
      'property "year" is in the key, which is stored as a text.',
    );
    expect(await table.aggregate({ select: { n: sum('count') } })).toEqual([{ n: 10 }]);
  });

  it('are searched for words', async () => {
    const { pages } = account.tables;
    await pages.insert({ url: 'b/c', title: 'B', text: 'milk and bread' });
    const found = await pages.search('text', 'milk', { select: ['title'] });

    expect(found).toEqual([
      { row: { url: 'b/c', title: 'B', etag: expect.any(String) }, score: expect.any(Number) },
    ]);
  });

  it('are changed and deleted by a filter', async () => {
    const where = "list eq 'home'";
    expect(await table.updateMany({ where, set: { done: true } })).toMatchObject({ updated: 2 });
    const set = ({ count }: { count: number }) => (count > 2 ? { count: count * 10 } : undefined);
    expect(await table.updateMany({ where: 'true', set })).toMatchObject({ found: 3, updated: 2 });
    expect((await table.list()).map(({ count, done }) => [count, done])).toEqual([
      [2, true],
      [50, true],
      [30, true],
    ]);
    const noKey = table.updateMany({ where, set: { list: 'x' } as never });
    expect(await errorCode(noKey)).toBe('InvalidInput');
    const otherKey = table.updateMany({ where, set: () => ({ id: ids(9) }) as never });
    expect(await errorCode(otherKey)).toBe('InvalidInput');
    expect(await table.updateMany({ where, set: { due: null } })).toMatchObject({ updated: 2 });
    expect((await table.list({ where })).map(({ due }) => due)).toEqual([undefined, undefined]);
    expect(await errorCode(table.deleteMany({} as never))).toBe('InvalidInput');
    expect(await table.deleteMany({ where: ({ count }) => count.gt(5) })).toMatchObject({
      deleted: 2,
    });
    expect(titles(await table.list())).toEqual(['Milk']);
  });

  it('are exported and imported', async () => {
    const exported = table.export({ where: ({ list }) => list.eq('home') });
    const bytes = new Uint8Array(await new Response(exported).arrayBuffer());
    await table.deleteMany({ where: 'true' });
    await table.import(bytes);

    expect(titles(await table.list())).toEqual(['Milk', 'Bread']);
    await table.import([{ ...rows[0]!, title: 'Soy milk' }], { mode: 'Replace' });
    expect(await table.get(rows[0]!)).toMatchObject({ title: 'Soy milk' });
  });

  it('take no option that they do not have', async () => {
    for (const call of [
      () => table.list({ filter: 'x' } as never),
      () => table.get(rows[0]!, { where: 'x' } as never),
      () => table.list({ where: 5 } as never),
      () => table.list({ orderBy: 'nothing' } as never),
      () => table.list({ select: ['nothing'] } as never),
      () => table.list({ orderBy: 'rowKey' } as never),
      () => table.list({ select: ['rowKey'] } as never),
      () => table.aggregate({ groupBy: ['rowKey'] } as never),
    ]) {
      await expect((async () => void (await call()))()).rejects.toMatchObject({
        code: 'InvalidInput',
      });
    }
  });
});
