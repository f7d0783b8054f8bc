// writing.js - single writes of an app, and small groups of them.

import { PARTITIONS, makeEntity, makePatch, partitionKeyOf, rowKeyOf } from '../dataset.js';
import { below, randomFrom } from '../random.js';
import { quantile, timed, timesOf } from './timing.js';

const INSERTS = 1000;
const BATCHES = 100;
const GROUP = 100;

function newEntities(adapter, howMany, prefix, { values, round }) {
  const random = randomFrom(300 + round);
  return Array.from({ length: howMany }, (_, i) => {
    const entity = makeEntity(i, random, values);
    return adapter.toOwn({ ...entity, rowKey: `${prefix}${round}-${entity.rowKey}` });
  });
}

/** Writes one after another, each awaited; then the same number at once. */
export async function inserts(adapter, command) {
  const one = newEntities(adapter, INSERTS, 'single-', command);
  const times = await timesOf(one, (entity) => adapter.insert(entity));
  const all = newEntities(adapter, INSERTS, 'at-once-', command);
  const insertsMs = await timed(() => Promise.all(all.map((entity) => adapter.insert(entity))));
  return { insertMs: quantile(times, 0.5), insertP99Ms: quantile(times, 0.99), insertsMs };
}

export async function batches(adapter, command) {
  const groups = Array.from({ length: BATCHES }, (_, b) =>
    newEntities(adapter, GROUP, `batch-${b}-`, command).map((entity, i) => ({
      ...entity,
      partitionKey: partitionKeyOf((b * 37) % PARTITIONS),
      rowKey: `${entity.rowKey}-${i}`,
    })),
  );
  return { batchMs: quantile(await timesOf(groups, (group) => adapter.batch(group)), 0.5) };
}

export async function merges(adapter, { count, values, round }) {
  const random = randomFrom(400 + round);
  const groups = Array.from({ length: BATCHES }, () => {
    const patches = new Map();
    while (patches.size < GROUP) {
      const partitionKey = partitionKeyOf(below(PARTITIONS, random));
      const rowKey = rowKeyOf(below(count / PARTITIONS, random));
      patches.set(partitionKey + rowKey, makePatch(partitionKey, rowKey, random, values));
    }
    return [...patches.values()];
  });
  return { mergeMs: quantile(await timesOf(groups, (group) => adapter.merge(group)), 0.5) };
}
