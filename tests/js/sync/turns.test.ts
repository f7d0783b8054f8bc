// When rounds begin and end.

import { expect, it, onTestFinished, vi } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { syncTables } from '../../../js/src/sync.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { syncWasmBytes } from '../support/wasm.js';
import {
  lost,
  openCloud,
  openReplica,
  rowsOf,
  uncaughtErrors,
  URL,
  type Fault,
} from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

const answer =
  (status: number, type: string, body: string, headers: Record<string, string> = {}): Fault =>
  () =>
    Promise.resolve(new Response(body, { status, headers: { 'Content-Type': type, ...headers } }));

it.each([true, false])('a write begins a round; synced before: %s', async (isSynced) => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  if (isSynced) await sync.once();
  const before = cloud.sent.length;
  sync.start();
  await vi.waitFor(() => expect(cloud.sent.length).toBeGreaterThan(before), 5000);
  await vi.waitFor(() => expect(sync.status.state).toBe('idle'), 5000);

  await todos.createEntity(row('1'));

  await vi.waitFor(async () => expect(await rowsOf(cloud.todos)).toEqual([row('1')]), 5000);
});

it.each([
  ['60', 30_000],
  ['9999999', 30_000],
  ['Wed, 21 Oct 2099 07:28:00 GMT', 30_000],
  ['', Infinity],
])('no request comes before its time: Retry-After %s, interval %d', async (after, interval) => {
  const cloud = await openCloud();
  const account = await openForTest({ storage: memoryStorage(), wasm: await syncWasmBytes() });
  await account.createTable('Todos');
  let requests = 0;
  const fetch = async (url: string, init: unknown) => {
    requests++;
    if (after === '') return await cloud.fetch(url, init as never);
    return new Response('busy', { status: 503, headers: { 'Retry-After': after } });
  };
  const sync = syncTables(account, {
    remote: { url: URL, fetch },
    tables: { Todos: {} },
    interval,
  });
  onTestFinished(() => sync.stop());
  sync.start();
  await vi.waitFor(() => expect(['offline', 'idle']).toContain(sync.status.state), 5000);
  const before = requests;

  // A timer that overflows fires at once.
  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(requests).toBe(before);
});

it('waits as long as the service asks', async () => {
  const cloud = await openCloud();
  const { sync } = await openReplica(cloud);
  const headers = { 'Retry-After': '500' };
  cloud.faults.push(answer(503, 'text/plain', 'busy', headers));
  const timers = vi.spyOn(globalThis, 'setTimeout');
  onTestFinished(() => timers.mockRestore());

  sync.start();
  await vi.waitFor(() => expect(sync.status.state).toBe('offline'), 5000);

  await vi.waitFor(() => expect(timers.mock.calls.map(([, ms]) => ms)).toContain(500_000), 5000);
});

it('settled() waits with the sync, not in a loop of its own', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  cloud.faults.push(...Array(5).fill(answer(503, 'text/plain', 'busy', { 'Retry-After': '60' })));
  sync.start();
  await vi.waitFor(() => expect(sync.status.state).toBe('offline'), 5000);
  await todos.createEntity(row('1'));
  const settled = sync.settled();
  settled.catch(() => {});
  const before = cloud.sent.length;
  await new Promise((resolve) => setTimeout(resolve, 200));

  expect(cloud.sent.length - before).toBeLessThanOrEqual(1);
  await sync.stop();
  await expect(settled).rejects.toThrow('stopped');
});

it.each([
  [403, 'text/html', '<html>Please sign in</html>'],
  [400, 'text/html', '<html>Bad gateway</html>'],
  [413, 'text/plain', 'too large for this proxy'],
])('an answer %d that is not of the service rejects no row', async (status, type, body) => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud, { reconcile: 'never' });
  await sync.once();
  await todos.createEntity(row('1'));
  cloud.faults.push((_, next) => next(), answer(status, type, body));

  expect(await errorCode(sync.once())).toBe('StorageUnavailable');
  expect(sync.status).toMatchObject({ state: 'offline', pending: 1, rejected: 0 });
  await sync.once();

  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
});

it('once() that is stopped does not resolve', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  await todos.createEntity(row('1'));
  const before = sync.status.lastPull;
  let stopping: Promise<void> | undefined;
  cloud.faults.push((_, next) => {
    stopping = sync.stop();
    return next();
  });

  await expect(sync.once()).rejects.toThrow('stopped');

  await stopping;
  expect(sync.status.lastPull).toBe(before);
});

