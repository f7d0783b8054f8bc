// engines.mjs - the engines of the comparison.

/**
 * For each engine: `adapter`, its file in page/adapters; `label`, its name in the report;
 * `package`, the package with its version; `worker`, whether the whole app runs in a dedicated
 * worker (OPFS needs one, and without calls between threads this is its best case);
 * `hasAccountWorker`, whether only the account runs in a worker; `assets`, the files that it
 * fetches beside its scripts, as paths from the project or from bench/; `isPersistent`, whether it
 * can be opened again; `hasLimit`, whether its memory can be limited; `isProfiled`, whether the
 * report shows a profile of it; `isLimit`, whether it only measures the least possible time.
 */
export const ENGINES = {
  map: { adapter: 'map', label: 'JS Map (the floor; not stored)', isPersistent: false },
  idb: { adapter: 'idb', label: 'IndexedDB, hand-written, a record for each entity' },
  dexie: { adapter: 'dexie', label: 'Dexie', package: 'dexie' },
  sqlite: {
    adapter: 'sqlite',
    label: 'SQLite WASM on OPFS, in a worker with the app, a JSON text for each call',
    package: '@sqlite.org/sqlite-wasm',
    worker: true,
    assets: ['bench/node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'],
  },
  entitable: {
    adapter: 'entitable',
    label: 'Entitable on IndexedDB, in the page with the app',
    assets: ['dist/entitable.wasm'],
    hasLimit: true,
    isProfiled: true,
  },
  opfs: {
    adapter: 'opfs',
    label: 'Entitable on OPFS, in a worker with the app',
    worker: true,
    assets: ['dist/entitable.wasm'],
  },
  worker: {
    adapter: 'worker',
    label: 'Entitable on IndexedDB, the app in the page, the account in a worker',
    hasAccountWorker: true,
    assets: ['dist/entitable.wasm'],
  },
  'worker-opfs': {
    adapter: 'worker-opfs',
    label: 'Entitable on OPFS, the app in the page, the account in a worker',
    hasAccountWorker: true,
    assets: ['dist/entitable.wasm'],
  },
  limit: {
    adapter: 'limit',
    label: 'What IndexedDB takes for the same bytes as Entitable, with no core behind them',
    assets: ['dist/entitable.wasm'],
    isLimit: true,
  },
};

/** The others are compared with this engine. */
export const BASELINE = 'idb';
