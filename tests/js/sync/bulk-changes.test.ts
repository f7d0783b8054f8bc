// Changes of all entities that fit a filter, in a table that is synced.

import { expect, it } from 'vitest';

import { tableError } from '../support/rejection.js';
import { openCloud, openReplica, rowsOf } from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

it('are pushed as other changes are', async () => {
  const cloud = await openCloud();
  for (const rowKey of ['1', '2', '3']) await cloud.todos.createEntity(row(rowKey));
  const { sync, todos } = await openReplica(cloud);
  await sync.once();

  await todos.updateEntities({ filter: "RowKey ge '2'", set: { done: true } });
  await todos.deleteEntities({ filter: "RowKey ge '3'" });
  await sync.once();

  expect(await rowsOf(cloud.todos)).toEqual([row('1'), row('2', { done: true })]);
});

it('leave a copy alone', async () => {
  const cloud = await openCloud();
  for (const rowKey of ['1', '2', '3']) await cloud.todos.createEntity(row(rowKey));
  const { sync, todos } = await openReplica(cloud, { direction: 'pull' });
  await sync.once();
  const refused: unknown[] = [];
  const onRefused = (error: unknown) => refused.push(error);

  for (const error of [
    await tableError(todos.deleteEntities({ filter: 'true' })),
    await tableError(todos.updateEntities({ filter: 'true', set: { done: true }, onRefused })),
  ]) {
    expect(error).toMatchObject({ code: 'TableReadOnly', details: { stored: 0 } });
  }

  expect(refused).toEqual([]);
  expect(await rowsOf(todos)).toEqual([row('1'), row('2'), row('3')]);
});
