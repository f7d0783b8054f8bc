// An import from a real Dexie, whole and interrupted. The expected rows are what Dexie has stored.

import Dexie from 'dexie';
import { expect, it, onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import {
  importFromDexie,
  type DexieImportProgress,
  type SourceKey,
} from '../../../js/src/migrate/dexie.js';
import { keyOfText, textOfKey } from '../../../js/src/migrate/dexie/source-keys.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { rejection } from '../support/rejection.js';
import { freshName, WatchedStorage } from '../support/storages.js';
import {
  accountOfTasks,
  deleted,
  freshDexie,
  oldTask,
  tasks,
  tasksInDexie,
} from './dexie-database.js';

type Account = Awaited<ReturnType<typeof accountOfTasks>>;

const rowsOf = async ({ tables }: Account) =>
  (await tables.tasks.list()).map(({ etag: _, timestamp: __, ...row }) => row);

const oldTasks = (count: number) => Array.from({ length: count }, (_, id) => oldTask(id));

it('copies 20,000 rows with arrays, objects and dates, and leaves the database as it is', async () => {
  const db = await tasksInDexie(20_000);
  const account = await accountOfTasks();
  const reports: DexieImportProgress[] = [];

  const result = await importFromDexie(db, {
    tables: { tasks: account.tables.tasks },
    onProgress: (progress) => reports.push(progress),
  });

  expect(result).toEqual({ tasks: { total: 20_000, read: 20_000, stored: 20_000, refused: 0 } });
  expect(await rowsOf(account)).toEqual(oldTasks(20_000));
  expect(await db.table('tasks').count()).toBe(20_000);
  // It reads pieces: never all values at once.
  expect(reports.length).toBeGreaterThan(10);
  expect(reports.map(({ read }) => read)).toEqual(
    reports.map(({ read }) => read).sort((one, other) => one - other),
  );
  expect(reports.at(-1)).toEqual({ store: 'tasks', ...result.tasks });
  // Dexie alone takes seconds to store and to list them.
}, 120_000);

it('keeps the bytes and the type of a Blob', async () => {
  const db = await tasksInDexie(1);
  await db.table('tasks').update(0, { photo: new Blob(['a picture'], { type: 'image/png' }) });
  const account = await accountOfTasks();

  await importFromDexie(db, { tables: { tasks: account.tables.tasks } });

  const { photo } = (await account.tables.tasks.get(0))!;
  expect([photo?.type, await photo?.text()]).toEqual(['image/png', 'a picture']);
});

it('goes on after an abort, and brings back nothing that was deleted meanwhile', async () => {
  const db = await tasksInDexie(3000);
  const account = await accountOfTasks();
  const table = account.tables.tasks;
  const abort = new AbortController();
  const stop = { signal: abort.signal, onProgress: () => abort.abort(new Error('enough')) };

  const reason = await rejection(importFromDexie(db, { tables: { tasks: table }, ...stop }));

  expect(reason).toEqual(new Error('enough'));
  const before = await table.count();
  expect(before).toBeGreaterThan(0);
  expect(before).toBeLessThan(3000);
  await table.delete(0);
  await table.update(1, { title: 'Changed' });

  const result = await importFromDexie(db, { tables: { tasks: table } });

  expect(result.tasks).toEqual({ total: 3000, read: 3000, stored: 3000, refused: 0 });
  const expected = oldTasks(3000).slice(1);
  expected[0]!.title = 'Changed';
  expect(await rowsOf(account)).toEqual(expected);

  // It is over for good.
  await table.deleteMany({ where: 'true' });
  expect(await importFromDexie(db, { tables: { tasks: table } })).toEqual(result);
  expect(await table.count()).toBe(0);
});

it('goes on in another account over the storage, after the first one was closed', async () => {
  const db = await tasksInDexie(3000);
  const storage = () => indexedDbStorage(name);
  const name = freshName();
  const first = await openAccount({ storage: storage(), tables: { tasks } });
  const close = () => void first.close();

  const importing = importFromDexie(db, {
    tables: { tasks: first.tables.tasks },
    onProgress: close,
  });

  expect(await rejection(importing)).toMatchObject({ code: 'AccountClosed' });
  const second = await accountOfTasks(storage());
  const stored = await second.tables.tasks.count();
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(3000);
  await importFromDexie(db, { tables: { tasks: second.tables.tasks } });
  expect(await rowsOf(second)).toEqual(oldTasks(3000));
});

it('stores a piece with its end: a crash between leaves both or none', async () => {
  const db = await tasksInDexie(1200);
  const storage = memoryStorage();
  const lost = new WatchedStorage(storage);
  const first = await accountOfTasks(lost);
  await first.ready;
  // From here on nothing is stored any more, as if the page had gone.
  let commits = 0;
  lost.onCommit = () => (++commits > 3 ? Promise.reject(new Error('gone')) : undefined);

  await rejection(importFromDexie(db, { tables: { tasks: first.tables.tasks } }));

  const second = await accountOfTasks(storage);
  const result = await importFromDexie(db, { tables: { tasks: second.tables.tasks } });
  expect(result.tasks.stored).toBe(1200);
  expect(await rowsOf(second)).toEqual(oldTasks(1200));
});

it('runs in two tabs at once, and imports each row once', async () => {
  const db = await tasksInDexie(4000);
  const storage = memoryStorage();
  const [one, other] = [await accountOfTasks(storage), await accountOfTasks(storage)];

  const results = await Promise.all(
    [one, other].map(({ tables }) => importFromDexie(db, { tables: { tasks: tables.tasks } })),
  );

  const all = { total: 4000, read: 4000, stored: 4000, refused: 0 };
  expect(results).toEqual([{ tasks: all }, { tasks: all }]);
  expect(await rowsOf(other)).toEqual(oldTasks(4000));
});

it('imports what the upgrades of the app have made of the rows', async () => {
  const name = freshName();
  const old = new Dexie(name);
  old.version(1).stores({ tasks: 'id' });
  await old.table('tasks').bulkAdd([{ id: 1, name: 'Milk' }]);
  old.close();
  const db = new Dexie(name);
  onTestFinished(async () => {
    db.close();
    await deleted(name);
  });
  db.version(1).stores({ tasks: 'id' });
  db.version(2)
    .stores({ tasks: 'id, title' })
    .upgrade((change) =>
      change
        .table('tasks')
        .toCollection()
        .modify((task: { name?: string; title?: string }) => {
          task.title = task.name!;
          delete task.name;
        }),
    );
  const account = await accountOfTasks();

  await importFromDexie(db, { tables: { tasks: account.tables.tasks } });

  expect(await rowsOf(account)).toEqual([{ id: 1, title: 'Milk', tags: [] }]);
});

it('opens a database by its name, and lets go of it', async () => {
  const db = await tasksInDexie(10);
  db.close();
  const account = await accountOfTasks();

  await importFromDexie(db.name, { tables: { tasks: account.tables.tasks } });

  expect(await rowsOf(account)).toEqual(oldTasks(10));
  // As long as anybody has it open, this waits.
  await deleted(db.name);
});

it('makes no database, if there is none of the name', async () => {
  const name = freshName();
  const account = await accountOfTasks();
  const nothing = { total: 0, read: 0, stored: 0, refused: 0 };

  const result = await importFromDexie(name, { tables: { tasks: account.tables.tasks } });

  expect(result).toEqual({ tasks: nothing });
  expect((await indexedDB.databases()).map((one) => one.name)).not.toContain(name);
});

it('takes an open database that Dexie has not made', async () => {
  const db = freshDexie({ tasks: 'id' });
  await db.table('tasks').add({ id: 7, title: 'Bread' });
  const account = await accountOfTasks();

  await importFromDexie(db.backendDB(), { tables: { tasks: account.tables.tasks } });

  expect(await rowsOf(account)).toEqual([{ id: 7, title: 'Bread', tags: [] }]);
});

it('imports rows that take more room than one transaction has', async () => {
  const db = freshDexie({ tasks: 'id' });
  const photo = new Blob([new Uint8Array(400_000)]);
  const old = Array.from({ length: 60 }, (_, id) => ({ id, title: 'Picture', photo }));
  await db.table('tasks').bulkAdd(old);
  const account = await accountOfTasks();

  const { tasks: result } = await importFromDexie(db, {
    tables: { tasks: account.tables.tasks },
  });

  expect(result).toEqual({ total: 60, read: 60, stored: 60, refused: 0 });
  const sizes = (await account.tables.tasks.list()).map((row) => row.photo!.size);
  expect(sizes).toEqual(old.map(() => 400_000));
});

it('reads all pieces of a store with a compound key of a date and a text', async () => {
  const db = freshDexie({ visits: '[at+page]' });
  const visits = defineTable(
    'Visits',
    { at: t.dateTime(), page: t.string() },
    { key: ['at', 'page'] },
  );
  const old = Array.from({ length: 1200 }, (_, n) => ({
    at: new Date(Date.UTC(2024, 0, 1 + Math.floor(n / 300))),
    page: `/p/${String(n).padStart(4, '0')}`,
  }));
  await db.table('visits').bulkAdd(old);
  const account = await openAccount({ storage: memoryStorage(), tables: { visits } });
  onTestFinished(() => account.close());

  await importFromDexie(db, { tables: account.tables });

  const rows = await account.tables.visits.list();
  expect(rows.map(({ at, page }) => ({ at, page }))).toEqual(old);
});

it.each<SourceKey>([
  ...[-1.5, 0, 2 ** 53, -Infinity, Infinity, '', 'a"b', '\ud800'],
  new Date(0),
  new Date(-1),
  Uint8Array.of(1, 0, 255).buffer,
  new Uint8Array([9, 1, 2, 9]).subarray(1, 3),
  ['a', 1, new Date(5), [Uint8Array.of(7).buffer, []]],
])('notes the key %s without a loss', (key) => {
  const copy = keyOfText(textOfKey(key));

  expect(indexedDB.cmp(copy, key)).toBe(0);
});
