// What is written on one side gets to the other.

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { exportAll, importAll } from '../../../js/src/archive.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { syncTables } from '../../../js/src/sync.js';
import { openForTest } from '../support/accounts.js';
import { errorCode, tableError } from '../support/rejection.js';
import { syncWasmBytes } from '../support/wasm.js';
import { answerLost, lost, openCloud, openReplica, rowsOf, URL } from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

describe('a synced table', () => {
  it('fetches what the remote account has, with exact types', async () => {
    const cloud = await openCloud();
    const entity = row('1', {
      text: 'milk',
      whole: { type: 'Double', value: '3' },
      big: 9_007_199_254_740_993n,
      at: { type: 'DateTime', value: '2024-02-29T12:30:00.1234567Z' },
      bytes: new Uint8Array([1, 2, 255]),
    });
    await cloud.todos.createEntity(entity);
    const { sync, todos } = await openReplica(cloud);

    await sync.once();

    const options = { typed: true } as const;
    const here = await todos.getEntity('p', '1', options);
    expect(here).toEqual(await cloud.todos.getEntity('p', '1', options));
  });

  it('sends inserts, updates and deletions, also in transactions', async () => {
    const cloud = await openCloud();
    await cloud.todos.createEntity(row('old', { n: 1 }));
    await cloud.todos.createEntity(row('gone', { n: 1 }));
    const { sync, todos } = await openReplica(cloud);
    await sync.once();

    await todos.createEntity(row('new', { n: 1.5 }));
    await todos.submitTransaction([
      ['update', row('old', { m: 2 }), 'Merge'],
      ['delete', row('gone')],
    ]);
    await sync.once();

    expect(await rowsOf(cloud.todos)).toEqual([row('new', { n: 1.5 }), row('old', { n: 1, m: 2 })]);
    expect(await sync.pending('Todos')).toEqual([]);
  });

  it('keeps the etag that the app has read', async () => {
    const cloud = await openCloud();
    const { sync, todos } = await openReplica(cloud);
    const { etag } = await todos.createEntity(row('1', { n: 1 }));
    await sync.once();

    await todos.updateEntity(row('1', { n: 2 }), 'Replace', { etag: etag! });
    await sync.once();

    expect(await rowsOf(cloud.todos)).toEqual([row('1', { n: 2 })]);
  });

  it('takes the rows with it that were there before', async () => {
    const cloud = await openCloud();
    const { sync, todos } = await openReplica(cloud);
    for (let i = 0; i < 250; i++) await todos.createEntity(row(String(i).padStart(3, '0'), { i }));

    await sync.once();

    expect(await rowsOf(cloud.todos)).toEqual(await rowsOf(todos));
  });

  it('finds out what was deleted in the remote account', async () => {
    const cloud = await openCloud();
    for (const rowKey of ['1', '2', '3']) await cloud.todos.createEntity(row(rowKey));
    const { sync, todos } = await openReplica(cloud);
    await sync.once();
    await cloud.todos.deleteEntity('p', '2');
    await cloud.todos.deleteEntity('p', '3');

    await sync.once();

    expect(await rowsOf(todos)).toEqual([row('1')]);
  });

  it('merges what both sides changed, and keeps the conflict until it is confirmed', async () => {
    const cloud = await openCloud();
    await cloud.todos.createEntity(row('1', { a: 1, b: 1, c: 1 }));
    const { sync, todos } = await openReplica(cloud);
    await sync.once();
    await cloud.todos.updateEntity(row('1', { a: 2, c: 2 }), 'Merge');
    await todos.updateEntity(row('1', { b: 3, c: 3 }), 'Merge');

    await sync.once();

    const merged = row('1', { a: 2, b: 3, c: 2 });
    expect(await rowsOf(todos)).toEqual([merged]);
    expect(await rowsOf(cloud.todos)).toEqual([merged]);
    const [conflict, ...others] = await sync.conflicts('Todos');
    expect(others).toEqual([]);
    expect(conflict).toMatchObject({
      table: 'Todos',
      base: row('1', { a: 1, b: 1, c: 1 }),
      local: row('1', { a: 1, b: 3, c: 3 }),
      remote: row('1', { a: 2, b: 1, c: 2 }),
      result: merged,
    });
    await sync.confirm('Todos', conflict!.id);
    expect(await sync.conflicts('Todos')).toEqual([]);
  });

  it('asks the app, whose numbers stay of their type', async () => {
    const cloud = await openCloud();
    await cloud.todos.createEntity(row('1', { price: { type: 'Double', value: '3' }, n: 1 }));
    const { sync, todos } = await openReplica(cloud, {
      conflict: ({ local, remote }) => ({ ...remote!, n: Number(local!['n']) + 10 }),
    });
    await sync.once();
    await cloud.todos.updateEntity(row('1', { n: 2 }), 'Merge');
    await todos.updateEntity(row('1', { n: 3 }), 'Merge');

    await sync.once();

    const typed = await cloud.todos.getEntity('p', '1', { typed: true });
    expect(typed).toMatchObject({
      price: { type: 'Double', value: 3 },
      n: { type: 'Int32', value: 13 },
    });
  });

  it('leaves the rows as they are while the resolver throws', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const cloud = await openCloud();
    await cloud.todos.createEntity(row('1', { n: 1 }));
    let isReady = false;
    const { sync, todos } = await openReplica(cloud, {
      conflict: () => {
        if (!isReady) throw new Error('not now');
        return null;
      },
    });
    await sync.once();
    await cloud.todos.updateEntity(row('1', { n: 2 }), 'Merge');
    await todos.updateEntity(row('1', { n: 3 }), 'Merge');

    await expect(sync.once()).rejects.toThrow('not now');
    expect(await rowsOf(todos)).toEqual([row('1', { n: 3 })]);
    isReady = true;
    // Repeated conflicts of a row back off.
    vi.setSystemTime(Date.now() + 10_000);
    await sync.once();

    expect(await rowsOf(todos)).toEqual([]);
    expect(await rowsOf(cloud.todos)).toEqual([]);
  });

  it('is offline while the credential cannot be fetched', async () => {
    const cloud = await openCloud();
    const { account } = await openReplica(cloud);
    let isOnline = false;
    const sas = () => {
      if (!isOnline) return Promise.reject(new TypeError('Failed to fetch'));
      return Promise.resolve('sig=c2ln');
    };
    const remote = { url: URL, fetch: cloud.fetch, sas };
    const sync = syncTables(account, { remote, tables: { Todos: {} } });

    expect(await errorCode(sync.once())).toBe('StorageUnavailable');
    expect(sync.status.state).toBe('offline');
    isOnline = true;
    await sync.once();
    expect(sync.status.state).toBe('idle');
  });

  it.each([
    [{ partitions: [] }, 'partitions'],
    [{ conflict: 'newest' }, 'conflict'],
  ])('refuses the options %o of a table', async (options, name) => {
    const { account } = await openReplica(await openCloud());
    const tables = { Todos: options as never };

    const error = await tableError(
      (async () => syncTables(account, { remote: { url: URL }, tables }))(),
    );

    expect(error.code).toBe('InvalidInput');
    expect(error.message).toContain(name);
  });

  it('does not lose a write, and does not write twice, when an answer is lost', async () => {
    const cloud = await openCloud();
    const { sync, todos } = await openReplica(cloud);
    await sync.once();
    await todos.createEntity(row('1', { n: 1 }));
    cloud.faults.push((_, next) => next(), answerLost);

    expect(await errorCode(sync.once())).toBe('StorageUnavailable');
    expect(sync.status).toMatchObject({ state: 'offline', pending: 1 });
    await todos.updateEntity(row('1', { n: 2 }), 'Merge');
    await sync.once();

    expect(await rowsOf(cloud.todos)).toEqual([row('1', { n: 2 })]);
    expect(await sync.conflicts('Todos')).toEqual([]);
    expect(sync.status).toMatchObject({ state: 'idle', pending: 0 });
  });

  it('goes on where an interrupted pull ended', async () => {
    const cloud = await openCloud();
    const entities = Array.from({ length: 2500 }, (_, i) => row(String(i).padStart(4, '0'), { i }));
    await cloud.todos.importEntities(entities);
    const { sync, todos } = await openReplica(cloud);
    cloud.faults.push((_, next) => next(), lost);
    await sync.once().catch(() => {});
    expect((await rowsOf(todos)).length).toBe(1000);
    const before = cloud.sent.length;

    await sync.once();

    expect((await rowsOf(todos)).length).toBe(2500);
    expect(cloud.sent[before]!.url).toContain('NextRowKey');
  });

  it('reports rows that the remote account refuses, and takes them back on demand', async () => {
    const cloud = await openCloud();
    const { sync, todos } = await openReplica(cloud);
    await sync.once();
    await todos.createEntity(row('good'));
    await todos.createEntity(row('bad', { n: 1 }));
    const refuse = async (request: Request, next: () => Promise<Response>) => {
      const text = await request.clone().text();
      if (!text.includes('bad')) return await next();
      const body = JSON.stringify({
        'odata.error': { code: 'InvalidInput', message: { value: 'No.' } },
      });
      return new Response(body, { status: 400, headers: { 'Content-Type': 'application/json' } });
    };
    cloud.faults.push(...Array.from({ length: 8 }, () => refuse));

    await sync.once();

    expect(await rowsOf(cloud.todos)).toEqual([row('good')]);
    expect(await sync.pending('Todos')).toEqual([
      { partitionKey: 'p', rowKey: 'bad', rejection: 'InvalidInput: No.' },
    ]);
    expect(sync.status).toMatchObject({ rejected: 1, pending: 0 });
    expect((await tableError(sync.settled())).code).toBe('RowsRejected');
    await sync.discard('Todos', 'p', 'bad');
    expect(await rowsOf(todos)).toEqual([row('good')]);
  });

  it('pushes only the partitions that are synced', async () => {
    const cloud = await openCloud();
    await cloud.todos.createEntity({ partitionKey: 'other', rowKey: '1' });
    const { sync, todos } = await openReplica(cloud, { partitions: ['p'] });
    await todos.createEntity(row('1'));
    await todos.createEntity({ partitionKey: 'q', rowKey: '1' });

    await sync.once();
    await sync.settled();

    expect(await rowsOf(cloud.todos)).toEqual([{ partitionKey: 'other', rowKey: '1' }, row('1')]);
    expect(sync.status).toMatchObject({ pending: 0, outside: 1 });
  });

  it('creates the remote table if it was never there, and pauses if it was deleted', async () => {
    const cloud = await openCloud();
    await cloud.local.deleteTable('Todos');
    const { sync, todos } = await openReplica(cloud);
    await todos.createEntity(row('1'));

    await sync.once();
    expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
    await cloud.local.deleteTable('Todos');

    expect(await errorCode(sync.once())).toBe('TableNotFound');
    expect(sync.status).toMatchObject({ state: 'paused' });
    expect(await rowsOf(todos)).toEqual([row('1')]);
  });

  it('starts with an archive, and fetches what changed after it', async () => {
    const cloud = await openCloud();
    const entities = Array.from({ length: 50 }, (_, i) => row(String(i).padStart(4, '0'), { i }));
    await cloud.todos.importEntities(entities);
    const archivedAt = new Date(Date.now() - 1000);
    const account = await openForTest({
      storage: memoryStorage(),
      wasm: await syncWasmBytes(),
    });
    await importAll(account, exportAll(cloud.local));
    await cloud.todos.updateEntity(row('0007', { i: 700 }), 'Merge');
    const sync = syncTables(account, {
      remote: { url: URL, fetch: cloud.fetch },
      tables: { Todos: { direction: 'pull', archivedAt } },
    });

    await sync.once();

    const todos = account.tableClient('Todos');
    expect(await rowsOf(todos)).toEqual(await rowsOf(cloud.todos));
    expect(cloud.sent[0]!.url).toContain('Timestamp');
    expect(await errorCode(todos.createEntity(row('x')))).toBe('TableReadOnly');
  });

  it('forgets everything on demand, but not rows that are not pushed', async () => {
    const cloud = await openCloud();
    const { sync, todos, account } = await openReplica(cloud);
    await sync.once();
    await todos.createEntity(row('1'));

    expect(await errorCode(sync.forget())).toBe('TableSynced');
    await sync.once();
    await sync.forget({ keepRows: true });
    expect(await rowsOf(todos)).toEqual([row('1')]);
    await account.deleteTable('Todos');
  });

  it('asks for one page when there is nothing to do', async () => {
    const cloud = await openCloud();
    await cloud.todos.createEntity(row('1'));
    const { sync } = await openReplica(cloud, { reconcile: 'never' });
    await sync.once();
    const before = cloud.sent.length;

    await sync.once();

    expect(cloud.sent.length - before).toBe(1);
  });
});

it('tells how many rows a round has fetched and sent so far', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  for (const rowKey of ['1', '2', '3'])
    await cloud.todos.createEntity({ partitionKey: 'p', rowKey });
  for (const rowKey of ['4', '5']) await todos.createEntity({ partitionKey: 'p', rowKey });
  const told: unknown[] = [];
  sync.subscribe(({ progress }) => told.push(progress));

  await sync.once();

  expect(told).toContainEqual({ table: 'Todos', rows: 3, sent: 0 });
  expect(told).toContainEqual({ table: 'Todos', rows: 3, sent: 2 });
  expect(told.at(-1)).toBeUndefined();
});
