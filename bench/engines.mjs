// engines.mjs - who is compared.

/**
 * For each engine: `adapter`, its file in page/adapters; `label`, what a reader sees;
 * `package`, whose version is noted; `worker`, whether the application itself runs in a
 * dedicated worker (OPFS wants that; no call crosses threads, which is its best case);
 * `assets`, what is fetched beside its script, as paths from the project or from bench/;
 * `isPersistent`, whether it can be opened again; `hasLimit`, whether it opens with a
 * limit for its memory; `isProfiled`, whether it is told where its time goes; `isLimit`,
 * whether it does no work, but says how long at least it takes.
 */
export const ENGINES = {
  map: { adapter: 'map', label: 'JS Map (the floor; not stored)', isPersistent: false },
  idb: { adapter: 'idb', label: 'IndexedDB, hand-written, a record for each entity' },
  dexie: { adapter: 'dexie', label: 'Dexie', package: 'dexie' },
  sqlite: {
    adapter: 'sqlite',
    label: 'SQLite WASM on OPFS, a JSON text for each call',
    package: '@sqlite.org/sqlite-wasm',
    worker: true,
    assets: ['bench/node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'],
  },
  entitable: {
    adapter: 'entitable',
    label: 'Entitable on IndexedDB',
    assets: ['dist/entitable.wasm'],
    hasLimit: true,
    isProfiled: true,
  },
  limit: {
    adapter: 'limit',
    label: 'What IndexedDB takes for the same bytes as Entitable, with no core behind them',
    assets: ['dist/entitable.wasm'],
    isLimit: true,
  },
};

/** The engine by which the others are judged. */
export const BASELINE = 'idb';
