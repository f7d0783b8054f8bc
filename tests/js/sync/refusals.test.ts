// What sync does when the remote account refuses what it sends, or when it sends it too late.

import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { syncTables } from '../../../js/src/sync.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import { syncWasmBytes } from '../support/wasm.js';
import { WatchedStorage } from '../support/storages.js';
import {
  advance,
  isPush,
  openBehind,
  openCloud,
  openReplica,
  refusal,
  rowsOf,
  type Cloud,
  URL,
} from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
});

it('rejects rows that 403 refuses also with fresh credentials, and goes on with pulls', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openBehind(cloud, (request, next) =>
    isPush(request) ? refusal(403, 'AuthorizationPermissionMismatch') : next(),
  );
  await todos.createEntity(row('ours'));
  await cloud.todos.createEntity(row('theirs'));

  await sync.once();

  expect(await sync.pending('Todos')).toMatchObject([
    { rowKey: 'ours', rejection: expect.stringContaining('AuthorizationPermissionMismatch') },
  ]);
  expect(await rowsOf(todos)).toHaveLength(2);
});

it('pauses when 401 refuses a push, and keeps the rows', async () => {
  const cloud = await openCloud();
  let isRefused = true;
  const { sync, todos } = await openBehind(cloud, (request, next) =>
    isRefused && isPush(request) ? refusal(401, 'AuthenticationFailed') : next(),
  );
  await todos.createEntity(row('1'));

  expect((await tableError(sync.once())).code).toBe('AuthenticationFailed');
  expect(sync.status.state).toBe('paused');
  isRefused = false;
  await sync.once();
  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
});

it('sends rejected rows again when the app asks for it, also deletions', async () => {
  const cloud = await openCloud();
  let isRefused = false;
  const { sync, todos } = await openBehind(cloud, (request, next) =>
    isRefused && isPush(request) ? refusal(403, 'AuthorizationPermissionMismatch') : next(),
  );
  await todos.createEntity(row('gone'));
  await sync.once();
  isRefused = true;
  await todos.deleteEntity('p', 'gone');
  await todos.createEntity({ partitionKey: 'q', rowKey: 'new' });
  await sync.once();
  isRefused = false;
  await sync.once();
  expect(sync.status).toMatchObject({ pending: 0, rejected: 2 });

  await sync.retry('Todos');
  expect(sync.status).toMatchObject({ pending: 2, rejected: 0 });
  await sync.once();

  expect(await rowsOf(cloud.todos)).toEqual([{ partitionKey: 'q', rowKey: 'new' }]);
});

// As the emulator answers a transaction without permission.
const XML =
  '<?xml version="1.0"?><error xmlns="http://schemas.microsoft.com/ado/2007/08/dataservices/metadata">' +
  '<code>AuthorizationFailure</code><message xml:lang="en-US">Not for ?sv=1&amp;sig=SIGNATURE.' +
  '\nRequestId:1\nTime:2026-01-01T00:00:00Z</message></error>';

it.each(['abc%3D', 'abc=', 'abc%253D'])(
  'keeps the error of a refusal in XML, without its signature %s and its request',
  async (shown) => {
    const cloud = await openCloud();
    const account = await openForTest({ storage: memoryStorage(), wasm: await syncWasmBytes() });
    await account.createTable('Todos');
    const fetch: Cloud['fetch'] = (url, init) => {
      const path = String(url).replace(/[?&]sv=.*/, '');
      if (init.method !== 'POST') return cloud.fetch(path, init);
      return Promise.resolve(new Response(XML.replace('SIGNATURE', shown), { status: 403 }));
    };
    const remote = { url: URL, sas: 'sv=1&sig=abc%3D', fetch };
    const sync = syncTables(account, { remote, tables: { Todos: {} } });
    await account.tableClient('Todos').createEntity(row('1'));

    await sync.once();

    const [{ rejection = '' } = {}] = await sync.pending('Todos');
    expect(rejection).toMatch(/^AuthorizationFailure: Not for \?sv=1&amp;sig=…\.$/);
  },
);

