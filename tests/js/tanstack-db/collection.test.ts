import { createTransaction, eq, gt } from '@tanstack/db';
import { describe, expect, it, vi } from 'vitest';

import { tableError } from '../support/rejection.js';
import { collectionOf, live, openTasks, task } from './support.js';

const textsOf = (rows: Iterable<{ text: string }>) => [...rows].map(({ text }) => text).sort();

describe('a collection of a table', () => {
  it('has only the rows that a query asks for', async () => {
    const { table } = await openTasks('a', 'b', 'c');
    await table.updateEntity({ partitionKey: 'home', rowKey: 'b', done: true });
    const tasks = collectionOf(table);
    const open = await live((q) => q.from({ tasks }).where(({ tasks }) => eq(tasks.done, false)));

    expect(textsOf(open.toArray)).toEqual(['a', 'c']);
    expect([...tasks.keys()].sort()).toEqual(['home/a', 'home/c']);
    expect(tasks.get('home/a')).toMatchObject({ text: 'a', etag: expect.any(String) as string });
  });

  it('loads the whole table at once, if it is eager', async () => {
    const { table } = await openTasks('a', 'b');
    const tasks = collectionOf(table, { syncMode: 'eager' });
    await tasks.preload();

    expect(textsOf(tasks.toArray)).toEqual(['a', 'b']);
  });

  it('shows what other clients write', async () => {
    const { table, elsewhere } = await openTasks('a', 'b');
    const tasks = collectionOf(table);
    const open = await live((q) => q.from({ tasks }).where(({ tasks }) => eq(tasks.done, false)));
    await elsewhere.createEntity(task('c'));
    await elsewhere.updateEntity({ partitionKey: 'home', rowKey: 'a', done: true });
    await elsewhere.deleteEntity('home', 'b');
    await elsewhere.createEntity(task('d', { done: true }));

    await vi.waitFor(() => expect(textsOf(open.toArray)).toEqual(['c']), 8000);
    expect([...tasks.keys()]).toEqual(['home/c']);
    await elsewhere.updateEntity({ partitionKey: 'home', rowKey: 'd', done: false, text: 'D' });
    await vi.waitFor(() => expect(textsOf(open.toArray)).toEqual(['D', 'c']), 8000);
  });

  it('removes the rows that no query needs any more', async () => {
    const { table } = await openTasks('a', 'b', 'c');
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }).where(({ tasks }) => eq(tasks.rowKey, 'a')));
    const all = await live((q) => q.from({ tasks }));
    expect(tasks.size).toBe(3);

    await all.cleanup();

    expect([...tasks.keys()]).toEqual(['home/a']);
  });

  it('reads equal queries once', async () => {
    const { table } = await openTasks('a', 'b');
    const list = vi.spyOn(table.requests, 'list');
    const tasks = collectionOf(table);
    const query = () => live((q) => q.from({ tasks }).where(({ tasks }) => gt(tasks.rowKey, 'a')));
    await Promise.all([query(), query()]);
    await query();

    expect(list.mock.calls.map(([{ filter }]) => filter)).toEqual(["RowKey gt 'a'"]);
  });

  it('reads all rows again after an import, because it reports no single rows', async () => {
    const { table } = await openTasks('a', 'b');
    const tasks = collectionOf(table);
    const all = await live((q) => q.from({ tasks }));
    const rows = Array.from({ length: 5000 }, (_, i) => task(`i${i}`));
    await table.deleteEntity('home', 'a');
    await table.importEntities(rows);

    await vi.waitFor(() => expect(all.size).toBe(5001), 8000);
    expect(tasks.has('home/a')).toBe(false);
  });

  it('fails when the table is deleted or missing', async () => {
    const { account, table } = await openTasks('a');
    const tasks = collectionOf(table, { syncMode: 'eager' });
    await tasks.preload();
    await table.deleteTable();
    await vi.waitFor(() => expect(tasks.status).toBe('error'));

    const none = collectionOf(account.tableClient('Other'), { syncMode: 'eager' });
    await expect(none.preload()).rejects.toMatchObject({ code: 'TableNotFound' });
  });

  it('follows the table only while it is used', async () => {
    const { table, elsewhere } = await openTasks('a');
    const tasks = collectionOf(table, { syncMode: 'eager' });
    await tasks.preload();
    await tasks.cleanup();
    await elsewhere.createEntity(task('b'));
    expect(tasks.size).toBe(0);

    await tasks.preload();
    expect(textsOf(tasks.toArray)).toEqual(['a', 'b']);
  });
});

