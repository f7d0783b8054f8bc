// dexie-database.ts - a database of Dexie with tasks, and an account with a table for them.

import Dexie, { type Table } from 'dexie';
import { onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { freshName } from '../support/storages.js';

export const tasks = defineTable(
  'Tasks',
  {
    id: t.int32(),
    title: t.string({ minLength: 1 }),
    tags: t.array(t.string()).default([]),
    due: t.dateTime().optional(),
    place: t.json<{ lat: number; lon: number }>().optional(),
    photo: t.blob().optional(),
  },
  { key: 'id' },
);

/** A task as the app stores it in Dexie. */
export interface OldTask {
  id: number;
  title: string;
  tags: string[];
  due?: Date;
  place?: { lat: number; lon: number };
  photo?: Blob;
}

/** The task with this number. */
export const oldTask = (id: number): OldTask => ({
  id,
  title: `Task ${id}`,
  tags: [`tag-${id % 5}`, 'all'],
  ...(id % 2 ? { due: new Date(Date.UTC(2024, 0, 1) + id * 60_000) } : {}),
  ...(id % 3 ? {} : { place: { lat: id / 100, lon: id / 7 } }),
});

/** An empty database with these stores, which is deleted after the test. */
export function freshDexie(stores: Record<string, string>): Dexie {
  const db = new Dexie(freshName());
  db.version(1).stores(stores);
  onTestFinished(async () => {
    db.close();
    await deleted(db.name);
  });
  return db;
}

/** Deletes a database, as soon as nobody has it open. */
export function deleted(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const deletion = indexedDB.deleteDatabase(name);
    deletion.onsuccess = () => resolve();
    deletion.onerror = () => reject(new Error(`${name} cannot be deleted.`));
  });
}

/** A database with tasks from 0 on. */
export async function tasksInDexie(count: number): Promise<Dexie> {
  const db = freshDexie({ tasks: '++id, title' });
  const table = db.table('tasks') as Table<OldTask, number>;
  await table.bulkAdd(Array.from({ length: count }, (_, id) => oldTask(id)));
  return db;
}

/** An account with the table of tasks, for the length of the test. */
export async function accountOfTasks(storage: PageStorage = memoryStorage()) {
  const account = await openAccount({ storage, tables: { tasks } });
  onTestFinished(() => account.close());
  return account;
}
