// Functions that resolve conflicts, and what becomes of the other rows meanwhile.

import { expect, it } from 'vitest';

import type { ConflictResolver } from '../../../js/src/sync.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { answerLost, lost, openCloud, openReplica, rowsOf } from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

async function openConflict(conflict: ConflictResolver) {
  const cloud = await openCloud();
  const replica = await openReplica(cloud, { conflict });
  await replica.todos.createEntity(row('1', { v: 1, w: 'w' }));
  await replica.sync.once();
  await cloud.todos.updateEntity(row('1', { v: 5 }), 'Merge');
  await replica.todos.updateEntity(row('1', { v: 3 }), 'Merge');
  return { ...replica, cloud };
}

it.each([undefined, 5, true, 'a text', () => {}, {}, { v: 9 }, new Date(0), row('2')])(
  'must return an entity with the keys of the row, or null, not %o',
  async (result) => {
    const { sync, todos, cloud } = await openConflict(() => result as never);

    const error = await tableError(sync.once());

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain('PartitionKey "p", RowKey "1"');
    expect(await rowsOf(todos)).toEqual([row('1', { v: 3, w: 'w' })]);
    expect(await rowsOf(cloud.todos)).toEqual([row('1', { v: 5, w: 'w' })]);
  },
);

it.each([
  ['a b', 1, 'PropertyNameInvalid'],
  ['tags', ['x'], 'InvalidInput'],
])('get the error of the rule that their result breaks: %s %j', async (name, value, code) => {
  const { sync } = await openConflict(({ local }) => ({ ...local, [name]: value }));

  const error = await tableError(sync.once());

  expect(error.code).toBe(code);
  expect(error.message).toContain('"Todos", PartitionKey "p", RowKey "1"');
});

it('hold up no other conflict when the service has no such entity', async () => {
  const asked: string[] = [];
  const { sync, todos, cloud } = await openConflict(({ rowKey, local, remote }) => {
    asked.push(rowKey);
    return rowKey === '1' ? { ...local, 'a b': 1 } : { ...remote, ...local };
  });
  await todos.createEntity(row('2', { ours: 2 }));
  await cloud.todos.createEntity(row('2', { theirs: 2 }));
  await todos.createEntity(row('3', { ours: 3 }));
  await cloud.todos.createEntity(row('3', { theirs: 3 }));

  const error = await tableError(sync.once());

  expect(error.message).toContain('RowKey "1"');
  expect((await rowsOf(cloud.todos)).slice(1)).toEqual([
    row('2', { ours: 2, theirs: 2 }),
    row('3', { ours: 3, theirs: 3 }),
  ]);
  expect(await sync.pending('Todos')).toMatchObject([{ rowKey: '1' }]);
  expect(new Set(asked)).toEqual(new Set(['1', '2', '3']));
});

it('cannot wait for reconcile(), which would wait for them', async () => {
  let error: unknown;
  const { sync } = await openConflict(async ({ remote }) => {
    error = await tableError(sync.reconcile('Todos'));
    return remote!;
  });

  await sync.once();

  expect(error).toMatchObject({ code: 'InvalidInput' });
});

it('leave only their own row open when they throw', async () => {
  const { sync, todos, cloud } = await openConflict(() => {
    throw new Error('ask me later');
  });
  await cloud.todos.createEntity(row('2'));
  await todos.createEntity({ partitionKey: 'other', rowKey: '1' });

  await expect(sync.once()).rejects.toThrow('ask me later');

  expect((await rowsOf(cloud.todos)).map(({ partitionKey }) => partitionKey)).toContain('other');
  expect((await rowsOf(todos)).map(({ rowKey }) => rowKey)).toContain('2');
  expect((await sync.pending('Todos')).map(({ rowKey }) => rowKey)).toEqual(['1']);
});

it('are asked once in a round for a conflict that they leave open', async () => {
  let asked = 0;
  const { sync } = await openConflict(() => {
    asked++;
    throw new Error('ask me later');
  });

  await expect(sync.once()).rejects.toThrow('ask me later');
  expect(asked).toBe(1);
  await expect(sync.once()).rejects.toThrow('ask me later');
  expect(asked).toBe(2);
});

it('hold up no other row of their partition when they throw', async () => {
  const { sync, todos, cloud } = await openConflict(() => {
    throw new Error('ask me later');
  });
  await todos.createEntity(row('3'));

  await expect(sync.once()).rejects.toThrow('ask me later');
  await expect(sync.once()).rejects.toThrow('ask me later');

  expect((await rowsOf(cloud.todos)).map(({ rowKey }) => rowKey)).toEqual(['1', '3']);
});

it('get as base what this account has sent itself, also if the answer was lost', async () => {
  const bases: unknown[] = [];
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud, {
    conflict: ({ base, local, remote }) => {
      bases.push(base);
      return { ...remote, ...local };
    },
  });
  await todos.createEntity(row('1', { a: 1 }));
  await sync.once();
  await todos.updateEntity(row('1', { a: 2 }), 'Merge');
  cloud.faults.push((_, next) => next(), answerLost);
  await sync.once().catch(() => {});
  await todos.updateEntity(row('1', { a: 3 }), 'Merge');
  await cloud.todos.updateEntity(row('1', { b: 9 }), 'Merge');

  await sync.once();

  expect(bases).toEqual([row('1', { a: 2 })]);
  expect(await sync.conflicts('Todos')).toMatchObject([{ base: row('1', { a: 2 }) }]);
  expect(await rowsOf(cloud.todos)).toEqual([row('1', { a: 3, b: 9 })]);
});

it('do not hide by their error that the network is gone', async () => {
  const { sync, todos, cloud } = await openConflict(() => {
    throw new Error('ask me later');
  });
  await todos.createEntity({ partitionKey: 'other', rowKey: '1' });
  cloud.faults.push((_, next) => next(), lost);

  const error = await tableError(sync.once());

  expect(error.code).toBe('StorageUnavailable');
  expect(sync.status.state).toBe('offline');
});

it('cannot wait for the round that waits for them', async () => {
  const errors: string[] = [];
  const { sync, cloud } = await openConflict(async ({ remote }) => {
    await Promise.resolve();
    errors.push(await errorCode(sync.once()), await errorCode(sync.settled()));
    return remote!;
  });

  await sync.once();

  expect(errors).toEqual(['InvalidInput', 'InvalidInput']);
  expect(await sync.conflicts('Todos')).toHaveLength(1);
  await sync.once();
  expect(await sync.pending('Todos')).toEqual([]);
  expect(await rowsOf(cloud.todos)).toHaveLength(1);
});

it('do not hold up stop(), and are asked again', async () => {
  let ask: () => void;
  const asked = new Promise<void>((resolve) => (ask = resolve));
  let isDecided = false;
  const { sync, todos } = await openConflict(async ({ remote }) => {
    ask();
    if (!isDecided) await new Promise(() => {});
    return remote!;
  });
  const round = rejection(sync.once());
  await asked;

  await sync.stop();
  expect(await round).toMatchObject({ name: 'AbortError' });
  expect(await sync.conflicts('Todos')).toEqual([]);
  isDecided = true;
  await sync.once();
  expect(await sync.conflicts('Todos')).toHaveLength(1);
  expect(await rowsOf(todos)).toHaveLength(1);
});
