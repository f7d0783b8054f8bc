// tasks.ts - tables with keys of several kinds, and an account that has them.

import { onTestFinished } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';

export const tasks = defineTable(
  'Tasks',
  {
    id: t.id(),
    list: t.string({ minLength: 1 }),
    title: t.string({ minLength: 1, maxLength: 200 }),
    done: t.boolean().default(false),
    due: t.dateTime().optional(),
    count: t.int32().default(0),
    notes: t.string().optional(),
  },
  { key: ['list', 'id'], indexes: [['due'], ['list', 'count desc']] },
);

export const pages = defineTable(
  'Pages',
  { url: t.string(), title: t.string(), text: t.string().optional() },
  { key: 'url', indexes: [['words(text)']] },
);

export const visits = defineTable(
  'Visits',
  {
    owner: t.string(),
    year: t.int32(),
    kind: t.string(),
    at: t.dateTime(),
    serial: t.int64(),
    note: t.string().optional(),
  },
  { key: { partition: ['owner', 'year'], row: ['kind', 'at', 'serial'] } },
);

/** Opens an account with the tables, for the length of the test. */
export async function openTasks(storage: PageStorage = memoryStorage()) {
  const account = await openAccount({ storage, tables: { tasks, pages, visits } });
  onTestFinished(async () => {
    await account.close();
    await storage.destroy();
  });
  return account;
}
