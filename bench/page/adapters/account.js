// account.js - the published package, on any of its storages.

import { deleteAccount, odata, openAccount } from '../../../dist/index.js';
import { defineTable, t, whereExtended } from '../../../dist/schema.js';

import { INDEXES, ODATA_FILTER, ORDER_BY, ORDER_TOP, WORDS_INDEX } from '../dataset.js';
import { answersOf } from './answers.js';

const PROPERTIES = {
  partitionKey: t.string(),
  rowKey: t.string(),
  name: t.string(),
  email: t.string(),
  created: t.dateTime(),
};
const { partitionKey, rowKey } = PROPERTIES;
const trips = defineTable(
  'Trips',
  { partitionKey, rowKey, name: t.string(), tags: t.array(t.string()), place: t.json() },
  { indexes: [['tags']] },
);
const withIndexes = (indexes) => defineTable('Entities', PROPERTIES, { indexes });

/**
 * @param makeStorage - returns the storage of a name.
 * @param isInWorker - whether the account runs in a worker, and the app here.
 */
export function createAccount({ name, assets }, makeStorage, isInWorker = false) {
  let account;
  let table;
  let worker;

  return {
    toOwn,
    async open({ isFresh, cacheBytes }) {
      await account?.close();
      const storage = makeStorage(name);
      // Skipped for accounts in a worker: a page cannot delete from OPFS, and the store is new in
      // any case, because each profile is.
      if (isFresh && !isInWorker) await deleteAccount(storage);
      const wasm = `${assets}entitable.wasm`;
      if (isInWorker) worker ??= new Worker(`${assets}account-worker.js`, { type: 'module' });
      account = await openAccount({ storage, wasm, cacheBytes, worker });
      if (account.isInWorker !== isInWorker) throw new Error('The account is in the wrong thread.');
      table = account.tableClient('Entities');
      if (isFresh) await table.createTable();
    },
    load: (entities) => table.importEntities(entities),
    insert: (entity) => table.createEntity(entity),
    batch: (entities) => table.submitTransaction(entities.map((entity) => ['create', entity])),
    ...queriesOf(() => table),
    ...answersOf(() => table),
    ...indexesOf(() => account),
    trips: tripsOf(() => account),
    // A transaction has only one partition. Transactions that begin together share a commit.
    merge: (patches) => Promise.all(patches.map((patch) => table.updateEntity(patch, 'Merge'))),
    async close() {
      try {
        await account?.close();
      } finally {
        worker?.terminate();
        account = worker = undefined;
      }
    },
  };
}

const queriesOf = (table) => ({
  get: (partitionKey, rowKey) => table().getEntity(partitionKey, rowKey),
  range: (partitionKey, from, to) =>
    list(table(), {
      filter: odata`PartitionKey eq ${partitionKey} and RowKey ge ${from} and RowKey le ${to}`,
    }),
  async each(onEntity) {
    for await (const entity of table().listEntities()) onEntity(entity);
  },
  filter: () => list(table(), { filter: ODATA_FILTER }),
  order: () => list(table(), { orderBy: ORDER_BY, top: ORDER_TOP }),
  count: () => table().countEntities({ filter: ODATA_FILTER }),
  byEmail: (email) => list(table(), { filter: odata`email eq ${email}` }),
  newest: () => list(table(), { orderBy: INDEXES[1], top: ORDER_TOP }),
});

const indexesOf = (account) => ({
  index: () => account().updateIndexes(withIndexes(INDEXES)),
  indexWords: () => account().updateIndexes(withIndexes(WORDS_INDEX)),
  unindex: () => account().updateIndexes(withIndexes([])),
});

const entityOf = ({ id, ...values }) => ({ partitionKey: 'all', rowKey: id, ...values });

function tripsOf(account) {
  const table = () => account().table(trips);
  return {
    async open() {
      await table().createTable();
      await account().updateIndexes(trips);
    },
    insert: (rows) => table().importEntities(rows.map(entityOf)),
    get: (id) => table().getEntity('all', id),
    list: () => list(table()),
    tagged: (tag) =>
      list(
        table(),
        whereExtended(trips, ({ tags }) => tags.has(tag)),
      ),
    update: (change) => table().updateEntity(entityOf(change), 'Merge'),
  };
}

// Converts the texts of JSON to the types of the service.
const toOwn = ({ balance, created, ...entity }) => ({
  ...entity,
  balance: BigInt(balance),
  created: new Date(created),
});

async function list(table, options) {
  const pages = [];
  for await (const page of table.listEntities(options).byPage()) pages.push(page);
  return pages.length === 1 ? pages[0] : pages.flat();
}
