import { beforeEach, describe, expect, it } from 'vitest';

import type { StatusListener, StoreStatus } from '../../../js/src/storage/page-storage.js';

import { FakeCore } from '../support/fake-core.js';
import { WatchedStorage } from '../support/storages.js';
import {
  batch,
  core,
  operation,
  session,
  storage,
  useStorage,
  useSession,
} from '../support/session.js';

useSession();

describe('the status of a session', () => {
  let listeners: StatusListener[];
  let statuses: StoreStatus[];

  beforeEach(() => {
    listeners = [];
    statuses = [];
    const listening = Object.assign(new WatchedStorage(), {
      onStatus(listener: StatusListener) {
        listeners.push(listener);
        return () => void listeners.splice(listeners.indexOf(listener), 1);
      },
    });
    useStorage(listening);
    session.onStatus((status) => statuses.push(status));
  });

  const isFresh = async () => {
    core.frames.length = 0;
    core.steps.push(FakeCore.success(++requests));
    await session.request(operation);
    return (core.frames[0]![2]! & 2) !== 0;
  };
  let requests: number;
  beforeEach(() => void (requests = 0));

  it('comes from the storage, in a new turn of the event loop', async () => {
    listeners[0]!('lost');
    expect(statuses).toEqual([]);
    await Promise.resolve();

    expect(statuses).toEqual(['lost']);
  });

  it('reports a commit without room', async () => {
    storage.onCommit = async () => ({ outcome: 'quota' });
    core.steps.push({ kind: 'commit', id: 7, batch }, FakeCore.success(1));
    await session.request(operation);
    await session.close();

    expect(statuses).toEqual(['quota']);
  });

  it('does not reach removed listeners, and ends with the session', async () => {
    const stop = session.onStatus(() => statuses.push('lost'));
    stop();
    listeners[0]!('reconnected');
    await session.close();

    expect(statuses).toEqual(['reconnected']);
    expect(listeners).toEqual([]);
  });

  it('refreshes with the next read, when the page is back', async () => {
    expect(await isFresh()).toBe(false);
    listeners[0]!('resumed');

    expect(await isFresh()).toBe(true);
    expect(await isFresh()).toBe(false);
  });
});
