// Sync that was started goes on by itself.

import { expect, it, onTestFinished, vi } from 'vitest';

import { answerLost, lost, openCloud, openReplica, rowsOf } from './support.js';

const row = (rowKey: string, rest: object = {}) => ({ partitionKey: 'p', rowKey, ...rest });

it('pushes soon after a write, and waits until all is settled', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  sync.start();
  await todos.createEntity(row('1'));

  await sync.settled();

  expect(await rowsOf(cloud.todos)).toEqual([row('1')]);
  await todos.createEntity(row('2'));
  await vi.waitFor(async () => expect((await rowsOf(cloud.todos)).length).toBe(2), 5000);
});

it('tells its status', async () => {
  const cloud = await openCloud();
  const { sync, todos } = await openReplica(cloud);
  const states: string[] = [];
  const unsubscribe = sync.subscribe(({ state }) => states.push(state));
  await todos.createEntity(row('1'));
  await sync.once();
  unsubscribe();
  await sync.once();

  expect(states[0]).toBe('stopped');
  expect(states).toContain('syncing');
  expect(states.at(-1)).toBe('idle');
  expect(sync.status.lastPull).toBeInstanceOf(Date);
});

it(
  'comes to the end of a list of keys that takes longer than a round',
  { timeout: 30_000 },
  async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const cloud = await openCloud();
    await cloud.todos.importEntities(Array.from({ length: 2100 }, (_, i) => row(String(i))));
    const slow: typeof cloud.fetch = (url, request) => {
      const isOfKeys = String(url).includes('select');
      if (isOfKeys) vi.setSystemTime(Date.now() + 12_000);
      return cloud.fetch(url, request);
    };
    const { sync, todos } = await openReplica({ fetch: slow }, { reconcile: 'poll' });
    await sync.once();
    await cloud.todos.deleteEntity('p', '7');

    sync.start();

    await vi.waitFor(async () => expect(await todos.countEntities()).toBe(2099), 20_000);
  },
);

// A small model: three replicas and another client write at random, and the network loses
// requests and answers. In the end all are equal, and nothing waits.
it.each(Array.from({ length: 12 }, (_, i) => i))(
  'converges: schedule %d',
  { timeout: 60_000 },
  async (seed) => {
    let state = seed * 7919;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const cloud = await openCloud();
    const replicas = [await openReplica(cloud), await openReplica(cloud), await openReplica(cloud)];
    const tables = [...replicas.map(({ todos }) => todos), cloud.todos];
    let value = 0;
    for (let turn = 0; turn < 120; turn++) {
      const todos = tables[random(tables.length)]!;
      const rowKey = String(random(5));
      const what = random(10);
      if (what < 5) {
        await todos.upsertEntity(row(rowKey, { [`p${random(3)}`]: ++value }), 'Merge');
      } else if (what < 6) {
        await todos.deleteEntity('p', rowKey).catch(() => {});
      } else {
        if (random(3) === 0) cloud.faults.push([lost, answerLost][random(2)]!);
        await replicas[random(replicas.length)]!.sync.once().catch(() => {});
      }
    }
    cloud.faults.length = 0;
    for (let round = 0; round < 6; round++) {
      // A request of unknown outcome may take effect for two minutes.
      vi.setSystemTime(Date.now() + 150_000);
      for (const { sync } of replicas) await sync.once();
    }

    const rows = await rowsOf(cloud.todos);
    for (const { todos, sync } of replicas) {
      expect(await rowsOf(todos)).toEqual(rows);
      expect(await sync.pending('Todos')).toEqual([]);
    }
  },
);
