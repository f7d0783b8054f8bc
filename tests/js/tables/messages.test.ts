// What an app reads that has made a frequent mistake.

import { expect, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { rejection } from '../support/rejection.js';

const books = defineTable(
  'Books',
  {
    id: t.string(),
    title: t.string(),
    moves: t.int32().default(0),
    rate: t.double().optional(),
    cover: t.blob({ maxBytes: 10 }).optional(),
  },
  { key: 'id' },
);

async function open() {
  const storage = memoryStorage();
  const account = await openAccount({ storage, tables: { books } });
  onTestFinished(async () => {
    await account.close();
    await storage.destroy();
  });
  await account.tables.books.insert({ id: 'a', title: 'A' });
  return account;
}

const later = Promise.resolve({ id: 'b', title: 'B' }) as never;

it('names a Promise that is not awaited', async () => {
  const { books: table } = (await open()).tables;
  const calls = [
    () => table.insert(later),
    () => table.put(later),
    () => table.upsert(later),
    () => table.get(later),
    () => table.delete(later),
    () => table.update(later, { moves: 1 }),
    () => table.update('a', later),
    () => table.update('a', (async () => ({ moves: 1 })) as never),
    () => table.updateMany({ where: 'true', set: (async () => ({ moves: 1 })) as never }),
  ];

  for (const call of calls) {
    const error = await rejection(call());
    expect(error, String(call)).toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining('not a Promise, which must be awaited first'),
    });
  }
  expect(await table.count()).toBe(1);
});

it('names insertMany for several rows', async () => {
  const { books: table } = (await open()).tables;

  await expect(table.insert([{ id: 'b', title: 'B' }] as never)).rejects.toMatchObject({
    code: 'InvalidInput',
    message: expect.stringContaining('not an array. insertMany takes several rows.'),
  });
});

it('names the method that a transaction does not have', async () => {
  const account = await open();

  for (const name of ['count', 'search', 'insertMany', 'updateMany', 'export']) {
    const call = account.transaction((tx) =>
      (tx.books as unknown as Record<string, () => unknown>)[name]!(),
    );
    expect(await rejection(call)).toMatchObject({
      code: 'InvalidInput',
      message: expect.stringContaining(`A transaction has no ${name}()`),
    });
  }
});

it('says the size of bytes, and their limit', async () => {
  const { books: table } = (await open()).tables;
  const row = { id: 'b', title: 'B', cover: new Blob(['x'.repeat(50)]) };

  await expect(table.insert(row)).rejects.toMatchObject({
    message: expect.stringContaining('it has 50 bytes, and the limit is 10.'),
  });
});

it('asks for the key of a table that has none', () => {
  const define = () => defineTable('Books', { id: t.string() } as never);

  expect(define).toThrow(
    new TypeError(
      'The table Books has no key. Give it the option key: the name of a property, or two.',
    ),
  );
});

it('names both uses of one table', async () => {
  const opening = openAccount({ storage: memoryStorage(), tables: { a: books, b: books } });

  expect(await rejection(opening)).toMatchObject({
    message: expect.stringContaining(
      'The option tables of openAccount has the table Books twice: as a and as b.',
    ),
  });
});

it('returns what is stored: no -0', async () => {
  const { books: table } = (await open()).tables;
  const row = { id: 'z', title: 'Z', moves: -0, rate: -0 };

  expect(await table.insert(row)).toMatchObject({ moves: 0, rate: 0 });
  expect(await table.put(row)).toMatchObject({ moves: 0, rate: 0 });
  expect(await table.get('z')).toMatchObject({ moves: 0, rate: 0 });
});

it('says what an id is', async () => {
  const notes = defineTable('Notes', { id: t.id(), title: t.string() }, { key: 'id' });
  const { notes: table } = await (await open()).openTables({ notes });

  expect(await rejection(table.update('nope', { title: 'A' }))).toMatchObject({
    code: 'SchemaViolation',
    message: 'Property "id" holds "nope", which is no id: a UUID in lower case. Table "Notes".',
  });
});

it("names a file's own limit, even if no entity has room for it", async () => {
  const { books: table } = (await open()).tables;
  const cover = new Blob([new Uint8Array(2_000_000)]);

  expect(await rejection(table.insert({ id: 'b', title: 'B', cover }))).toMatchObject({
    code: 'SchemaViolation',
    message: expect.stringContaining('breaks its maxBytes: it has 2000000 bytes'),
  });
});
