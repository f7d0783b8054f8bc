// sqlite-worker.js - the database of stores/sqlite.js.

import sqlite3InitModule from '@sqlite.org/sqlite-wasm';

const SCHEMA =
  'CREATE TABLE IF NOT EXISTS tasks(id TEXT PRIMARY KEY, title TEXT, priority INT, done INT) ' +
  'WITHOUT ROWID; CREATE INDEX IF NOT EXISTS by_priority ON tasks(priority)';
const FILL =
  'INSERT INTO tasks SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each(?)';

const opening = new Map();

async function open(count) {
  globalThis.sqlite3ApiConfig = {
    warn() {},
    error() {},
    disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } },
  };
  const sqlite = await sqlite3InitModule({ print() {}, printErr() {} });
  const pool = await sqlite.installOpfsSAHPoolVfs({ name: `sqlite-${count}` });
  const db = new pool.OpfsSAHPoolDb('/tasks.db');
  db.exec('PRAGMA locking_mode=exclusive; PRAGMA journal_mode=wal; PRAGMA synchronous=NORMAL');
  db.exec(SCHEMA);
  return db;
}

const works = {
  list: (db) => db.selectObjects('SELECT * FROM tasks ORDER BY priority LIMIT 50'),
  get: (db, id) => db.selectObject('SELECT * FROM tasks WHERE id=?', id),
  fill: (db, rows) =>
    void db.exec(FILL, { bind: [JSON.stringify(rows.map((row) => Object.values(row)))] }),
  end: (db) => db.close(),
};

globalThis.onmessage = async ({ data: { name, given, count } }) => {
  if (!opening.has(count)) opening.set(count, open(count));
  postMessage(works[name](await opening.get(count), given));
};
