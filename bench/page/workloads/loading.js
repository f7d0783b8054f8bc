// loading.js - loads all entities into a new store, and opens the store again.

import { eachEntity } from '../dataset.js';
import { timed } from './timing.js';

/** The time until the engine has stored everything. */
export async function load(adapter, { count, values }) {
  const entities = Array.from(eachEntity(count, values), adapter.toOwn);
  await adapter.open({ isFresh: true });
  globalThis.gc?.();
  const ms = await timed(() => adapter.load(entities));
  return { perSecond: (count / ms) * 1000 };
}

/** The first read of a page. The caller measures its time, with the load of the code. */
export async function firstRead(adapter, { partitionKey, rowKey, cacheBytes }) {
  const openMs = await timed(() => adapter.open({ isFresh: false, cacheBytes }));
  let entity;
  const getMs = await timed(async () => (entity = await adapter.get(partitionKey, rowKey)));
  if (entity?.rowKey !== rowKey) throw new Error('the entity is not there');
  return { openMs, getMs };
}
