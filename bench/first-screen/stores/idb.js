// IndexedDB by hand.

const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

export async function openStore(count) {
  const request = indexedDB.open(`idb-${count}`, 1);
  request.onupgradeneeded = () => {
    const store = request.result.createObjectStore('tasks', { keyPath: 'id' });
    store.createIndex('priority', 'priority');
  };
  const db = await resultOf(request);
  const tasks = (mode) => db.transaction('tasks', mode).objectStore('tasks');
  return {
    list: () => resultOf(tasks('readonly').index('priority').getAll(null, 50)),
    get: (id) => resultOf(tasks('readonly').get(id)),
    fill: (rows) =>
      new Promise((resolve, reject) => {
        const store = tasks('readwrite');
        for (const row of rows) store.add(row);
        store.transaction.oncomplete = resolve;
        store.transaction.onabort = () => reject(store.transaction.error);
      }),
    end: () => db.close(),
  };
}
