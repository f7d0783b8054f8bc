import { openAccount } from 'entitable';
import { defineTable, t } from 'entitable/schema';
import { memoryStorage } from 'entitable/storage/memory';

// A declared table: each write is checked, and TypeScript knows every property.
const tasks = defineTable(
  'Tasks',
  {
    id: t.id(),
    title: t.string({ minLength: 1, maxLength: 200 }),
    priority: t.int32({ minimum: 1, maximum: 5 }).default(3),
    done: t.boolean().default(false),
    due: t.dateTime().optional(),
  },
  { key: 'id', indexes: [['priority']] },
);

// In your app this is indexedDbStorage('my-app'), which keeps the tables in the browser.
const account = await openAccount({ storage: memoryStorage(), tables: { tasks } });
const table = account.tables.tasks;

const milk = await table.insert({ title: 'Buy milk', due: new Date('2030-05-06') });
await table.insertMany([
  { title: 'Water the plants', priority: 1 },
  { title: 'Read a book', priority: 5 },
]);
await table.update(milk, { done: true });

// The first open tasks, the most important first.
const open = await table.list({
  where: tasks.where(({ done }) => done.eq(false)),
  orderBy: ['priority'],
  limit: 10,
});
console.log(open.map(({ title }) => title).join(', ')); // Water the plants, Read a book

// Change something, and run it again: a title without text, for example.
