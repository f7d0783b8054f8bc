// dexie.js - Dexie, used as in its documentation.

import Dexie from 'dexie';

import { Extremes, Groups, firstInOrder, isMatch } from '../dataset.js';

const ENTITIES_PER_TRANSACTION = 50_000;

export default function createDexie({ name }) {
  let database;
  return {
    async open({ isFresh }) {
      database?.close();
      if (isFresh) await Dexie.delete(name);
      database = new Dexie(name);
      database.version(1).stores({ e: '[partitionKey+rowKey]', trips: 'id, *tags' });
      await database.open();
    },
    async load(entities) {
      for (let from = 0; from < entities.length; from += ENTITIES_PER_TRANSACTION) {
        await database.e.bulkPut(entities.slice(from, from + ENTITIES_PER_TRANSACTION));
      }
    },
    insert: (entity) => database.e.add(entity),
    batch: (entities) => database.transaction('rw', database.e, () => database.e.bulkAdd(entities)),
    get: (partitionKey, rowKey) => database.e.get([partitionKey, rowKey]),
    range: (partitionKey, from, to) =>
      database.e
        .where('[partitionKey+rowKey]')
        .between([partitionKey, from], [partitionKey, to], true, true)
        .toArray(),
    async each(onEntity) {
      for (const entity of await database.e.toArray()) onEntity(entity);
    },
    filter: () => database.e.filter(isMatch).toArray(),
    order: async () => firstInOrder(await database.e.toArray()),
    groups: async () => (await addedTo(new Groups(), database.e)).list(),
    extremes: () => addedTo(new Extremes(), database.e),
    total: () => totalOf(database.e),
    count: () => database.e.filter(isMatch).count(),
    merge: (patches) => database.e.bulkUpdate(patches.map(changeOf)),
    trips: tripsOf(() => database),
    async close() {
      database?.close();
    },
  };
}

const tripsOf = (database) => ({
  open: () => undefined,
  insert: (rows) => database().trips.bulkAdd(rows),
  get: (id) => database().trips.get(id),
  list: () => database().trips.toArray(),
  tagged: (tag) => database().trips.where('tags').equals(tag).toArray(),
  update: ({ id, ...changes }) => database().trips.update(id, changes),
});

const changeOf = ({ partitionKey, rowKey, ...changes }) => ({
  key: [partitionKey, rowKey],
  changes,
});

async function totalOf(entities) {
  let total = 0;
  for (const { score } of await entities.toArray()) total += score;
  return total;
}

async function addedTo(result, entities) {
  for (const entity of await entities.toArray()) result.add(entity);
  return result;
}