it('sends an edit of a row that was deleted there within the same round', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await todos.createEntity(row('1', { v: 1 }));
  await sync.once();
  await todos.updateEntity(row('1', { v: 2 }));
  await cloud.todos.deleteEntity('p', '1');

  await sync.once();

  expect(await rowsOf(cloud.todos)).toEqual([row('1', { v: 2 })]);
  expect(sync.status.pending).toBe(0);
});

it('sends nothing long after it has stored that it sends it', async () => {
  const cloud = await openCloud();
  const storage = new WatchedStorage();
  let [storedAt, delays] = [0, 0];
  const ages: number[] = [];
  const fetch: Cloud['fetch'] = (url, init) => {
    if (init.method === 'POST') ages.push(Date.now() - storedAt);
    return cloud.fetch(url, init);
  };
  const { sync, todos } = await openReplica({ fetch }, { reconcile: 'never' }, { storage });
  await sync.once();
  await todos.createEntity(row('1'));
  // As if the page was frozen after each of the next commits.
  storage.onCommit = () => {
    storedAt = Date.now();
    if (delays++ < 2) advance(1);
    return undefined;
  };
  await sync.once();

  expect(delays).toBeGreaterThan(2);
  expect(ages).toHaveLength(1);
  expect(ages[0]).toBeLessThan(30_000);
  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
});

it('sends what an earlier request was in doubt about, after the clock was set back', async () => {
  const year = 365 * 24 * 60;
  const cloud = await openCloud();
  advance(year);
  let isLost = true;
  const { sync, todos } = await openBehind(cloud, async (request, next) => {
    const answer = await next();
    if (isLost && isPush(request)) throw new TypeError('Failed to fetch');
    return answer;
  });
  await todos.createEntity(row('1'));
  await tableError(sync.once());
  await todos.deleteEntity('p', '1');
  isLost = false;

  advance(-year);
  await sync.once();
  advance(3);
  await sync.once();

  expect(await sync.pending('Todos')).toEqual([]);
  expect(await rowsOf(cloud.todos)).toEqual([]);
});

it('tries a conflict again after the clock was set back', async () => {
  const cloud = await openCloud();
  let isUndecided = true;
  const { sync, todos } = await openReplica(cloud, {
    conflict: ({ local }) => {
      if (isUndecided) throw new Error('ask me later');
      return local!;
    },
  });
  await todos.createEntity(row('1', { v: 1 }));
  await sync.once();
  await todos.updateEntity(row('1', { v: 2 }));
  await cloud.todos.updateEntity(row('1', { v: 3 }));
  advance(60);
  await expect(sync.once()).rejects.toThrow('ask me later');
  isUndecided = false;

  advance(-60);
  await sync.once();

  expect(await rowsOf(cloud.todos)).toEqual([row('1', { v: 2 })]);
});

it.each([
  [new Error('signed out'), 'paused', 'signed out'],
  [new TypeError('Failed to fetch'), 'offline', 'No answer was received'],
])('a credential that cannot be fetched: %s makes it %s', async (reason, state, text) => {
  const cloud = await openCloud();
  const account = await openForTest({ storage: memoryStorage(), wasm: await syncWasmBytes() });
  await account.createTable('Todos');
  const remote = { url: URL, sas: () => Promise.reject<string>(reason), fetch: cloud.fetch };
  const sync = syncTables(account, { remote, tables: { Todos: {} } });

  await expect(sync.once()).rejects.toThrow(text);

  expect(sync.status).toMatchObject({ state, error: { message: expect.stringContaining(text) } });
});

it('takes archivedAt for a copy alone', async () => {
  const cloud = await openCloud();

  await expect(openReplica(cloud, { archivedAt: new Date() })).rejects.toThrow('archivedAt');
});
