// sqlite.js - the official SQLite WASM in a worker, on OPFS, in the fastest of four forms: the SAH
// pool, a write-ahead log, prepared statements, and one JSON text for each call instead of a call
// for each column. synchronous=NORMAL is as durable as IndexedDB's `relaxed`.

import sqlite3InitModule from '@sqlite.org/sqlite-wasm';

import {
  AGE_ABOVE,
  FOUND_TOP,
  INDEXES,
  ORDER_BY,
  ORDER_TOP,
  PARTITIONS,
  SCORE_BELOW,
  partitionKeyOf,
} from '../dataset.js';

const NAMES = 'partitionKey rowKey name email age score active balance created note'.split(' ');
const COLUMNS = NAMES.join();
const PRAGMAS =
  'PRAGMA page_size=8192; PRAGMA locking_mode=exclusive; PRAGMA journal_mode=wal; ' +
  'PRAGMA synchronous=NORMAL; PRAGMA cache_size=-65536';
const TABLE =
  'CREATE TABLE IF NOT EXISTS e(partitionKey TEXT NOT NULL, rowKey TEXT NOT NULL, name TEXT, ' +
  'email TEXT, age INT, score REAL, active INT, balance TEXT, created TEXT, note TEXT, ' +
  'PRIMARY KEY(partitionKey, rowKey)) WITHOUT ROWID';
const INSERT =
  `INSERT INTO e(${COLUMNS}) SELECT ${NAMES.map((_, i) => `value->>${i}`).join()} ` +
  'FROM json_each(?)';
const INSERT_ONE = `INSERT INTO e(${COLUMNS}) VALUES(${NAMES.map(() => '?').join()})`;
const GET = `SELECT json_array(${COLUMNS}) FROM e WHERE partitionKey=? AND rowKey=?`;
const RANGE =
  `SELECT json_group_array(json_array(${COLUMNS}) ORDER BY rowKey) FROM e ` +
  'WHERE partitionKey=? AND rowKey BETWEEN ? AND ?';
const FILTER = `SELECT json_group_array(json_array(${COLUMNS})) FROM e WHERE age>? AND score<?`;
const ORDER =
  `SELECT json_group_array(json_array(${COLUMNS})) FROM ` +
  `(SELECT * FROM e ORDER BY ${ORDER_BY.join()} LIMIT ?)`;
const GROUPS =
  'SELECT json_group_array(json_array(age, number, total)) FROM ' +
  '(SELECT age, count(*) AS number, sum(score) AS total FROM e GROUP BY age ORDER BY age)';
const EXTREMES = 'SELECT json_array(count(*), min(score), max(score)) FROM e';
const TOTAL = 'SELECT sum(score) FROM e';
const COUNT = 'SELECT count(*) FROM e WHERE age>? AND score<?';
const BY_EMAIL = `SELECT json_group_array(json_array(${COLUMNS})) FROM e WHERE email=?`;
const NEWEST =
  `SELECT json_group_array(json_array(${COLUMNS})) FROM ` +
  `(SELECT * FROM e ORDER BY ${INDEXES[1].join()} LIMIT ?)`;
// Case and accents make no difference, as in a search of Entitable.
const WORDS =
  'CREATE VIRTUAL TABLE words USING fts5(name, partitionKey UNINDEXED, rowKey UNINDEXED, ' +
  "tokenize='unicode61 remove_diacritics 2'); " +
  'INSERT INTO words SELECT name, partitionKey, rowKey FROM e';
const SEARCH =
  `SELECT json_group_array(json_array(${COLUMNS})) FROM (SELECT e.* FROM ` +
  '(SELECT partitionKey, rowKey FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?) ' +
  'JOIN e USING(partitionKey, rowKey))';
const ENTITIES_PER_TEXT = 1000;

const toRow = (entity) =>
  NAMES.map((name) => (name === 'active' ? Number(entity.active) : entity[name]));

function toEntity(row) {
  const entity = {};
  for (let i = 0; i < NAMES.length; i++) entity[NAMES[i]] = row[i];
  entity.active = entity.active !== 0;
  return entity;
}

const entitiesOf = (text) => JSON.parse(text).map(toEntity);

export default ({ name }) => new SqliteOnOpfs(name);

class SqliteOnOpfs {
  #name;
  #sqlite;
  #pool;
  #database;
  #statements = new Map();

  constructor(name) {
    this.#name = name;
  }

