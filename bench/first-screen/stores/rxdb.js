import { createRxDatabase } from 'rxdb';
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie';

const schema = {
  version: 0,
  primaryKey: 'id',
  type: 'object',
  properties: {
    id: { type: 'string', maxLength: 8 },
    title: { type: 'string' },
    priority: { type: 'integer', minimum: 0, maximum: 2 ** 31, multipleOf: 1 },
    done: { type: 'integer' },
  },
  required: ['id', 'title', 'priority', 'done'],
  indexes: ['priority'],
};

export async function openStore(count) {
  const db = await createRxDatabase({ name: `rxdb-${count}`, storage: getRxStorageDexie() });
  const { tasks } = await db.addCollections({ tasks: { schema } });
  return {
    list: () => tasks.find({ sort: [{ priority: 'asc' }], limit: 50 }).exec(),
    get: (id) => tasks.findOne(id).exec(),
    fill: (rows) => tasks.bulkInsert(rows),
    end: () => db.close(),
  };
}
