// idb.js - IndexedDB by hand, as fast as it can be: text keys beside the values, one transaction
// for each call, puts that do not wait, getAll() instead of cursors, an explicit commit().

import { Extremes, Groups, PARTITIONS, firstInOrder, isMatch, partitionKeyOf } from '../dataset.js';

// The browser's process holds all values of a transaction until it is complete.
const ENTITIES_PER_TRANSACTION = 50_000;

const keyOf = (partitionKey, rowKey) => `${partitionKey}\0${rowKey}`;
const rangeOf = (partitionKey, from, to) =>
  IDBKeyRange.bound(keyOf(partitionKey, from), keyOf(partitionKey, to));

const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const completed = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

export default ({ name }) => new IndexedDbByHand(name);

class IndexedDbByHand {
  #name;
  #database;

  constructor(name) {
    this.#name = name;
  }

  async open({ isFresh }) {
    this.#database?.close();
    if (isFresh) await resultOf(indexedDB.deleteDatabase(this.#name));
    const request = indexedDB.open(this.#name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore('e');
    this.#database = await resultOf(request);
  }

  async load(entities) {
    for (let from = 0; from < entities.length; from += ENTITIES_PER_TRANSACTION) {
      const end = Math.min(entities.length, from + ENTITIES_PER_TRANSACTION);
      await this.#writing((store) => {
        for (let i = from; i < end; i++) {
          store.put(entities[i], keyOf(entities[i].partitionKey, entities[i].rowKey));
        }
      });
    }
  }

  insert(entity) {
    return this.#writing((store) => store.add(entity, keyOf(entity.partitionKey, entity.rowKey)));
  }

  batch(entities) {
    return this.#writing((store) => {
      for (const entity of entities) store.add(entity, keyOf(entity.partitionKey, entity.rowKey));
    });
  }

  get(partitionKey, rowKey) {
    return resultOf(this.#reading().get(keyOf(partitionKey, rowKey)));
  }

  range(partitionKey, from, to) {
    return resultOf(this.#reading().getAll(rangeOf(partitionKey, from, to)));
  }

  each(onEntity) {
    return this.#scan(onEntity);
  }

  async filter() {
    const matches = [];
    await this.#scan((entity) => isMatch(entity) && matches.push(entity));
    return matches;
  }

  async order() {
    const all = [];
    await this.#scan((entity) => all.push(entity));
    return firstInOrder(all);
  }

  async groups() {
    const groups = new Groups();
    await this.#scan((entity) => groups.add(entity));
    return groups.list();
  }

  async extremes() {
    const extremes = new Extremes();
    await this.#scan((entity) => extremes.add(entity));
    return extremes;
  }

  async total() {
    let total = 0;
    await this.#scan(({ score }) => (total += score));
    return total;
  }

  async count() {
    let count = 0;
    await this.#scan((entity) => isMatch(entity) && count++);
    return count;
  }

  async merge(patches) {
    const transaction = this.#transaction();
    const store = transaction.objectStore('e');
    for (const patch of patches) {
      const key = keyOf(patch.partitionKey, patch.rowKey);
      const request = store.get(key);
      request.onsuccess = () => store.put(Object.assign(request.result, patch), key);
    }
    await completed(transaction);
  }

  async close() {
    this.#database?.close();
  }

  #reading() {
    return this.#database.transaction('e', 'readonly').objectStore('e');
  }

  #transaction() {
    return this.#database.transaction('e', 'readwrite', { durability: 'relaxed' });
  }

  async #writing(work) {
    const transaction = this.#transaction();
    work(transaction.objectStore('e'));
    transaction.commit();
    await completed(transaction);
  }

  // Pipelined: one request for each partition; each answer is looked at when it arrives.
  async #scan(onEntity) {
    const store = this.#reading();
    const everyPartition = Array.from({ length: PARTITIONS }, async (_, number) => {
      const range = rangeOf(partitionKeyOf(number), '', '\uffff');
      for (const entity of await resultOf(store.getAll(range))) onEntity(entity);
    });
    await Promise.all(everyPartition);
  }
}