describe('a write', () => {
  it('shows at once, and then as it is stored', async () => {
    const { table } = await openTasks();
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));

    const inserted = tasks.insert(task('a'));
    expect(tasks.get('home/a')).toMatchObject({ text: 'a', $synced: false });
    await inserted.when('settled');
    expect(tasks.get('home/a')).toMatchObject({ text: 'a', $synced: true });
    expect(tasks.get('home/a')?.etag).toBe((await table.getEntity('home', 'a')).etag);

    const updated = tasks.update('home/a', (draft) => void (draft.done = true));
    expect(tasks.get('home/a')?.done).toBe(true);
    await updated.when('settled');
    expect((await table.getEntity('home', 'a')).done).toBe(true);

    const deleted = tasks.delete('home/a');
    expect(tasks.has('home/a')).toBe(false);
    await deleted.when('settled');
    expect(await table.countEntities()).toBe(0);
    expect(tasks.has('home/a')).toBe(false);
  });

  it('never shows the old state again on its way', async () => {
    const { table } = await openTasks('a');
    const tasks = collectionOf(table, { syncMode: 'eager' });
    await tasks.preload();
    const shown: boolean[] = [];
    const subscription = tasks.subscribeChanges(() => shown.push(tasks.get('home/a')!.done));
    await tasks.update('home/a', (draft) => void (draft.done = true)).when('settled');
    subscription.unsubscribe();

    expect(new Set(shown)).toEqual(new Set([true]));
  });

  it('that is refused is rolled back, with the error of the table', async () => {
    const { table } = await openTasks('a');
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    const refused = tasks.insert(task('x/y'));
    expect(tasks.size).toBe(2);

    const error = await tableError(refused.when('settled'));

    expect(error).toMatchObject({ code: 'OutOfRangeInput', details: { rowKey: 'x/y' } });
    expect([...tasks.keys()]).toEqual(['home/a']);
  });

  it('that lost a race is rolled back to what the other client wrote', async () => {
    const { table, elsewhere } = await openTasks('a');
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    await elsewhere.updateEntity({ partitionKey: 'home', rowKey: 'a', text: 'theirs' });
    // Its account has not heard of it.
    const error = await tableError(
      tasks.update('home/a', (draft) => void (draft.text = 'ours')).when('settled'),
    );

    expect(error.code).toBe('UpdateConditionNotSatisfied');
    await vi.waitFor(() => expect(tasks.get('home/a')?.text).toBe('theirs'), 8000);
    await tasks.update('home/a', (draft) => void (draft.text = 'ours')).when('settled');
    expect((await table.getEntity('home', 'a')).text).toBe('ours');
  });

  it('waits for earlier writes of the row that have not ended', async () => {
    const { table } = await openTasks();
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    const first = tasks.insert(task('a'));
    const second = tasks.update('home/a', (draft) => void (draft.text = 'b'));
    const third = tasks.update('home/a', (draft) => void (draft.done = true));
    await Promise.all([first, second, third].map((one) => one.when('settled')));
    expect(await table.getEntity('home', 'a')).toMatchObject({ text: 'b', done: true });

    const deleted = tasks.delete('home/a');
    const again = tasks.insert(task('a', { text: 'again' }));
    await Promise.all([deleted, again].map((one) => one.when('settled')));
    expect((await table.getEntity('home', 'a')).text).toBe('again');
    expect(tasks.get('home/a')).toMatchObject({ text: 'again', $synced: true });
  });

  it('after a refused insert does not change the row of another client', async () => {
    const { table, elsewhere } = await openTasks();
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    await elsewhere.createEntity(task('a', { text: 'theirs' }));
    const inserted = tasks.insert(task('a'));
    const updated = tasks.update('home/a', (draft) => void (draft.text = 'ours'));

    expect((await tableError(inserted.when('settled'))).code).toBe('EntityAlreadyExists');
    expect((await tableError(updated.when('settled'))).code).toBe('EntityAlreadyExists');
    expect((await table.getEntity('home', 'a', { fresh: true })).text).toBe('theirs');
  });

  it('removes a property that the draft has not', async () => {
    const { table } = await openTasks();
    await table.createEntity(task('a', { owner: 'ann' }));
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    await tasks.update('home/a', (draft) => void delete draft.owner).when('settled');

    expect('owner' in (await table.getEntity('home', 'a'))).toBe(false);
    expect(tasks.get('home/a')).not.toHaveProperty('owner');
  });
});

