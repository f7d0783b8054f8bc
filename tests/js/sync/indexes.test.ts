// What sync changes is in the indexes, too.

import { expect, it } from 'vitest';

import { defineTable, t } from '../../../js/src/schema.js';
import { tableOf } from '../support/accounts.js';
import { openCloud, openReplica } from './support.js';

const entity = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

const todos = defineTable(
  'Todos',
  {
    partitionKey: t.string(),
    rowKey: t.string(),
    owner: t.string().optional(),
    text: t.string().optional(),
  },
  { indexes: [['owner'], ['words(text)']] },
);

async function openIndexed() {
  const cloud = await openCloud();
  const replica = await openReplica(cloud);
  const table = await tableOf(replica.account, todos);
  await replica.account.ready;
  /** How many rows an owner has, as the index says, and those whose text has a word. */
  const found = async (owner: string, word: string) => {
    const { access, count } = await table.explain({ where: `owner eq '${owner}'` });
    expect(access).toBe('index');
    const texts = await table.search('text', word);
    return [count, texts.map(({ row }) => row.rowKey)];
  };
  return { cloud, ...replica, found };
}

it('has rows that are fetched, and follows their changes', async () => {
  const { cloud, sync, found } = await openIndexed();
  await cloud.todos.createEntity(entity('1', { owner: 'ada', text: 'buy milk' }));
  await cloud.todos.createEntity(entity('2', { owner: 'ada', text: 'milk and bread' }));
  await sync.once();
  expect(await found('ada', 'milk')).toEqual([2, ['1', '2']]);

  await cloud.todos.updateEntity(entity('1', { owner: 'bob', text: 'buy bread' }), 'Replace');
  await cloud.todos.deleteEntity('p', '2');
  await sync.once();
  expect(await found('ada', 'milk')).toEqual([0, []]);
  expect(await found('bob', 'bread')).toEqual([1, ['1']]);
});

it('is empty after the rows were forgotten, and goes on with new ones', async () => {
  const { cloud, sync, todos: here, found } = await openIndexed();
  await cloud.todos.createEntity(entity('1', { owner: 'ada', text: 'buy milk' }));
  await sync.once();

  await sync.forget();
  expect(await found('ada', 'milk')).toEqual([0, []]);
  await here.createEntity(entity('2', { owner: 'ada', text: 'more milk' }));
  expect(await found('ada', 'milk')).toEqual([1, ['2']]);
});

it('keeps its rows if they are kept', async () => {
  const { cloud, sync, found } = await openIndexed();
  await cloud.todos.createEntity(entity('1', { owner: 'ada', text: 'buy milk' }));
  await sync.once();

  await sync.forget({ keepRows: true });
  expect(await found('ada', 'milk')).toEqual([1, ['1']]);
});
