// The rows that are not pushed yet, told whenever they change.

import { expect, it, onTestFinished, vi } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { syncTables, type PendingRow } from '../../../js/src/sync.js';
import { openForTest } from '../support/accounts.js';
import { tableError } from '../support/rejection.js';
import {
  answerLost,
  lost,
  openCloud,
  openReplica,
  refusing,
  uncaughtErrors,
  URL,
  type Fault,
} from './support.js';

const row = (rowKey: string, partitionKey = 'p') => ({ partitionKey, rowKey });

type Sync = Awaited<ReturnType<typeof openReplica>>['sync'];

/** Collects what is told of a table until the test ends. */
function told(sync: Sync, onError?: (error: unknown) => void) {
  const all: string[] = [];
  const text = ({ rowKey, rejection }: PendingRow) => rowKey + (rejection ? ` ${rejection}` : '');
  const end = sync.subscribePending('Todos', (rows) => all.push(rows.map(text).join()), onError);
  onTestFinished(end);
  return { all, end, last: () => all.at(-1) };
}

/** Waits for what is told last. */
const sees = (last: () => string | undefined, text: string) =>
  vi.waitFor(() => expect(last()).toBe(text), 8000);

it('tells a write, the end of its push, a refusal, and what was taken back', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  const { last } = told(sync);
  await sees(last, '');

  await todos.createEntity(row('good'));
  await sees(last, 'good');
  await sync.once();
  await sees(last, '');
  await todos.createEntity(row('bad'));
  await sees(last, 'bad');
  cloud.faults.push(...refusing('bad'));
  await sync.once();
  await sees(last, 'bad InvalidInput: No.');
  await sync.discard('Todos', 'p', 'bad');
  await sees(last, '');
});

it('puts no table under sync', async () => {
  const { account, sync } = await openReplica(await openCloud());

  expect(await sync.pending('Todos')).toEqual([]);

  // A synced table cannot be deleted.
  await account.deleteTable('Todos');
});

it('has a row once that was written again after its answer was lost', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  await todos.createEntity(row('1'));
  cloud.faults.push((_, next) => next(), answerLost);
  await tableError(sync.once());
  await todos.updateEntity({ ...row('1'), n: 2 }, 'Merge');

  expect(await sync.pending('Todos')).toEqual([{ ...row('1'), rejection: undefined }]);
  expect(sync.status.pending).toBe(1);
});

it('tells that a refused row was written again', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  await todos.createEntity(row('bad'));
  cloud.faults.push(...refusing('bad'));
  await sync.once();
  const { last } = told(sync);
  await sees(last, 'bad InvalidInput: No.');

  await todos.upsertEntity({ ...row('bad'), n: 1 }, 'Replace');

  await sees(last, 'bad');
});

it('tells while a round is under way that rows were pushed', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud, { reconcile: 'never' });
  await sync.once();
  await todos.createEntity(row('1', 'p'));
  await todos.createEntity(row('2', 'q'));
  const { last } = told(sync);
  await sees(last, '1,2');
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const hold: Fault = async (request, next) => {
    if (/"RowKey":\s*"2"/.test(await request.clone().text())) await held;
    return await next();
  };
  cloud.faults.push(...Array<Fault>(10).fill(hold));

  const round = sync.once();

  await sees(last, '2');
  goOn();
  await round;
  await sees(last, '');
});

it('tells what another account of the store writes, and pushes', async () => {
  const cloud = await openCloud();
  const storage = memoryStorage();
  const here = await openReplica(cloud, {}, { storage });
  const there = await openReplica(cloud, {}, { storage });
  await here.sync.once();
  const { last } = told(here.sync);
  await sees(last, '');

  await there.todos.createEntity(row('1'));
  await sees(last, '1');
  await there.sync.once();
  await sees(last, '');
});

it('leaves out rows outside of the partitions that are synced', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud, { partitions: ['p'] });
  await sync.once();
  await todos.createEntity(row('out', 'q'));
  await todos.createEntity(row('in'));
  const { last } = told(sync);

  await sees(last, 'in');
});

it('rests 50 ms after each time that it has told rows', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  let next = (_: number) => {};
  onTestFinished(sync.subscribePending('Todos', ({ length }) => next(length)));
  const rows = (count: number) =>
    new Promise<void>((resolve) => (next = (length) => length === count && resolve()));
  await rows(0);
  const begun = performance.now();

  for (let count = 1; count <= 10; count++) {
    const isTold = rows(count);
    await todos.createEntity(row(String(count)));
    await isTold;
  }

  // A timer may be a little early.
  expect(performance.now() - begun).toBeGreaterThan(9 * 49);
});

it('puts no table under sync, and has no rows of one that is not', async () => {
  const cloud = await openCloud();
  const { account, sync, todos } = await openReplica(cloud);
  await todos.createEntity(row('1'));
  const { all, end, last } = told(sync);
  await sees(last, '');
  // A synced table cannot be deleted.
  const { session } = account;
  const step = { kind: 'syncTable', table: 'Todos', sync: '{"step":"status"}' } as const;
  await expect(session.request({ ...step, body: new Uint8Array() })).rejects.toMatchObject({
    message: 'The table is not synced.',
  });

  cloud.faults.push(lost);
  await sync.once().catch(() => {});
  await sees(last, '1');
  await sync.forget({ keepRows: true, discard: true });
  await sees(last, '');
  expect(all).toEqual(['', '1', '']);

  // Without an end, the deletion of the table would be reported as an error.
  end();
  await account.deleteTable('Todos');
});

it('tells nothing after it was ended, and ends with the account', async () => {
  const cloud = await openCloud();
  const { account, sync, todos } = await openReplica(cloud);
  await sync.once();
  const errors: unknown[] = [];
  const [ended, other] = [told(sync), told(sync, (error) => errors.push(error))];
  await sees(ended.last, '');

  ended.end();
  await todos.createEntity(row('1'));
  await sees(other.last, '1');
  await account.close();

  expect(ended.all).toEqual(['']);
  expect(errors).toEqual([]);
});

it('goes on when its function throws', async () => {
  const faults = uncaughtErrors();
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  let calls = 0;
  const end = sync.subscribePending('Todos', () => {
    calls++;
    throw new Error('the list is gone');
  });
  onTestFinished(end);
  await vi.waitFor(() => expect(calls).toBe(1), 5000);

  await todos.createEntity(row('1'));

  await vi.waitFor(() => expect(calls).toBe(2), 5000);
  expect(faults[0]).toMatchObject({ message: 'the list is gone' });
});

it('reports why it cannot go on', async () => {
  const cloud = await openCloud();
  const plain = await openForTest({ storage: memoryStorage() });
  await plain.createTable('Todos');
  const remote = { url: URL, fetch: cloud.fetch };
  const sync = syncTables(plain, { remote, tables: { Todos: {} } });

  const failed = new Promise((_, reject) => told(sync, reject));

  expect((await tableError(failed)).code).toBe('NotImplemented');
  expect(() => sync.subscribePending('None', () => {})).toThrow(
    expect.objectContaining({ code: 'InvalidInput' }),
  );
});

it('counts rows before the remote account has answered', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  await sync.once();
  await todos.createEntity(row('1'));
  let goOn!: () => void;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  cloud.faults.push(async (_, next) => {
    await held;
    return await next();
  });

  const round = sync.once();

  await vi.waitFor(() => expect(sync.status).toMatchObject({ state: 'syncing', pending: 1 }), 5000);
  goOn();
  await round;
  expect(sync.status.pending).toBe(0);
});
