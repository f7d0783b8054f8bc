// How often an account that knows nothing yet reads its storage, one read after another, until it
// has its first answer, and how many values these reads have. Whoever changes what is cold sees it
// here.

import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { inNextTurn } from '../../../js/src/base/next-turn.js';
import { openAccount, type TableOf } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { Batch } from '../../../js/src/storage/page-storage.js';
import { WithHints } from '../support/storages.js';

const tasks = defineTable(
  'Tasks',
  {
    id: t.string(),
    title: t.string(),
    rank: t.int32(),
    priority: t.int32(),
    done: t.boolean(),
    note: t.string(),
  },
  { key: 'id', indexes: [['rank'], { by: ['priority'], include: ['title', 'done'] }] },
);
const tables = { tasks };
type Tasks = TableOf<typeof tasks>;

const ROWS = 8000;
const AT_ONCE = 2000;

// Neighbours of an index are far from one another in the table, whose keys are in another order.
const row = (n: number) => ({
  id: String((n * 7919) % ROWS).padStart(6, '0'),
  title: `Task ${n}`,
  rank: Math.floor(n / 10),
  priority: Math.floor(n / 10),
  done: n % 2 === 0,
  note: 'n'.repeat(60),
});

const inner = memoryStorage();

beforeAll(async () => {
  const storage = new WithHints(inner);
  const account = await openAccount({ storage, tables });
  await account.ready;
  for (let first = 0; first < ROWS; first += AT_ONCE) {
    const rows = Array.from({ length: AT_ONCE }, (_, i) => row(first + i));
    await account.tables.tasks.insertMany(rows);
  }
  await atRest(storage);
  await account.close();
}, 120_000);

// The last flush has copies of the first pages; compactions follow it without a pause.
async function atRest(storage: WithHints) {
  const hasCopies = ({ puts }: Batch) => puts.some(([key]) => key === 'pages/0');
  await vi.waitFor(() => expect(storage.commits.at(-1)).toSatisfy(hasCopies), 10_000);
  const calls = () => storage.commits.length + storage.reads.length;
  for (let last = -1; last !== calls();) {
    last = calls();
    for (let turn = 0; turn < 5; turn++) await new Promise<void>(inNextTurn);
  }
}

// Of the first use of a newly opened account. A read without keys comes before all of them, and
// asks only whether there is a storage.
async function readsOf(work: (table: Tasks) => Promise<unknown>) {
  const storage = new WithHints(inner);
  const account = await openAccount({ storage, tables });
  onTestFinished(() => account.close());
  const found = await work(account.tables.tasks);
  const values = storage.reads.map(({ keys }) => keys.length);
  return { found, values: values.filter((length) => length > 0) };
}

const first = (length: number) => Array.from({ length }, (_, n) => n);

test.each<[string, (table: Tasks) => Promise<unknown>, unknown, number[]]>([
  // Opening, and the page of the row in each of up to three runs, with the manifest.
  ['a row', (table) => table.get(row(7).id), expect.objectContaining(row(7)), [3, 4]],
  ['50 rows by key', async (table) => (await table.list({ limit: 50 })).length, 50, [3, 4]],
  [
    '50 rows in the order of the key',
    async (table) => (await table.list({ orderBy: 'id', limit: 50 })).map(({ id }) => id),
    first(50).map((n) => String(n).padStart(6, '0')),
    [3, 4],
  ],
  // Opening, the index, and the pages of all rows at once.
  [
    'rows that an index names',
    async (table) => (await table.list({ where: ({ rank }) => rank.eq(7) })).length,
    10,
    [3, 4, 31],
  ],
  [
    '50 rows in the order of an index',
    async (table) => (await table.list({ orderBy: 'rank', limit: 50 })).map(({ rank }) => rank),
    first(50).map((n) => Math.floor(n / 10)),
    [3, 4, 4, 65],
  ],
  // Opening, and the index.
  [
    'rows that a covering index has',
    async (table) => {
      const where = tasks.where(({ priority }) => priority.eq(7));
      return (await table.list({ where, select: ['title', 'done'] })).length;
    },
    10,
    [3, 4],
  ],
  [
    '50 rows in the order of a covering index',
    async (table) => {
      const rows = await table.list({ orderBy: 'priority', limit: 50, select: ['title'] });
      return rows.map(({ title }) => title).sort();
    },
    first(50)
      .map((n) => `Task ${n}`)
      .sort(),
    [3, 7],
  ],
  [
    'a count by a covering index',
    (table) => table.count({ where: ({ priority }) => priority.eq(7) }),
    10,
    [3, 4],
  ],
])('%s', async (_, work, expected, values) => {
  const { found, values: read } = await readsOf(work);

  expect(found).toEqual(expected);
  expect(read.length, `reads of ${read.join()} values`).toBeLessThanOrEqual(values.length);
  for (const [at, most] of values.entries()) expect(read[at] ?? 0).toBeLessThanOrEqual(most);
});
