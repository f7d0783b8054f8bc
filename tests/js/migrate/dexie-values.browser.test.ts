// What of a database has no place in a table: errors with the store, the key and what to do; and
// rows that `convert` makes.

import { expect, it } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { importFromDexie } from '../../../js/src/migrate/dexie.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { tableError } from '../support/rejection.js';
import { accountOfTasks, freshDexie, tasksInDexie } from './dexie-database.js';

const things = defineTable(
  'Things',
  {
    id: t.int32(),
    note: t.string().optional(),
    at: t.dateTime().optional(),
    size: t.double().optional(),
    place: t.json<unknown>().optional(),
    raw: t.bytes().optional(),
    photo: t.blob().optional(),
  },
  { key: 'id' },
);

/** A database whose store has these values, and a table for them. */
async function setUp(values: readonly object[], stores: Record<string, string> = { things: 'id' }) {
  const db = freshDexie(stores);
  await db.table('things').bulkAdd(values);
  const account = await openAccount({ storage: memoryStorage(), tables: { things } });
  return { db, table: account.tables.things };
}

it.each([
  [{ other: { a: 1 } }, 'other', 't.json()'],
  [{ other: [1, 2] }, 'other', 't.array(…) or t.json()'],
  [{ other: new Blob(['x']) }, 'other', 't.blob()'],
  [{ other: 'x'.repeat(40_000) }, 'other', 't.text()'],
  [{ other: new Uint8Array(70_000) }, 'other', 't.bytes()'],
  [{ raw: new Float32Array(2) }, 'raw', 'Store a Uint8Array'],
  [{ raw: new ArrayBuffer(2) }, 'raw', 'Store a Uint8Array'],
  [{ other: new Map([[1, 2]]) }, 'other', 'convert.things'],
  [{ other: new Set([1]) }, 'other', 'convert.things'],
  [{ other: /x/ }, 'other', 'convert.things'],
  [{ other: 2n ** 63n }, 'other', 'Int64'],
  [{ size: NaN }, 'size', 'finite'],
  [{ at: new Date(NaN) }, 'at', 'invalid date'],
  [{ at: new Date('0001-01-01') }, 'at', 'convert.things'],
  [{ place: { at: new Date(0) } }, 'place', '["at"]'],
  [{ place: { n: 1n } }, 'place', '["n"]'],
  [{ note: 5 }, 'note', 'String'],
  [{ 'two words': 1 }, 'two words', 'convert.things'],
  [{ photo: new Blob([new Uint8Array(2_000_000)]) }, 'photo', '1048576'],
  [{ timestamp: 1 }, 'timestamp', 'another: timestamp'],
  [{ partitionKey: 'a' }, 'partitionKey', 'another: partitionKey'],
])('refuses %o, and says where it is and what to do', async (values, property, remedy) => {
  const { db, table } = await setUp([{ id: 16 }, { id: 17, ...values }]);

  const error = await tableError(importFromDexie(db, { tables: { things: table } }));

  expect(error.message).toContain(`the key 17 of the store "things" in the database "${db.name}"`);
  expect(error.message).toContain(property);
  expect(error.message).toContain(remedy);
  // A piece is stored as a whole.
  expect(await table.count()).toBe(0);
});

it('keeps what has an Azure type, though it is not declared', async () => {
  const values = { n: NaN, big: 2n ** 62n, day: new Date(0), isIt: true, bytes: Uint8Array.of(1) };
  const { db, table } = await setUp([{ id: 1, ...values, gone: undefined, nothing: null }]);

  await importFromDexie(db, { tables: { things: table } });

  const { etag: _, timestamp: __, ...row } = (await table.get(1))!;
  expect(row).toEqual({ id: 1, ...values });
});

it('leaves out rows that are refused, if somebody takes their errors, and goes on', async () => {
  const old = Array.from({ length: 1200 }, (_, id) => ({ id, size: id % 400 ? id : NaN }));
  const { db, table } = await setUp(old);
  await table.insert({ id: 5, note: 'of the app' });
  const codes: string[] = [];

  const { things: result } = await importFromDexie(db, {
    tables: { things: table },
    onRefused: ({ code, message }) => codes.push(`${code} ${/key \d+/.exec(message)![0]}`),
  });

  expect(result).toEqual({ total: 1200, read: 1200, stored: 1196, refused: 4 });
  expect(codes).toEqual([
    ...['SchemaViolation key 0', 'EntityAlreadyExists key 5'],
    ...['SchemaViolation key 400', 'SchemaViolation key 800'],
  ]);
  expect((await table.get(5))?.note).toBe('of the app');
  expect(await table.count()).toBe(1197);
});

it('ends at a key that is taken, without a change of the row that has it', async () => {
  const { db, table } = await setUp([{ id: 4 }, { id: 5, note: 'of Dexie' }]);
  await table.insert({ id: 5, note: 'of the app' });

  const error = await tableError(importFromDexie(db, { tables: { things: table } }));

  expect(error.code).toBe('EntityAlreadyExists');
  expect(error.message).toContain('the key 5');
  expect((await table.list()).map(({ note }) => note)).toEqual(['of the app']);
});

