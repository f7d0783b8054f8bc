import { describe, expect, it } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { defineTable, t, type TableDefinition } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { WatchedStorage } from '../support/storages.js';
import { openTasks, pages, tasks, visits } from './tasks.js';

const tables = { tasks, pages, visits };

/** A storage that stays when an account is closed. */
function kept(): PageStorage {
  const storage = memoryStorage();
  return {
    read: (request) => storage.read(request),
    commit: (batch, options) => storage.commit(batch, options),
    close: () => Promise.resolve(),
    destroy: () => storage.destroy(),
  };
}

describe('openAccount() with tables', () => {
  it('makes the tables that are missing, and lets requests wait for them', async () => {
    const account = await openTasks();

    expect(await account.tables.tasks.list()).toEqual([]);
    expect(await account.tables.pages.get('x')).toBeUndefined();
    const names: string[] = [];
    for await (const { name } of account.listTables()) names.push(name!);
    expect(names).toEqual(['Pages', 'Tasks', 'Visits']);
  });

  it('builds the indexes, and drops those that are no longer declared', async () => {
    const storage = kept();
    const first = await openAccount({ storage, tables });
    await first.tables.tasks.insertMany(
      Array.from({ length: 300 }, (_, n) => ({ list: `${n % 3}`, title: 't', due: new Date(n) })),
    );
    await first.ready;
    const where = `due eq datetime'${new Date(5).toISOString()}'`;
    expect(await first.tables.tasks.explain({ where })).toMatchObject({
      access: 'index',
      index: 'due',
    });
    const byList = await first.tables.tasks.explain({ where: 'count eq 0 and due ge null' }).then(
      () => 'found',
      () => 'refused',
    );
    expect(byList).toBe('refused');
    await first.close();
    const others = defineTable('Tasks', tasks.properties, { key: ['list', 'id'] });
    const second = await openAccount({ storage, tables: { others } });
    await second.ready;

    expect(await second.tables.others.explain({ where })).toMatchObject({ access: 'table scan' });
    await second.close();
    await storage.destroy();
  });

  it('holds every writer to a definition that says so', async () => {
    const strict = defineTable(
      'Strict',
      { id: t.id(), n: t.int32() },
      { key: 'id', enforce: true },
    );
    const account = await openAccount({ storage: memoryStorage(), tables: { strict } });
    await account.ready;
    const untyped = account.tableClient('Strict');
    const wrong = untyped.createEntity({ partitionKey: 'all', rowKey: 'x', n: 'no' });

    expect(await errorCode(wrong)).toBe('SchemaViolation');
    await account.close();
  });

  it('writes nothing if everything is there, and reads little', async () => {
    const inner = kept();
    const first = await openAccount({ storage: inner, tables });
    await first.tables.tasks.insert({ list: 'home', title: 'Milk' });
    await first.ready;
    await first.close();
    const requests = async (options: { tables?: typeof tables }) => {
      const storage = new WatchedStorage(inner);
      const account = await openAccount({ storage, ...options });
      await account.tableClient('Tasks').listEntities().next();
      await account.ready;
      const counts = { reads: storage.reads.length, commits: storage.commits.length };
      await account.close();
      return counts;
    };
    const plain = await requests({});
    const declared = await requests({ tables });

    expect(plain.commits).toBe(0);
    expect(declared.commits).toBe(0);
    expect(declared.reads - plain.reads).toBe(0);
    await inner.destroy();
  });

  it('reports from `ready` and the first use that a table cannot be made, and tries again', async () => {
    const storage = new WatchedStorage();
    const broken = new Error('no room');
    let breaks = true;
    storage.onCommit = () => (breaks ? Promise.reject(broken) : undefined);
    const account = await openAccount({ storage, tables });

    const error = await tableError(account.ready);
    expect(error.cause ?? error).toBeDefined();
    expect(error.code).not.toBe('TableNotFound');
    breaks = false;
    expect(await account.tables.tasks.list()).toEqual([]);
    await account.close();
  });

  it('refuses what is no declared table, and two with one name', async () => {
    const storage = memoryStorage();
    for (const wrong of [5, [], { a: 5 }, { a: tasks, b: tasks }]) {
      const opening = openAccount({ storage, tables: wrong as never });
      expect(await errorCode(opening)).toBe('InvalidInput');
    }
  });
});

describe('openTables()', () => {
  const notes = defineTable('Notes', { id: t.id(), text: t.string() }, { key: 'id' });
  const marks = defineTable(
    'Marks',
    { name: t.string(), points: t.int32() },
    { key: 'name', indexes: [['points']] },
  );

  it('opens tables as openAccount() does', async () => {
    const account = await openForTest({ storage: memoryStorage(), tables: { notes } });
    const opened = await account.openTables({ marks });
    const row = await opened.marks.insert({ name: 'ann', points: 5 });
    await account.ready;

    expect(await opened.marks.get('ann')).toEqual(row);
    const plan = await opened.marks.explain({ where: ({ points }) => points.eq(5) });
    expect(plan).toMatchObject({ access: 'index', index: 'points', count: 1 });
    await account.tables.notes.insert({ text: 'first' });
    expect(await account.tables.notes.count()).toBe(1);
  });

  it('is refused what is no declared table, and two with one name', async () => {
    const account = await openForTest({ storage: memoryStorage() });

    for (const wrong of [undefined, 5, [], { a: 5 }, { a: notes, b: notes }]) {
      expect(await errorCode(account.openTables(wrong as never))).toBe('InvalidInput');
    }
    expect(await account.listTables().next()).toMatchObject({ done: true });
  });

  it('lets table() find the table of a definition, and of no other one', async () => {
    const account = await openForTest({ storage: memoryStorage(), tables: { notes } });
    const namesake = defineTable('Marks', marks.properties, { key: 'name' });
    const notOpen = (definition: TableDefinition) => () => account.table(definition);

    expect(account.table(notes)).toBe(account.tables.notes);
    expect(notOpen(marks)).toThrow('The table Marks is not open. Give it to openAccount(');
    const opened = await account.openTables({ marks });
    expect(account.table(marks)).toBe(opened.marks);
    expect(notOpen(namesake)).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
    expect(notOpen('Marks' as never)).toThrow(expect.objectContaining({ code: 'InvalidInput' }));
  });
});
