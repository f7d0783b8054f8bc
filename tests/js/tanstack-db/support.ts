// support.ts - collections of tables, for the length of a test.

import {
  createCollection,
  createLiveQueryCollection,
  type Context,
  type InitialQueryBuilder,
  type QueryBuilder,
} from '@tanstack/db';
import { onTestFinished, vi } from 'vitest';

import type { TableClient } from '../../../js/src/client/table-client.js';
import type { EntityKeys } from '../../../js/src/entity/keys.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import {
  tableCollectionOptions,
  type CollectionRow,
  type CollectionSettings,
} from '../../../js/src/tanstack-db.js';
import { openForTest } from '../support/accounts.js';

export interface Task {
  text: string;
  done: boolean;
  owner?: string;
}

export const task = (rowKey: string, more: Partial<Task> = {}, partitionKey = 'home') => ({
  ...{ partitionKey, rowKey, text: rowKey, done: false },
  ...more,
});

/** Opens two accounts of one store, as in two tabs, with a table. */
export async function openTasks(...rowKeys: string[]) {
  const storage = memoryStorage();
  const account = await openForTest({ storage });
  const other = await openForTest({ storage });
  const table = account.tableClient<Task>('Tasks');
  await table.createTable();
  for (const rowKey of rowKeys) await table.createEntity(task(rowKey));
  return { account, table, elsewhere: other.tableClient<Task>('Tasks') };
}

/** Makes a collection of a table. */
export function collectionOf<Row extends object>(
  table: TableClient<Row>,
  settings: CollectionSettings<CollectionRow<Row & EntityKeys>> = {},
) {
  const collection = createCollection(tableCollectionOptions<Row>({ table, ...settings }));
  onTestFinished(() => collection.cleanup());
  return collection;
}

/** Runs a query until the test ends, and waits for its first result. */
export async function live<C extends Context>(query: (q: InitialQueryBuilder) => QueryBuilder<C>) {
  const result = createLiveQueryCollection(query);
  onTestFinished(() => result.cleanup());
  const subscription = result.subscribeChanges(() => undefined);
  onTestFinished(() => subscription.unsubscribe());
  await result.preload();
  return result;
}

/** Counts the entities that a client reads. */
export function readsOf<Row extends object>(table: TableClient<Row>): () => number {
  const { requests } = table;
  const real = requests.read.bind(requests);
  let count = 0;
  const read = vi.spyOn(requests, 'read').mockImplementation(async (...given) => {
    const result = await real(...given);
    count += result.entities.length;
    return result as never;
  });
  onTestFinished(() => read.mockRestore());
  return () => count;
}
