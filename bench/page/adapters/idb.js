// idb.js - IndexedDB by hand, as fast as it can be: text keys beside the values, one transaction
// for each call, puts that do not wait, getAll() instead of cursors, an explicit commit().

import { PARTITIONS, isMatch, partitionKeyOf } from '../dataset.js';

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

export default function createIdb({ name }) {
  let database;

  const reading = () => database.transaction('e', 'readonly').objectStore('e');

  async function writing(work) {
    const transaction = database.transaction('e', 'readwrite', { durability: 'relaxed' });
    work(transaction.objectStore('e'));
    transaction.commit();
    await completed(transaction);
  }

  // Pipelined: one request for each partition; each answer is filtered when it arrives.
  async function scan(onMatch) {
    const store = reading();
    const everyPartition = Array.from({ length: PARTITIONS }, async (_, number) => {
      const range = rangeOf(partitionKeyOf(number), '', '\uffff');
      for (const entity of await resultOf(store.getAll(range))) {
        if (isMatch(entity)) onMatch(entity);
      }
    });
    await Promise.all(everyPartition);
  }

  return {
    async open({ isFresh }) {
      database?.close();
      if (isFresh) await resultOf(indexedDB.deleteDatabase(name));
      const request = indexedDB.open(name, 1);
      request.onupgradeneeded = () => request.result.createObjectStore('e');
      database = await resultOf(request);
    },
    async load(entities) {
      for (let from = 0; from < entities.length; from += ENTITIES_PER_TRANSACTION) {
        const end = Math.min(entities.length, from + ENTITIES_PER_TRANSACTION);
        await writing((store) => {
          for (let i = from; i < end; i++) {
            store.put(entities[i], keyOf(entities[i].partitionKey, entities[i].rowKey));
          }
        });
      }
    },
    insert: (entity) =>
      writing((store) => store.add(entity, keyOf(entity.partitionKey, entity.rowKey))),
    batch: (entities) =>
      writing((store) => {
        for (const entity of entities) store.add(entity, keyOf(entity.partitionKey, entity.rowKey));
      }),
    get: (partitionKey, rowKey) => resultOf(reading().get(keyOf(partitionKey, rowKey))),
    range: (partitionKey, from, to) => resultOf(reading().getAll(rangeOf(partitionKey, from, to))),
    async filter() {
      const matches = [];
      await scan((entity) => matches.push(entity));
      return matches;
    },
    async count() {
      let count = 0;
      await scan(() => count++);
      return count;
    },
    async merge(patches) {
      const transaction = database.transaction('e', 'readwrite', { durability: 'relaxed' });
      const store = transaction.objectStore('e');
      for (const patch of patches) {
        const key = keyOf(patch.partitionKey, patch.rowKey);
        const request = store.get(key);
        request.onsuccess = () => store.put(Object.assign(request.result, patch), key);
      }
      await completed(transaction);
    },
    async close() {
      database?.close();
    },
  };
}