it('a listener that throws ends no round', async () => {
  const faults = uncaughtErrors();
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  sync.subscribe(() => {
    throw new Error('badge is gone');
  });
  await todos.createEntity(row('1'));

  await sync.once();

  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
  expect(faults[0]).toMatchObject({ message: 'badge is gone' });
});

it('forget() deletes nothing if any table has rows that are not pushed', async () => {
  const cloud = await openCloud();
  const account = await openForTest({ storage: memoryStorage(), wasm: await syncWasmBytes() });
  const remote = { url: URL, fetch: cloud.fetch };
  await account.createTable('Todos');
  await account.createTable('Notes');
  const sync = syncTables(account, { remote, tables: { Todos: {}, Notes: {} } });
  const [todos, notes] = [account.tableClient('Todos'), account.tableClient('Notes')];
  await todos.createEntity(row('1'));
  await sync.once();
  await notes.createEntity(row('2'));

  const error = await tableError(sync.forget());
  expect(error).toMatchObject({ code: 'TableSynced' });
  expect(error.message).toContain('"Notes"');
  expect(await rowsOf(todos)).toEqual([row('1')]);
  await sync.forget({ discard: true });
  await sync.forget();

  expect([...(await rowsOf(todos)), ...(await rowsOf(notes))]).toEqual([]);
});

it('calls before the first round work, and put no table under sync', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await todos.createEntity(row('1'));

  expect(await sync.conflicts('Todos')).toEqual([]);
  await sync.retry('Todos');
  expect(await sync.pending('Todos')).toEqual([]);
  expect(await errorCode(sync.discard('Todos', 'p', '1'))).toBe('InvalidInput');
  expect(await rowsOf(todos)).toEqual([row('1')]);
});

it('forget() deletes no rows that were never sent, unless it is told to', async () => {
  const { sync, todos } = await openReplica(await openCloud());
  await todos.createEntity(row('1'));

  expect(await errorCode(sync.forget())).toBe('TableSynced');
  await sync.forget({ keepRows: true });
  expect(await rowsOf(todos)).toEqual([row('1')]);
  await sync.forget({ discard: true });

  expect(await rowsOf(todos)).toEqual([]);
});

it('forget() forgets no conflict that is not confirmed', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await todos.createEntity(row('1', { v: 1 }));
  await sync.once();
  await todos.updateEntity(row('1', { v: 2 }));
  await cloud.todos.updateEntity(row('1', { v: 3 }));
  await sync.once();

  const error = await tableError(sync.forget({ keepRows: true }));
  expect(error.code).toBe('TableSynced');
  expect(error.message).toContain('conflicts that are not confirmed');
  const [conflict] = await sync.conflicts('Todos');
  await sync.confirm('Todos', conflict!.id);
  await sync.forget({ keepRows: true });
});

it('a table with rows that are not sent becomes no copy, which would delete them', async () => {
  const cloud = await openCloud();
  const { account, sync, todos } = await openReplica(cloud);
  await sync.once();
  await todos.createEntity(row('1'));
  const remote = { url: URL, fetch: cloud.fetch };
  const copy = syncTables(account, { remote, tables: { Todos: { direction: 'pull' } } });

  expect(await errorCode(copy.once())).toBe('TableSynced');
  expect(await errorCode(copy.forget())).toBe('TableSynced');
  expect(await rowsOf(todos)).toEqual([row('1')]);
  await sync.once();
  await copy.once();

  expect(await errorCode(todos.createEntity(row('2')))).toBe('TableReadOnly');
  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
});

it.each(['stop', 'forget'] as const)('%s() ends a settled() that waits', async (end) => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  await todos.createEntity(row('1'));
  cloud.faults.push((_, next) => next(), lost);
  await rejection(sync.once());
  // It waits for two minutes, because the insert may still arrive.
  await todos.deleteEntity('p', '1');
  const settled = rejection(sync.settled());
  await vi.waitFor(() => expect(sync.status.state).toBe('settling'), 5000);

  await (end === 'stop' ? sync.stop() : sync.forget({ discard: true }));
  const before = cloud.sent.length;

  expect(await settled).toMatchObject({ name: 'AbortError' });
  expect(cloud.sent.length).toBe(before);
  expect(sync.status.state).toBe('stopped');
});
