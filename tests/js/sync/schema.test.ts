// Tables whose schema every writer must keep, and sync is one of them.

import { expect, it, onTestFinished, vi } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { SyncTableOptions } from '../../../js/src/sync.js';
import { tableError } from '../support/rejection.js';
import { openCloud, openReplica, rowsOf } from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

const todos = (maximum: number) =>
  defineTable('Todos', {
    partitionKey: t.string(),
    rowKey: t.string(),
    n: t.int32({ maximum }),
  });

const TOO_LARGE = 'Property "n" holds 7; the maximum of the schema is 5.';

/** A replica that enforces a maximum of 5, and its warnings. */
async function openEnforced(options: SyncTableOptions = {}) {
  const cloud = await openCloud();
  const storage = memoryStorage();
  const replica = await openReplica(cloud, options, { storage });
  await replica.account.enforce(todos(5));
  const warnings: string[] = [];
  replica.sync.onWarning(({ table, partitionKey, rowKey, reason }) =>
    warnings.push(`${table} ${partitionKey}/${rowKey}: ${reason}`),
  );
  return { ...replica, cloud, warnings, storage };
}

it('leaves out rows that break it, and warns', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { cloud, sync, warnings, ...here } = await openEnforced({ reconcile: 'never' });
  await cloud.todos.createEntity(row('1', { n: 7 }));
  await cloud.todos.createEntity(row('2', { n: 2 }));

  await sync.once();

  expect(await rowsOf(here.todos)).toEqual([row('2', { n: 2 })]);
  expect(warnings).toEqual([`Todos p/1: ${TOO_LARGE}`]);
  // The next pull goes back a little, and a later one does not ask for the row again.
  vi.setSystemTime(Date.now() + 3_600_000);
  await sync.once();
  const { length } = warnings;
  vi.setSystemTime(Date.now() + 3_600_000);
  await sync.once();
  expect(warnings).toHaveLength(length);
});

it('fetches them when the schema changes, also after a restart and without a reconcile', async () => {
  const { cloud, sync, storage, warnings } = await openEnforced({ reconcile: 'never' });
  await cloud.todos.createEntity(row('1', { n: 7 }));
  await cloud.todos.createEntity(row('2', { n: 8 }));
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await sync.once();
  expect(warnings).toHaveLength(2);
  // Longer than the overlap of pulls.
  vi.setSystemTime(Date.now() + 3_600_000);
  await sync.once();

  const later = await openReplica(cloud, { reconcile: 'never' }, { storage });
  await later.account.enforce(todos(7));
  await later.sync.once();
  expect(await rowsOf(later.todos)).toEqual([row('1', { n: 7 })]);
  vi.setSystemTime(Date.now() + 3_600_000);
  await later.account.stopEnforcing('Todos');
  await later.sync.once();
  expect(await rowsOf(later.todos)).toEqual([row('1', { n: 7 }), row('2', { n: 8 })]);
});

it('warns of each of them once in a round', async () => {
  const { cloud, sync, warnings } = await openEnforced({ reconcile: 'poll' });
  await cloud.todos.createEntity(row('1', { n: 7 }));

  await sync.once();
  expect(warnings).toEqual([`Todos p/1: ${TOO_LARGE}`]);
  await sync.once();
  expect(warnings).toHaveLength(2);
});

it('keeps the older version of such a row, which is not deleted', async () => {
  const { cloud, sync, warnings, ...here } = await openEnforced({ reconcile: 'poll' });
  await cloud.todos.createEntity(row('1', { n: 2 }));
  await sync.once();
  await cloud.todos.updateEntity(row('1', { n: 7 }));

  await sync.once();
  await sync.reconcile('Todos');

  expect(await rowsOf(here.todos)).toEqual([row('1', { n: 2 })]);
  expect(new Set(warnings)).toEqual(new Set([`Todos p/1: ${TOO_LARGE}`]));
  await cloud.todos.updateEntity(row('1', { n: 3 }));
  await sync.once();
  expect(await rowsOf(here.todos)).toEqual([row('1', { n: 3 })]);
});

it.each(['merge', 'function'] as const)(
  'leaves a row dirty if the result of a conflict breaks it: %s',
  async (how) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const conflict = how === 'merge' ? how : () => row('1', { n: 7 });
    const { cloud, sync, warnings, account, ...here } = await openEnforced({ conflict });
    await here.todos.createEntity(row('1', { n: 1, a: 1 }));
    await sync.once();
    await cloud.todos.updateEntity(row('1', { n: 7 }));
    await here.todos.updateEntity(row('1', { a: 2 }));

    await sync.once();

    expect(await rowsOf(here.todos)).toEqual([row('1', { n: 1, a: 2 })]);
    expect((await sync.pending('Todos')).map(({ rowKey }) => rowKey)).toEqual(['1']);
    expect(await sync.conflicts('Todos')).toEqual([]);
    expect(new Set(warnings)).toEqual(new Set([`Todos p/1: ${TOO_LARGE}`]));

    await account.stopEnforcing('Todos');
    // After the pause that follows a conflict.
    vi.setSystemTime(Date.now() + 600_000);
    await sync.once();
    const settled = how === 'merge' ? row('1', { n: 7, a: 2 }) : row('1', { n: 7 });
    expect(await rowsOf(here.todos)).toEqual([settled]);
    expect(await rowsOf(cloud.todos)).toEqual([settled]);
  },
);

it('does not discard a write if the row of the remote account breaks it', async () => {
  const { cloud, sync, account, ...here } = await openEnforced({ conflict: 'local' });
  await here.todos.createEntity(row('1', { n: 1 }));
  await sync.once();
  await cloud.todos.updateEntity(row('1', { n: 7 }));
  await here.todos.updateEntity(row('1', { n: 2 }));
  cloud.faults.push(
    (_, next) => next(),
    () => Promise.reject(new TypeError('Failed to fetch')),
  );
  await sync.once().catch(() => {});
  await here.todos.updateEntity(row('1', { n: 3 }));

  const error = await tableError(sync.discard('Todos', 'p', '1'));

  expect(error.code).toBe('SchemaViolation');
  expect(await rowsOf(here.todos)).toEqual([row('1', { n: 3 })]);
});
