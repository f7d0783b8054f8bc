import Dexie from 'dexie';

export async function openStore(count) {
  const db = new Dexie(`dexie-${count}`);
  db.version(1).stores({ tasks: 'id, priority' });
  return {
    list: () => db.tasks.orderBy('priority').limit(50).toArray(),
    get: (id) => db.tasks.get(id),
    fill: (rows) => db.tasks.bulkAdd(rows),
    end: () => db.close(),
  };
}