it('names the issues of a row that the definition refuses', async () => {
  const db = freshDexie({ tasks: 'id' });
  await db.table('tasks').add({ id: 1, title: '', tags: [7], due: 'soon' });
  const { tables } = await accountOfTasks();

  const error = await tableError(importFromDexie(db, { tables: { tasks: tables.tasks } }));

  expect(error.code).toBe('SchemaViolation');
  expect(error.issues.map(({ path }) => String(path)).sort()).toEqual(['due', 'tags,0', 'title']);
});

it('stores what a function makes of a value: other names, several rows, or none', async () => {
  const db = await tasksInDexie(3);
  const { tables } = await accountOfTasks();

  const { tasks: result } = await importFromDexie(db, {
    tables: { tasks: tables.tasks },
    convert: {
      tasks: ({ id, title }: { id: number; title: string }) => {
        if (id === 0) return undefined;
        const row = { id: id * 10, title: title.toUpperCase() };
        return id === 1 ? row : Promise.resolve([row, { ...row, id: id * 10 + 1 }]);
      },
    },
  });

  expect(result).toEqual({ total: 3, read: 3, stored: 3, refused: 0 });
  const rows = await tables.tasks.list();
  expect(rows.map(({ id, title }) => [id, title])).toEqual([
    ...[[10, 'TASK 1']],
    ...[[20, 'TASK 2']],
    ...[[21, 'TASK 2']],
  ]);
});

it('puts one store into two tables, with two calls', async () => {
  const db = await tasksInDexie(2);
  const account = await openAccount({
    storage: memoryStorage(),
    tables: { things, others: defineTable('Others', { id: t.int32() }, { key: 'id' }) },
  });
  const { others } = account.tables;

  await importFromDexie(db, {
    tables: { tasks: account.tables.things },
    convert: { tasks: ({ id, title }) => ({ id, note: title }) },
  });
  await importFromDexie(db, {
    tables: { tasks: others },
    convert: { tasks: ({ id }) => ({ id }) },
  });

  expect((await account.tables.things.list()).map(({ note }) => note)).toEqual([
    'Task 0',
    'Task 1',
  ]);
  expect((await others.list()).map(({ id }) => id)).toEqual([0, 1]);
});

it('says which value a function fails for', async () => {
  const db = await tasksInDexie(3);
  const { tables } = await accountOfTasks();
  const cause = new Error('no such place');

  const error = await tableError(
    importFromDexie(db, {
      tables: { tasks: tables.tasks },
      onRefused: () => undefined,
      convert: {
        tasks: (value) => {
          if (value.id === 2) throw cause;
          return value;
        },
      },
    }),
  );

  expect(error.message).toContain('no such place');
  expect(error.message).toContain('the key 2');
  expect(error.cause).toBe(cause);
});

it.each([
  ['beside the values', '', [{ title: 'Milk' }], 'beside its values'],
  ['within an object', 'meta.id', [{ title: 'Milk', meta: { id: 3 } }], 'at meta.id'],
])('needs a function if a store has its keys %s', async (_, keyPath, values, words) => {
  const db = freshDexie({ tasks: keyPath });
  await db.table('tasks').bulkAdd(values, keyPath ? undefined : [3]);
  const { tables } = await accountOfTasks();
  const options = { tables: { tasks: tables.tasks } };

  const error = await tableError(importFromDexie(db, options));
  await importFromDexie(db, { ...options, convert: { tasks: ({ title }, id) => ({ id, title }) } });

  expect(error.message).toContain(words);
  expect(error.message).toContain('(row, key) => ({ ...row, id: key })');
  expect((await tables.tasks.list()).map(({ id, title }) => [id, title])).toEqual([[3, 'Milk']]);
});

it('says how to keep numbers that Dexie has counted', async () => {
  const db = freshDexie({ notes: '++id' });
  await db.table('notes').add({ text: 'Call Ann' });
  const notes = defineTable('Notes', { id: t.id(), text: t.string() }, { key: 'id' });
  const account = await openAccount({ storage: memoryStorage(), tables: { notes } });

  const error = await tableError(importFromDexie(db, { tables: account.tables }));
  await importFromDexie(db, {
    tables: account.tables,
    convert: { notes: ({ id: _, ...row }) => row },
  });

  expect(error.message).toContain('t.int32()');
  expect((await account.tables.notes.list()).map(({ text }) => text)).toEqual(['Call Ann']);
});

it('refuses options that cannot be meant', async () => {
  const db = await tasksInDexie(1);
  const { tables } = await accountOfTasks();
  const of = async (from: unknown, options: unknown) =>
    (await tableError(importFromDexie(from as never, options as never))).message;

  expect(await of(db, { tables: {} })).toContain('needs tables');
  expect(await of(db, { tables: { tasks: 5 } })).toContain('tables.tasks');
  expect(await of(db, { tables, convert: { task: () => ({}) } })).toContain('convert.task ');
  expect(await of(db, { tables, convert: { tasks: 5 } })).toContain('convert.tasks');
  expect(await of(db, { tables, onRefuse: () => {} })).toContain('onRefuse');
  expect(await of(5, { tables })).toContain('IDBDatabase');
  expect(await of(db, { tables: { taks: tables.tasks } })).toContain('Its stores are "tasks"');
  expect(await tables.tasks.count()).toBe(0);
});
