// Several accounts of one store, crashes, a full storage, and the module without sync.

import { expect, it, onTestFinished, vi } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { syncTables } from '../../../js/src/sync.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { WatchedStorage } from '../support/storages.js';
import { syncWasmBytes } from '../support/wasm.js';
import { answerLost, lost, openCloud, openReplica, rowsOf, URL } from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

it('is not synced with another remote table before it is forgotten', async () => {
  const [cloud, other] = [await openCloud(), await openCloud()];
  const { account, sync, todos } = await openReplica(cloud);
  await todos.createEntity(row('1'));
  await sync.once();
  const remote = { url: URL, fetch: other.fetch };
  const another = syncTables(account, { remote, tables: { Todos: { remoteTable: 'Tasks' } } });

  const error = await tableError(another.once());

  expect(error.code).toBe('TableSynced');
  expect(error.message).toContain(`${URL}/Todos`);
  expect(error.message).toContain(`${URL}/Tasks`);
  expect(await rowsOf(todos)).toEqual([row('1')]);
  await sync.forget({ keepRows: true });
  await another.once();
  expect(await rowsOf(other.local.tableClient('Tasks'))).toEqual([row('1')]);
});

it('is synced with another remote table if the first one never answered', async () => {
  const cloud = await openCloud();
  const { account, sync, todos } = await openReplica({
    fetch: () => Promise.reject(new TypeError()),
  });
  await todos.createEntity(row('1'));
  await rejection(sync.once());
  const remote = { url: URL.replace('10002', '10003'), fetch: cloud.fetch };
  const another = syncTables(account, { remote, tables: { Todos: {} } });

  await another.once();

  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
  expect(await errorCode(sync.once())).toBe('TableSynced');
});

it.each([
  ['spk=p&epk=p', undefined],
  ['spk=p&epk=p', ['p', 'q']],
  ['spk=p&srk=1', ['p']],
])('is not synced with a signature for %s, which hides rows of %j', async (range, partitions) => {
  const cloud = await openCloud();
  const { account, sync, todos } = await openReplica(cloud, { partitions });
  for (const partitionKey of ['p', 'q']) await todos.createEntity({ partitionKey, rowKey: '0' });
  await sync.once();
  const fetch: typeof cloud.fetch = (url, init) => cloud.fetch(url.replace(/&sv=.*/, ''), init);
  const remote = { url: URL, sas: () => `sv=1&${range}&sig=abc`, fetch };
  const narrow = syncTables(account, { remote, tables: { Todos: { partitions } } });
  const before = cloud.sent.length;

  const { code, message } = await tableError(narrow.once());

  expect(code).toBe('AuthorizationFailure');
  expect(message).toContain('The signature covers only a range of keys.');
  expect(cloud.sent.length).toBe(before);
  expect(await rowsOf(todos)).toHaveLength(2);
});

it('is no copy if it has rows of its own', async () => {
  const { sync, todos } = await openReplica(await openCloud(), { direction: 'pull' });
  await todos.createEntity(row('1'));

  const error = await tableError(sync.once());

  expect(error.code).toBe('TableSynced');
  expect(error.message).toContain('entities of its own');
  expect(await rowsOf(todos)).toEqual([row('1')]);
});

it('pushes what any account of the store writes, once', async () => {
  const cloud = await openCloud();
  const storage = memoryStorage();
  const first = await openReplica(cloud, {}, { storage });
  const second = await openReplica(cloud, {}, { storage });
  first.sync.start();
  second.sync.start();

  for (let i = 0; i < 20; i++) {
    await [first, second][i % 2]!.todos.createEntity(row(String(i).padStart(2, '0'), { i }));
  }
  await first.sync.settled();
  await second.sync.settled();

  expect((await rowsOf(cloud.todos)).length).toBe(20);
  expect(await first.sync.conflicts('Todos')).toEqual([]);
  // All may be settled in the middle of a round, which counts the pending rows anew at its end.
  await first.sync.once();
  expect(first.sync.status).toMatchObject({ pending: 0, rejected: 0 });
});

// Returns whether the work was cut off.
async function crashAfter(survived: number): Promise<boolean> {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('1', { a: 1 }));
  const inner = memoryStorage();
  const storage = new WatchedStorage(inner);
  const before = await openReplica(cloud, {}, { storage });
  const commits = storage.commits.length;
  storage.onCommit = () =>
    storage.commits.length - commits > survived
      ? Promise.resolve({ outcome: 'refused', cause: new Error('crashed') })
      : undefined;
  const written: ReturnType<typeof row>[] = [];
  const write = async (entity: ReturnType<typeof row>) => {
    await before.todos.upsertEntity(entity, 'Merge');
    written.push(entity);
  };
  const work = async () => {
    await before.sync.once();
    await write(row('1', { b: 2 }));
    await write(row('2', { c: 3 }));
    await before.sync.once();
    await write(row('2', { d: 4 }));
  };
  await work().catch(() => {});

  // What was sent may take effect for two minutes.
  vi.setSystemTime(Date.now() + 150_000);
  const after = await openReplica(cloud, {}, { storage: inner });
  await after.sync.once();

  for (const entity of written) {
    expect(await cloud.todos.getEntity('p', entity.rowKey)).toMatchObject(entity);
  }
  expect(await rowsOf(after.todos)).toEqual(await rowsOf(cloud.todos));
  expect(await after.sync.pending('Todos')).toEqual([]);
  return written.length < 3;
}

