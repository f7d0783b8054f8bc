// The table, for the server and for the page.

import type { RowOf } from 'entitable';
import { defineTable, t } from 'entitable/schema';

export const tasks = defineTable(
  'Tasks',
  { id: t.id(), text: t.string({ maxLength: 200 }), done: t.boolean().default(false) },
  { key: 'id' },
);

export type Task = RowOf<typeof tasks>;
