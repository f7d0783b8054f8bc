import { openAccount } from 'entitable';
import { defineTable, t } from 'entitable/schema';
import { indexedDbStorage } from 'entitable/storage/indexeddb';

const tasks = defineTable(
  'Tasks',
  { id: t.string(), title: t.string(), priority: t.int32(), done: t.int32() },
  { key: 'id', indexes: [['priority']] },
);

export async function openStore(count) {
  const storage = indexedDbStorage(`entitable-${count}`);
  const account = await openAccount({ storage, tables: { tasks } });
  const { tasks: table } = account.tables;
  return {
    list: () => table.list({ orderBy: ['priority'], limit: 50 }),
    get: (id) => table.get(id),
    fill: (rows) => table.insertMany(rows),
    end: async () => {
      await account.ready;
      // Pages are sorted in the background.
      await new Promise((resolve) => setTimeout(resolve, 5000 + count / 20));
      await account.close();
    },
  };
}