it('goes on after a crash at any commit', { timeout: 60_000 }, async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  let commits = 1;
  while (await crashAfter(commits)) commits++;
  expect(commits).toBeGreaterThan(5);
});

it('pauses while the storage is full, and loses nothing', async () => {
  const cloud = await openCloud();
  const storage = new WatchedStorage();
  const { sync, todos } = await openReplica(cloud, {}, { storage });
  await sync.once();
  await todos.createEntity(row('1'));
  await cloud.todos.createEntity(row('2'));
  storage.onCommit = () =>
    Promise.resolve({ outcome: 'quota', cause: new DOMException('', 'QuotaExceededError') });

  expect(await errorCode(sync.once())).toBe('StorageQuotaExceeded');
  expect(sync.status).toMatchObject({ state: 'paused' });
  storage.onCommit = undefined;
  await sync.once();

  expect(await rowsOf(todos)).toEqual([row('1'), row('2')]);
  expect(await rowsOf(cloud.todos)).toEqual([row('1'), row('2')]);
});

it('reads synced tables with the module without sync, and refuses to write to them', async () => {
  const cloud = await openCloud();
  await cloud.todos.createEntity(row('1'));
  const storage = memoryStorage();
  const { sync } = await openReplica(cloud, {}, { storage });
  await sync.once();
  const plain = await openForTest({ storage });
  const todos = plain.tableClient('Todos');

  expect(await rowsOf(todos)).toEqual([row('1')]);
  expect(await errorCode(todos.createEntity(row('2')))).toBe('TableSynced');
  const remote = { url: URL, fetch: cloud.fetch };
  const other = syncTables(plain, { remote, tables: { Todos: {} } });
  expect(await errorCode(other.once())).toBe('NotImplemented');
});

it('tries again by itself when the network is back', { timeout: 30_000 }, async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  cloud.faults.push(lost, answerLost);
  sync.start();
  await todos.createEntity(row('1'));
  await vi.waitFor(() => expect(sync.status.state).toBe('offline'), 5000);

  globalThis.dispatchEvent?.(new Event('online'));
  await sync.settled();

  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
});

it('stops if the platform hides headers that it needs', async () => {
  const cloud = await openCloud();
  for (const rowKey of ['1', '2', '3']) await cloud.todos.createEntity(row(rowKey));
  // As a page of another origin sees answers.
  const exposing = (names: readonly string[]) => ({
    async fetch(url: string, request: RequestInit) {
      const answer = await cloud.fetch(url, request as never);
      const text = await answer.text();
      const get = (name: string) => (names.includes(name) ? answer.headers.get(name) : null);
      return { status: answer.status, type: 'cors', headers: { get }, text: async () => text };
    },
  });
  const hidden = await openReplica(exposing(['Content-Type']) as never);
  const half = await openReplica(exposing(['Date']) as never);

  for (const { sync, todos } of [hidden, half]) {
    expect(await errorCode(sync.once())).toBe('HeadersHidden');
    expect(sync.status.state).toBe('paused');
    expect(await rowsOf(todos)).toEqual([]);
  }
});

it('ends with its account', async () => {
  const cloud = await openCloud();
  const { sync, account } = await openReplica(cloud);
  sync.start();
  await account.close();
  await sync.stop();

  expect(sync.status.state).toBe('stopped');
});

it.each([
  [{ remote: { url: URL }, tables: {} }],
  [{ remote: { url: URL }, tables: { Todos: { conflict: 'mine' } } }],
  [{ remote: { url: URL }, tables: { Todos: { partition: ['a'] } } }],
  [{ remote: { url: URL }, tables: { Todos: {} }, interval: 5 }],
  [{ remote: { url: 'nowhere' }, tables: { Todos: {} } }],
  [{ tables: { Todos: {} } }],
])('refuses the options %j', async (options) => {
  const account = await openForTest({ storage: memoryStorage(), wasm: await syncWasmBytes() });
  expect(() => syncTables(account, options as never)).toThrow(
    expect.objectContaining({ code: 'InvalidInput' }),
  );
});
