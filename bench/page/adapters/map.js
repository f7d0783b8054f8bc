// map.js - plain JavaScript: a Map for point reads, an array for scans, and a sorted array of each
// partition for ranges. Nothing is stored.

import { isMatch } from '../dataset.js';

const keyOf = ({ partitionKey, rowKey }) => `${partitionKey}\0${rowKey}`;

export default function createMap() {
  let byKey;
  let all;
  let partitions;
  let unsorted;

  function add(entity) {
    byKey.set(keyOf(entity), entity);
    all.push(entity);
    const partition = partitions.get(entity.partitionKey);
    if (!partition) return partitions.set(entity.partitionKey, [entity]);
    if (partition.at(-1).rowKey > entity.rowKey) unsorted.add(entity.partitionKey);
    partition.push(entity);
  }

  function sorted(partitionKey) {
    const partition = partitions.get(partitionKey);
    if (unsorted.delete(partitionKey)) partition.sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    return partition;
  }

  function lowerBound(partition, rowKey) {
    let low = 0;
    let high = partition.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (partition[middle].rowKey < rowKey) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function insertAll(entities) {
    if (entities.some((entity) => byKey.has(keyOf(entity)))) throw new Error('is there already');
    for (const entity of entities) add({ ...entity });
  }

  return {
    async open({ isFresh }) {
      if (!isFresh && byKey) return;
      [byKey, all, partitions, unsorted] = [new Map(), [], new Map(), new Set()];
    },
    async load(entities) {
      for (const entity of entities) add({ ...entity });
    },
    async insert(entity) {
      insertAll([entity]);
    },
    async batch(entities) {
      insertAll(entities);
    },
    async get(partitionKey, rowKey) {
      return byKey.get(keyOf({ partitionKey, rowKey }));
    },
    async range(partitionKey, from, to) {
      const partition = sorted(partitionKey);
      const begin = lowerBound(partition, from);
      let end = begin;
      while (end < partition.length && partition[end].rowKey <= to) end++;
      return partition.slice(begin, end);
    },
    async filter() {
      return all.filter(isMatch);
    },
    async count() {
      let count = 0;
      for (const entity of all) if (isMatch(entity)) count++;
      return count;
    },
    async merge(patches) {
      for (const patch of patches) Object.assign(byKey.get(keyOf(patch)), patch);
    },
    async close() {
      byKey = all = partitions = undefined;
    },
  };
}
