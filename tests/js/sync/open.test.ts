// openAccount of entitable/sync: it takes the module with sync, and the tables by their names in
// the app.

import { expect, it, onTestFinished } from 'vitest';

import { openAccount as openWithoutSync } from '../../../js/src/index.js';
import { defineTable, t } from '../../../js/src/schema.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { openAccount, syncTables, type SyncOptions } from '../../../js/src/sync.js';
import { errorCode, tableError } from '../support/rejection.js';
import { openCloud, URL } from './support.js';

const tasks = defineTable(
  'Todos',
  { list: t.string(), id: t.string(), text: t.string() },
  { key: ['list', 'id'] },
);

async function openDevice(options: SyncOptions['tables'][string], fetch: never) {
  const storage = memoryStorage();
  const account = await openAccount({
    storage,
    tables: { tasks },
    sync: { remote: { url: URL, fetch }, tables: { tasks: options } },
  });
  onTestFinished(() => account.close());
  return account;
}

it('syncs declared tables by the names of the app, from the first call on', async () => {
  const cloud = await openCloud();
  const phone = await openDevice({ partitions: ['ann'] }, cloud.fetch as never);
  const laptop = await openDevice({}, cloud.fetch as never);

  await laptop.sync.once();
  await phone.tables.tasks.insert({ list: 'ann', id: '1', text: 'Milk' });
  await phone.tables.tasks.insert({ list: 'bob', id: '2', text: 'Spy' });
  expect(await phone.sync.pending('tasks')).toEqual([]);
  await phone.sync.once();
  await laptop.sync.settled();
  await laptop.sync.once();

  expect((await laptop.tables.tasks.list()).map(({ text }) => text)).toEqual(['Milk']);
  const pending = await phone.sync.pending('tasks');
  expect(pending.map(({ partitionKey }) => partitionKey)).toEqual(['bob']);
  expect(await phone.sync.pending('Todos')).toEqual(pending);
  expect(await errorCode(phone.sync.pending('Others'))).toBe('InvalidInput');
});

it('opens the module alone, and a later call syncs, also tables that are opened later', async () => {
  const cloud = await openCloud();
  const account = await openAccount({ storage: memoryStorage(), sync: true });
  onTestFinished(() => account.close());
  expect('sync' in account).toBe(false);
  const { later } = await account.openTables({ later: tasks });

  const sync = syncTables(account, {
    remote: { url: URL, fetch: cloud.fetch },
    tables: { later: {} },
  });
  await later.insert({ list: 'ann', id: '1', text: 'Milk' });
  await sync.once();

  expect(await cloud.todos.getEntity('ann', '1')).toMatchObject({ text: 'Milk' });
});

it('refuses wrong options before anything is opened', async () => {
  const storage = memoryStorage();
  const remote = { url: URL };

  for (const [sync, message] of [
    [
      undefined,
      'The option sync of openAccount must be the options of syncTables, or true, not undefined.',
    ],
    [false, 'not false.'],
    [{ remote, tables: {} }, 'The option tables of syncTables names tables'],
    [
      { remote, tables: { tasks: { partition: [] } } },
      'tables of syncTables has no option partition.',
    ],
    [{ remote, tables: { tasks: { conflict: 'mine' } } }, 'The option conflict is merge, remote'],
    [{ tables: { tasks: {} } }, 'The option url of remote'],
  ] as const) {
    const error = await tableError(openAccount({ storage, sync } as never));
    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(message);
  }
});

it('is what an account without sync is told to use', async () => {
  const cloud = await openCloud();
  const account = await openWithoutSync({ storage: memoryStorage(), tables: { tasks } });
  onTestFinished(() => account.close());
  const remote = { url: URL, fetch: cloud.fetch };

  const error = await tableError(syncTables(account, { remote, tables: { tasks: {} } }).once());

  expect(error.message).toContain('open the account with entitable/sync');
});

// The compiler alone runs it.
export function typesOf() {
  const remote = { url: URL };
  const storage = memoryStorage();
  void openAccount({ storage, tables: { tasks }, sync: { remote, tables: { tasks: {} } } });
  // @ts-expect-error: the app has no such table.
  void openAccount({ storage, tables: { tasks }, sync: { remote, tables: { taks: {} } } });
  void openAccount({ storage, sync: { remote, tables: { Any: { direction: 'pull' } } } });
  // @ts-expect-error: sync is said to be wanted.
  void openAccount({ storage });
  // @ts-expect-error: nothing is synced yet.
  void openAccount({ storage, sync: true }).then((account) => account.sync);
}
