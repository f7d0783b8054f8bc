// The results for Svelte that show a sync, and a sync as a store.

import { flushSync, mount, unmount } from 'svelte';
import { describe, expect, onTestFinished, test } from 'vitest';

import type { AccountSource, SyncSource } from '../../../js/src/svelte.js';
import { followersOf, makePlace } from './support.js';
import Store from './svelte/sync-store.svelte';
import Synced from './svelte/synced.svelte';
import { expectStates, listenersOf, openSynced, todo } from './sync-support.js';

interface Props {
  readonly account?: AccountSource;
  readonly sync: SyncSource;
  readonly table?: string;
}

function render(of: typeof Synced, props: Props) {
  const place = makePlace();
  const component = mount(of, { target: place, props });
  let isMounted = true;
  const end = () => {
    if (isMounted) void unmount(component);
    isMounted = false;
  };
  onTestFinished(end);
  const set = (sync: SyncSource) => flushSync(() => component.set({ sync }));
  return { set, end, text: () => place.textContent.trim() };
}

describe('the results for Svelte', () => {
  test('show a sync and the states of rows', async () => {
    const synced = await openSynced();
    const { text } = render(Synced, synced);

    await expectStates(synced, () => text().replace(/;.*/, ''));
  });

  test('show a sync that comes later, and another one', async () => {
    const [one, other] = [await openSynced(), await openSynced()];
    await one.sync.once();
    await other.sync.once();
    await other.todos.createEntity(todo('a'));
    const { set, text } = render(Synced, { account: other.account, sync: undefined });
    await expect.poll(text).toBe('stopped 0 0,a;false');

    set(one.sync);
    await expect.poll(text).toBe('idle 0 0,a;true');
    set(other.sync);
    await expect.poll(text).toBe('idle 0 0,a pending;true');
    set(undefined);
    await expect.poll(text).toBe('stopped 0 0,a;false');
  });

  test('listen no longer than the component is mounted', async () => {
    const { account, sync } = await openSynced();
    await sync.once();
    const [listeners, followers] = [listenersOf(sync), followersOf(account)];
    const { end, text } = render(Synced, { account, sync });
    await expect.poll(text).toBe('idle 0 0;true');
    await expect.poll(followers).toBe(2);

    end();

    await expect.poll(followers).toBe(0);
    await expect.poll(listeners).toBe(0);
  });

  test('throw when the table is not one of the sync', async () => {
    const { account, sync, todos } = await openSynced();
    await todos.createEntity(todo('a'));
    const { text } = render(Synced, { account, sync, table: 'None' });

    await expect.poll(text).toBe('InvalidInput');
  });

  test('take a sync as a store, whose value is the status', async () => {
    const { sync } = await openSynced();
    const listeners = listenersOf(sync);
    const { end, text } = render(Store, { sync });
    await expect.poll(text).toBe('stopped');

    await sync.once();
    await expect.poll(text).toBe('idle');
    end();
    await expect.poll(listeners).toBe(0);
    await expect.poll(render(Store, { sync: undefined }).text).toBe('');
  });
});
