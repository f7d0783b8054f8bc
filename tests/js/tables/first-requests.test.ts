import { afterEach, expect, it, vi } from 'vitest';

import { Session } from '../../../js/src/core/session.js';
import { openAccount } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { WatchedStorage } from '../support/storages.js';
import { tasks } from './tasks.js';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('sends the requests of the app first, and brings indexes up to date after their answers', async () => {
  const storage = new WatchedStorage();
  const requests = vi.spyOn(Session.prototype, 'request');
  const kinds = () => requests.mock.calls.map(([{ kind }]) => kind);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const account = await openAccount({ storage, tables: { tasks } });
  let goOn!: () => void;
  const slow = new Promise<void>((resolve) => (goOn = resolve));
  storage.onRead = (request) => slow.then(() => storage.inner.read(request));

  const listing = account.tables.tasks.list({ orderBy: 'due', limit: 50 });
  await vi.advanceTimersByTimeAsync(10_000);

  expect(kinds()).toEqual(['queryOrdered']);
  goOn();
  expect(await listing).toEqual([]);
  await account.ready;
  expect(kinds().slice(1)).toContain('setTableIndexes');
  await account.close();
});

it('does not wait for a live list, which asks for changes until there are some', async () => {
  const storage = memoryStorage();
  const before = await openAccount({ storage, tables: { tasks } });
  await before.ready;
  // The script of live views is there from now on.
  await before.tables.tasks.live({})[Symbol.asyncIterator]().next();
  const requests = vi.spyOn(Session.prototype, 'request');
  const kinds = () => requests.mock.calls.map(([{ kind }]) => kind);
  const account = await openAccount({ storage, tables: { tasks } });

  const live = account.tables.tasks.live({});
  const stop = live.subscribe(() => undefined);

  await vi.waitFor(() => expect(kinds()).toContain('setTableIndexes'), 5000);
  expect(kinds().indexOf('awaitChanges')).toBeLessThan(kinds().indexOf('setTableIndexes'));
  stop();
  await Promise.all([account.close(), before.close()]);
});