describe('a transaction', () => {
  it('is stored as a whole, if it is in one partition', async () => {
    const { table } = await openTasks('a', 'b');
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    const submit = vi.spyOn(table.requests, 'submit');
    const transaction = createTransaction({
      mutationFn: ({ transaction }) => tasks.utils.writeMutations(transaction),
    });
    transaction.mutate(() => {
      tasks.insert(task('c'));
      tasks.update('home/a', (draft) => void (draft.text = 'A'));
      tasks.delete('home/b');
    });
    expect([...tasks.keys()].sort()).toEqual(['home/a', 'home/c']);
    await transaction.when('settled');

    expect(submit).toHaveBeenCalledOnce();
    const partition = { filter: "PartitionKey eq 'home'" };
    const stored = [];
    for await (const { text } of table.listEntities(partition)) stored.push(text);
    expect(stored).toEqual(['A', 'c']);
  });

  it('changes nothing in a partition if one of its rows is refused', async () => {
    const { table, elsewhere } = await openTasks('a', 'b');
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    await elsewhere.createEntity(task('c'));
    const refused = tasks.insert([task('c'), task('d'), task('e')]);

    const error = await tableError(refused.when('settled'));

    expect(error).toMatchObject({ code: 'EntityAlreadyExists', details: { operationIndex: 0 } });
    expect(await table.countEntities()).toBe(3);
  });

  it('of many rows is stored in parts', async () => {
    const { table } = await openTasks();
    const tasks = collectionOf(table);
    await live((q) => q.from({ tasks }));
    const submit = vi.spyOn(table.requests, 'submit');
    const rows = Array.from({ length: 250 }, (_, i) => task(`${i}`, {}, i < 201 ? 'a' : 'b'));
    await tasks.insert(rows).when('settled');

    expect(submit.mock.calls.map(([actions]) => (actions as unknown[]).length)).toEqual([
      100, 100, 49,
    ]);
    expect(await table.countEntities()).toBe(250);
    expect(tasks.size).toBe(250);
  });

  it('writes only its own rows for a collection', async () => {
    const { account, table } = await openTasks();
    const owners = account.tableClient<{ name: string }>('Owners');
    await owners.createTable();
    const [tasks, people] = [collectionOf(table), collectionOf(owners)];
    const transaction = createTransaction({
      mutationFn: async ({ transaction }) => {
        await people.utils.writeMutations(transaction);
        await tasks.utils.writeMutations(transaction);
      },
    });
    transaction.mutate(() => {
      tasks.insert(task('a', { owner: 'ann' }));
      people.insert({ partitionKey: 'p', rowKey: 'ann', name: 'Ann' });
    });
    await transaction.when('settled');

    expect([await table.countEntities(), await owners.countEntities()]).toEqual([1, 1]);
  });
});