  async open({ isFresh }) {
    globalThis.sqlite3ApiConfig ??= {
      warn() {},
      error() {},
      disable: { vfs: { kvvfs: true, opfs: true, 'opfs-vfs': true, 'opfs-wl': true } },
    };
    this.#sqlite ??= await sqlite3InitModule({ print() {}, printErr() {} });
    this.#pool ??= await this.#sqlite.installOpfsSAHPoolVfs({
      name: this.#name,
      initialCapacity: 6,
    });
    this.#closeDatabase();
    if (isFresh) await this.#pool.wipeFiles();
    this.#database = new this.#pool.OpfsSAHPoolDb('/bench.db');
    this.#database.exec(PRAGMAS);
    this.#database.exec(TABLE);
  }

  async load(entities) {
    this.#transaction(() => {
      for (let from = 0; from < entities.length; from += ENTITIES_PER_TEXT) {
        const part = entities.slice(from, from + ENTITIES_PER_TEXT);
        this.#run(INSERT, [JSON.stringify(part.map(toRow))]);
      }
    });
  }

  async insert(entity) {
    this.#run(INSERT_ONE, toRow(entity));
  }

  async batch(entities) {
    this.#run(INSERT, [JSON.stringify(entities.map(toRow))]);
  }

  async get(partitionKey, rowKey) {
    const text = this.#read(GET, [partitionKey, rowKey]);
    return text && toEntity(JSON.parse(text));
  }

  async range(partitionKey, from, to) {
    return entitiesOf(this.#read(RANGE, [partitionKey, from, to]));
  }

  // A text of all entities would be too long.
  async each(onEntity) {
    for (let i = 0; i < PARTITIONS; i++) {
      const entities = await this.range(partitionKeyOf(i), '', '\uffff');
      for (const entity of entities) onEntity(entity);
    }
  }

  async filter() {
    return entitiesOf(this.#read(FILTER, [AGE_ABOVE, SCORE_BELOW]));
  }

  async order() {
    return entitiesOf(this.#read(ORDER, [ORDER_TOP]));
  }

  async groups() {
    const rows = JSON.parse(this.#read(GROUPS, []));
    return rows.map(([age, number, total]) => ({ age, number, total }));
  }

  async index() {
    for (const [i, index] of INDEXES.entries()) {
      this.#database.exec(`CREATE INDEX i${i} ON e(${index.join()})`);
    }
  }

  async unindex() {
    for (const i of INDEXES.keys()) this.#database.exec(`DROP INDEX IF EXISTS i${i}`);
    this.#database.exec('DROP TABLE IF EXISTS words');
  }

  async byEmail(email) {
    return entitiesOf(this.#read(BY_EMAIL, [email]));
  }

  async newest() {
    return entitiesOf(this.#read(NEWEST, [ORDER_TOP]));
  }

  async indexWords() {
    this.#transaction(() => this.#database.exec(WORDS));
  }

  async search(words) {
    const match = words.replace(/(\S+?)(\*?)(?=\s|$)/g, '"$1"$2');
    return entitiesOf(this.#read(SEARCH, [match, FOUND_TOP]));
  }

  async extremes() {
    const [number, least, greatest] = JSON.parse(this.#read(EXTREMES, []));
    return { number, least, greatest };
  }

  async total() {
    return this.#read(TOTAL, [], (statement) => statement.getFloat(0));
  }

  async count() {
    return this.#read(COUNT, [AGE_ABOVE, SCORE_BELOW], (statement) => statement.getInt(0));
  }

  async merge(patches) {
    const changed = Object.keys(patches[0]).filter((key) => !key.endsWith('Key'));
    const sets = changed.map((key) => `${key}=j.value->>'${key}'`);
    this.#run(
      `UPDATE e SET ${sets.join()} FROM json_each(?) AS j WHERE e.partitionKey=j.value->>'partitionKey' ` +
        "AND e.rowKey=j.value->>'rowKey'",
      [JSON.stringify(patches)],
    );
    if (this.#database.changes() !== patches.length) throw new Error('not all are there');
  }

  async close() {
    this.#closeDatabase();
    this.#pool?.pauseVfs();
    this.#pool = undefined;
  }

  #run(sql, values) {
    this.#withStatement(sql, values, (statement) => void statement.step());
  }

  #read(sql, values, column = (statement) => statement.getString(0)) {
    return this.#withStatement(sql, values, (statement) =>
      statement.step() ? column(statement) : undefined,
    );
  }

  #withStatement(sql, values, work) {
    let statement = this.#statements.get(sql);
    if (!statement) this.#statements.set(sql, (statement = this.#database.prepare(sql)));
    try {
      if (values.length > 0) statement.bind(values);
      return work(statement);
    } finally {
      statement.reset();
    }
  }

  #transaction(work) {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  #closeDatabase() {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements = new Map();
    this.#database?.close();
    this.#database = undefined;
  }
}
