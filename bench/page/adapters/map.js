// map.js - plain JavaScript: a Map for point reads, an array for scans, and a sorted array of each
// partition for ranges. Nothing is stored.

import { Extremes, Groups, firstInOrder, isMatch } from '../dataset.js';

const keyOf = ({ partitionKey, rowKey }) => `${partitionKey}\0${rowKey}`;

export default () => new MapOfEntities();

class MapOfEntities {
  #byKey;
  #all;
  #partitions;
  #unsorted;

  async open({ isFresh }) {
    if (!isFresh && this.#byKey) return;
    this.#byKey = new Map();
    this.#all = [];
    this.#partitions = new Map();
    this.#unsorted = new Set();
  }

  async load(entities) {
    for (const entity of entities) this.#add({ ...entity });
  }

  async insert(entity) {
    this.#insertAll([entity]);
  }

  async batch(entities) {
    this.#insertAll(entities);
  }

  async get(partitionKey, rowKey) {
    return this.#byKey.get(keyOf({ partitionKey, rowKey }));
  }

  async range(partitionKey, from, to) {
    const partition = this.#sorted(partitionKey);
    const begin = lowerBound(partition, from);
    let end = begin;
    while (end < partition.length && partition[end].rowKey <= to) end++;
    return partition.slice(begin, end);
  }

  async each(onEntity) {
    for (const entity of this.#all) onEntity(entity);
  }

  async filter() {
    return this.#all.filter(isMatch);
  }

  async order() {
    return firstInOrder([...this.#all]);
  }

  async groups() {
    const groups = new Groups();
    for (const entity of this.#all) groups.add(entity);
    return groups.list();
  }

  async extremes() {
    const extremes = new Extremes();
    for (const entity of this.#all) extremes.add(entity);
    return extremes;
  }

  async total() {
    let total = 0;
    for (const { score } of this.#all) total += score;
    return total;
  }

  async count() {
    let count = 0;
    for (const entity of this.#all) if (isMatch(entity)) count++;
    return count;
  }

  async merge(patches) {
    for (const patch of patches) Object.assign(this.#byKey.get(keyOf(patch)), patch);
  }

  async close() {
    this.#byKey = this.#all = this.#partitions = undefined;
  }

  #add(entity) {
    this.#byKey.set(keyOf(entity), entity);
    this.#all.push(entity);
    const partition = this.#partitions.get(entity.partitionKey);
    if (!partition) return this.#partitions.set(entity.partitionKey, [entity]);
    if (partition.at(-1).rowKey > entity.rowKey) this.#unsorted.add(entity.partitionKey);
    partition.push(entity);
  }

  #sorted(partitionKey) {
    const partition = this.#partitions.get(partitionKey);
    if (this.#unsorted.delete(partitionKey)) {
      partition.sort((a, b) => (a.rowKey < b.rowKey ? -1 : 1));
    }
    return partition;
  }

  #insertAll(entities) {
    if (entities.some((entity) => this.#byKey.has(keyOf(entity)))) {
      throw new Error('is there already');
    }
    for (const entity of entities) this.#add({ ...entity });
  }
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
