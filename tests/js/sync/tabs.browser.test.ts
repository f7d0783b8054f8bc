// Tabs that share a store, in a browser, which has locks.

import { expect, it, onTestFinished, vi } from 'vitest';

import { memoryStorage } from '../../../js/src/storage/memory.js';
import { advance, openCloud, openReplica, rowsOf, type Cloud } from './support.js';

/** Two accounts of one store that are synced. The requests of the first one wait for `release`. */
async function openTabs() {
  const cloud = await openCloud();
  await cloud.todos.createEntity({ partitionKey: 'p', rowKey: '1' });
  const storage = memoryStorage();
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const counts = { first: 0, second: 0 };
  const counted =
    (name: keyof typeof counts): Cloud['fetch'] =>
    async (url, init) => {
      counts[name]++;
      if (name === 'first') await released;
      return await cloud.fetch(url, init);
    };
  const first = await openReplica({ fetch: counted('first') }, {}, { storage });
  const second = await openReplica({ fetch: counted('second') }, {}, { storage });
  onTestFinished(release);
  first.sync.start();
  await vi.waitFor(() => expect(counts.first).toBe(1), 10_000);
  await second.todos.createEntity({ partitionKey: 'p', rowKey: 'mine' });
  const told: string[] = [];
  second.sync.subscribe(({ state, pending }) => told.push(`${state} ${pending}`));
  second.sync.start();
  await vi.waitFor(() => expect(second.sync.status.state).toBe('waiting'), 10_000);
  return { first, second, counts, release, told };
}

it('takes turns: a tab waits while another one has a round', async () => {
  const { first, second, counts, release, told } = await openTabs();
  expect(counts.second).toBe(0);
  expect(told).toEqual(['stopped 0', 'waiting 1']);

  release();

  await vi.waitFor(() => expect(second.sync.status.state).toBe('idle'), 10_000);
  expect(counts.second).toBeGreaterThan(0);
  expect(await rowsOf(first.todos)).toHaveLength(2);
});

it('takes the turn of a tab that has had it for more than two minutes', async () => {
  const { second, counts } = await openTabs();
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());

  advance(3);

  await vi.waitFor(() => expect(second.sync.status.state).toBe('idle'), 10_000);
  expect(counts.first).toBe(1);
  expect(await rowsOf(second.todos)).toHaveLength(2);
});
