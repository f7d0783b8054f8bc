// page.js - what an app does, with Dexie and with declared tables, in one page. Each round of a
// work begins with a new store. A figure is a median in microseconds, or milliseconds for opening.

import Dexie from 'dexie';

import { deleteAccount, openAccount } from '../../dist/index.js';
import { defineTable, t } from '../../dist/schema.js';
import { encryptedStorage } from '../../dist/storage/encrypted.js';
import { indexedDbStorage } from '../../dist/storage/indexeddb.js';
import { makeTrip } from '../page/dataset.js';
import { randomFrom } from '../page/random.js';

const WRITES = 200;
const OPENINGS = 15;
const ROWS = 20_000;

const accounts = defineTable('Accounts', { id: t.string(), balance: t.int32() }, { key: 'id' });
const moves = defineTable('Moves', { id: t.string(), amount: t.int32() }, { key: 'id' });
const notes = defineTable('Notes', { id: t.string(), text: t.string() }, { key: 'id' });
const tables = { accounts, moves, notes };
// The same values, as arrays and objects, and as the texts of them.
const trips = defineTable(
  'Trips',
  { id: t.string(), name: t.string(), tags: t.array(t.string()), place: t.json() },
  { key: 'id' },
);
const texts = defineTable(
  'Texts',
  { id: t.string(), name: t.string(), tags: t.string(), place: t.string() },
  { key: 'id' },
);
const wasm = './entitable.wasm';

const idOf = (number) => String(number).padStart(8, '0');
const rowOf = (number) => ({ id: idOf(number), text: `note ${number} `.repeat(20) });

// What `work` returns, if anything, is called after its time was taken.
async function median(count, work) {
  const times = [];
  for (let number = 0; number < count; number++) {
    const start = performance.now();
    const end = await work(number);
    times.push(performance.now() - start);
    if (typeof end === 'function') await end();
  }
  return times.sort((a, b) => a - b)[count >> 1] * 1000;
}

// Two inserts, first as two writes, then as one transaction, in turn.
async function twoInserts(insert, transaction) {
  const single = await median(WRITES, async (number) => {
    await insert('accounts', { id: `s${idOf(number)}`, balance: number });
    await insert('moves', { id: `s${idOf(number)}`, amount: number });
  });
  const together = await median(WRITES, (number) =>
    transaction(
      { id: `t${idOf(number)}`, balance: number },
      { id: `t${idOf(number)}`, amount: number },
    ),
  );
  return { single, together };
}

const TRIPS = 5000;

// `valueOf` makes what the rows have in place of an array and an object.
async function rowsOfTrips({ insert, insertMany, get, list, update, valueOf }) {
  const random = randomFrom(1);
  const rows = Array.from({ length: TRIPS + WRITES }, (_, at) => {
    const trip = makeTrip(at, random);
    return { ...trip, tags: valueOf(trip.tags), place: valueOf(trip.place) };
  });
  const singles = rows.splice(TRIPS);
  const single = await median(WRITES, (number) => insert(singles[number]));
  await insertMany(rows);
  // One is shorter than the clock of a page can tell.
  const start = performance.now();
  for (const { id } of rows) await get(id);
  const got = ((performance.now() - start) * 1000) / TRIPS;
  const listed = await median(5, async () => {
    if ((await list()).length !== TRIPS + WRITES) throw new Error('a trip is missing');
  });
  const updated = await median(WRITES, (number) => {
    const { tags } = rows[TRIPS - 1 - number];
    return update(rows[number].id, { tags });
  });
  return { insert: single, get: got, list: listed, update: updated };
}

const ownTrips = (definition, valueOf) =>
  withAccount(
    () => indexedDbStorage('app-trips'),
    ({ tables: { table } }) =>
      rowsOfTrips({
        valueOf,
        insert: (row) => table.insert(row),
        insertMany: (rows) => table.insertMany(rows),
        get: (id) => table.get(id),
        list: () => table.list(),
        update: (id, changes) => table.update(id, changes),
      }),
    { tables: { table: definition } },
  );

async function withDexie(name, use) {
  await Dexie.delete(name);
  const db = new Dexie(name);
  db.version(1).stores({ accounts: 'id', moves: 'id', notes: 'id', trips: 'id' });
  await db.open();
  try {
    return await use(db);
  } finally {
    db.close();
  }
}

async function withAccount(storage, use, options = { tables }) {
  await deleteAccount(storage());
  const account = await openAccount({ storage: storage(), wasm, ...options });
  await account.ready;
  try {
    return await use(account);
  } finally {
    await account.close();
  }
}

const works = {
  async dexieTransactions() {
    return withDexie('app-dexie', (db) =>
      twoInserts(
        (table, row) => db[table].add(row),
        (first, second) =>
          db.transaction('rw', db.accounts, db.moves, async () => {
            await db.accounts.add(first);
            await db.moves.add(second);
          }),
      ),
    );
  },
  async transactions() {
    return withAccount(
      () => indexedDbStorage('app'),
      (account) =>
        twoInserts(
          (table, row) => account.tables[table].insert(row),
          (first, second) =>
            account.transaction(async (tx) => {
              await tx.accounts.insert(first);
              await tx.moves.insert(second);
            }),
        ),
    );
  },
  arrays: () => ownTrips(trips, (value) => value),
  texts: () => ownTrips(texts, (value) => JSON.stringify(value)),
  dexieArrays: () =>
    withDexie('app-dexie', ({ trips: table }) =>
      rowsOfTrips({
        valueOf: (value) => value,
        insert: (row) => table.add(row),
        insertMany: (rows) => table.bulkAdd(rows),
        get: (id) => table.get(id),
        list: () => table.toArray(),
        update: (id, changes) => table.update(id, changes),
      }),
    ),
  plain: () => inserted(() => indexedDbStorage('app-plain')),
  async encrypted() {
    const algorithm = { name: 'AES-GCM', length: 256 };
    const key = await crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt']);
    return inserted(() => encryptedStorage(indexedDbStorage('app-encrypted'), key));
  },
  // With the same tables, which exist: opened by name, and declared.
  async openings() {
    const storage = () => indexedDbStorage('app-opened');
    await withAccount(storage, (account) => account.tables.notes.insert(rowOf(0)));
    const firstRead = (options, read) =>
      median(OPENINGS, async () => {
        const account = await openAccount({ storage: storage(), wasm, ...options });
        await read(account);
        return () => account.close();
      });
    const byName = () =>
      firstRead({}, (account) => account.tableClient('Notes').getEntity('all', idOf(0)));
    const declared = () => firstRead({ tables }, (account) => account.tables.notes.get(idOf(0)));
    await byName();
    await declared();
    return { byName: await byName(), declared: await declared() };
  },
};

// Single inserts, and then the read of many rows from the disk.
async function inserted(storage) {
  const insert = await withAccount(storage, async (account) => {
    const { notes: table } = account.tables;
    const time = await median(WRITES, (number) => table.insert(rowOf(number)));
    await table.insertMany(Array.from({ length: ROWS - WRITES }, (_, at) => rowOf(WRITES + at)));
    return time;
  });
  const account = await openAccount({ storage: storage(), wasm, tables });
  const start = performance.now();
  const rows = await account.tables.notes.list();
  const read = (performance.now() - start) * 1000;
  if (rows.length !== ROWS) throw new Error('a row is missing');
  await account.close();
  return { insert, read };
}

globalThis.bench = { carryOut: ({ name }) => works[name]() };
