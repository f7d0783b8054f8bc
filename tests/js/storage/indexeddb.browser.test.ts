import { describe, expect, it, vi } from 'vitest';

import { deleteAccount } from '../../../js/src/index.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { Batch, CommitResult } from '../../../js/src/storage/page-storage.js';
import { tableError } from '../support/rejection.js';
import {
  watchConnections,
  failNextRequest,
  watchOrder,
  failNextCommit,
  record,
  name,
  storage,
  has,
  useWatchedIndexedDb,
} from '../support/watched-indexeddb.js';

useWatchedIndexedDb();

describe('indexedDbStorage', () => {
  it.each([
    [30, /VersionError.*Another library|VersionError.*another library/],
    [1, /has other object stores than those of Entitable: "friends"\. Another library/],
  ])('names and keeps a database of another library, version %i', async (version, message) => {
    const foreign = `${name}-foreign-${version}`;
    await new Promise<void>((resolve) => {
      const request = indexedDB.open(foreign, version);
      request.onupgradeneeded = () => request.result.createObjectStore('friends');
      request.onsuccess = () => resolve(request.result.close());
    });

    const wanted = expect.stringMatching(message) as string;
    const reading = tableError(indexedDbStorage(foreign).read({ keys: [] }));
    expect(await reading).toMatchObject({ code: 'StorageUnavailable', message: wanted });
    expect((await tableError(deleteAccount(foreign))).message).toEqual(wanted);
    expect((await indexedDB.databases()).map((database) => database.name)).toContain(foreign);
    indexedDB.deleteDatabase(foreign);
  });

  it('touches nothing before its first use', async () => {
    expect((await indexedDB.databases()).map((database) => database.name)).not.toContain(name);
  });

  it('commits a record with one add, in one transaction over the log alone', async () => {
    await storage.read({ keys: [] });
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');
    const add = vi.spyOn(IDBObjectStore.prototype, 'add');
    const get = vi.spyOn(IDBObjectStore.prototype, 'get');
    const commit = vi.spyOn(IDBTransaction.prototype, 'commit');

    await storage.commit(record(1));

    expect(transaction.mock.calls).toEqual([[['log'], 'readwrite', { durability: 'relaxed' }]]);
    expect(add).toHaveBeenCalledOnce();
    expect(get).not.toHaveBeenCalled();
    expect(commit).toHaveBeenCalledOnce();
  });

  it('puts a long batch in several turns, and stores all of it or nothing', async () => {
    const PAGE = 60 * 1024;
    await storage.read({ keys: [] });
    // The bytes of each turn: a task ends with its microtasks.
    const turns: number[] = [];
    let isInTurn = false;
    const { put } = IDBObjectStore.prototype;
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value: Uint8Array,
      key,
    ) {
      if (!isInTurn) {
        turns.push(0);
        isInTurn = true;
        queueMicrotask(() => (isInTurn = false));
      }
      turns[turns.length - 1]! += value.length;
      return put.call(this, value, key);
    });
    const batch = (from: number, expected: boolean): Batch => ({
      expect: [['log/base', expected ? undefined : Uint8Array.of(7)]],
      puts: Array.from(
        { length: 50 },
        (_, at) => [`pages/${from + at}`, new Uint8Array(PAGE).fill(at)] as const,
      ),
      deletes: [],
    });

    expect(await storage.commit(batch(100, true))).toEqual({ outcome: 'ok' });
    expect(await storage.commit(batch(200, false))).toEqual({ outcome: 'moved' });

    expect(turns.length).toBeGreaterThan(2);
    expect(Math.max(...turns)).toBeLessThan(2 ** 20 + PAGE);
    const { values } = await storage.read({ keys: ['pages/100', 'pages/149', 'pages/200'] });
    expect(values.map((value) => value?.[PAGE - 1])).toEqual([0, 49, undefined]);
  });

  describe('with an optimistic batch', () => {
    const base = (value: number): Batch => ({
      expect: [],
      puts: [['log/base', Uint8Array.of(value)]],
      deletes: [],
    });
    const optimistic = (number: number, value: number): Batch => ({
      ...record(number),
      expect: [
        ['log/base', Uint8Array.of(value)],
        [`log/${number}`, undefined],
      ],
      optimistic: true,
    });

    it('does not wait for a value that it found on the same connection before', async () => {
      await storage.commit(base(1));
      await storage.commit(optimistic(1, 1));
      const order = watchOrder();

      expect(await storage.commit(optimistic(2, 1))).toEqual({ outcome: 'ok' });

      expect(order).toEqual(['commit', 'found']);
      expect(await has(2)).toBe(true);
    });

    it('reports unknown if the value is another', async () => {
      await storage.commit(base(1));
      await storage.commit(optimistic(1, 1));
      const other = indexedDbStorage(name);
      await other.commit(base(2));
      await other.close();

      expect((await storage.commit(optimistic(2, 1))).outcome).toBe('unknown');

      expect((await storage.commit(optimistic(3, 1))).outcome).toBe('moved');
      expect(await has(3)).toBe(false);
    });

    it('waits for a value that is not the one that it found', async () => {
      await storage.commit(base(1));
      await storage.commit(optimistic(1, 1));

      expect((await storage.commit(optimistic(2, 9))).outcome).toBe('moved');
      expect(await has(2)).toBe(false);
    });

    it('stores nothing if the key has a value', async () => {
      await storage.commit(base(1));
      await storage.commit(optimistic(1, 1));

      expect((await storage.commit(optimistic(1, 1))).outcome).toBe('moved');
    });

    it('stores nothing in another store under the old name', async () => {
      await storage.commit(base(1));
      await storage.commit(optimistic(1, 1));
      const other = indexedDbStorage(name);
      await other.destroy();
      await other.commit(base(2));
      await other.close();

      expect((await storage.commit(optimistic(2, 1))).outcome).toBe('unknown');
      expect((await storage.commit(optimistic(2, 1))).outcome).toBe('moved');

      expect(await has(2)).toBe(false);
    });
  });

  describe('exclusively', () => {
    const all = { keys: ['log/base', 'pages/root'], recordsAfter: 0 } as const;

    it('lets no other account write between its read and its commit', async () => {
      const other = indexedDbStorage(name);
      await other.commit(record(1));
      const outcomes: Promise<CommitResult>[] = [];

      const result = await storage.exclusively!(all, ({ records }) => {
        outcomes.push(other.commit(record(2)));
        expect(records.map(([number]) => number)).toEqual([1]);
        return record(2);
      });

      expect(result).toEqual({ outcome: 'ok' });
      expect(await Promise.all(outcomes)).toEqual([{ outcome: 'moved' }]);
      await other.close();
    });

    it('stores nothing, and blocks no other account, without a decision', async () => {
      expect(await storage.exclusively!(all, () => undefined)).toBeUndefined();

      expect((await storage.commit(record(1))).outcome).toBe('ok');
    });

    it('keeps its own copy of the decided batch', async () => {
      const decided = record(1);
      const [, value] = decided.puts[0]!;
      const done = storage.exclusively!(all, () => {
        queueMicrotask(() => value.fill(9));
        return decided;
      });
      await done;

      expect((await storage.read({ keys: ['log/1'] })).values).toEqual([Uint8Array.of(1)]);
    });

    it('stores nothing on a connection that was opened because one was lost', async () => {
      const connections = watchConnections();
      await storage.commit(record(1));
      connections[0]!.close();

      expect(await storage.exclusively!(all, () => record(2))).toEqual({ outcome: 'unknown' });
      expect(await has(2)).toBe(false);
      expect(await storage.exclusively!(all, () => record(2))).toEqual({ outcome: 'ok' });
    });

    it('hides no lost connection from the next commit if it stores nothing', async () => {
      const connections = watchConnections();
      await storage.commit(record(1));
      connections[0]!.close();

      expect(await storage.exclusively!(all, () => undefined)).toBeUndefined();
      expect((await storage.commit(record(2))).outcome).toBe('unknown');
      expect((await storage.commit(record(2))).outcome).toBe('ok');
    });

    it('rejects if it cannot read', async () => {
      failNextRequest('get', 'UnknownError');
      const decide = vi.fn();

      await expect(storage.exclusively!(all, decide)).rejects.toMatchObject({
        name: 'UnknownError',
      });
      expect(decide).not.toHaveBeenCalled();
    });

    it('reports a quota, and stores nothing', async () => {
      failNextCommit('QuotaExceededError');

      const result = await storage.exclusively!(all, () => record(1));

      expect(result).toMatchObject({ outcome: 'quota', cause: { name: 'QuotaExceededError' } });
      expect(result!.room!.quota).toBeGreaterThan(0);
      expect(await has(1)).toBe(false);
    });

    it('reports unknown for a commit whose decision failed', async () => {
      const uncaught = vi.fn((event: Event) => event.preventDefault());
      addEventListener('error', uncaught);
      const result = await storage.exclusively!(all, () => {
        throw new Error('aborted');
      });
      removeEventListener('error', uncaught);

      expect(result).toEqual({ outcome: 'unknown', cause: new Error('aborted') });
      // Each engine makes something else of one.
      expect(uncaught, 'an exception left a handler').not.toHaveBeenCalled();
      expect((await storage.commit(record(1))).outcome).toBe('ok');
    });
  });

  it('uses its own durability, unless a commit has another', async () => {
    const strict = indexedDbStorage(name, { durability: 'strict' });
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');

    await strict.commit(record(1));
    await strict.commit(record(2), { durability: 'relaxed' });
    await strict.close();

    expect(transaction.mock.calls.map(([, , options]) => options)).toEqual([
      { durability: 'strict' },
      { durability: 'relaxed' },
    ]);
  });

  it('reads pages and the log in transactions of their own', async () => {
    await storage.read({ keys: [] });
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction');

    await storage.read({ keys: ['log/base'], recordsAfter: 0 });
    await storage.read({ keys: ['pages/root', 'pages/1'] });

    expect(transaction.mock.calls.map(([stores]) => stores)).toEqual([['log'], ['pages']]);
  });

  it('resolves a commit at the end of its transaction, not at the success of its request', async () => {
    const events: string[] = [];
    const original = IDBDatabase.prototype.transaction;
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...parameters
    ) {
      const transaction = original.apply(this, parameters);
      transaction.addEventListener('complete', () => events.push('complete'));
      return transaction;
    });

    await storage.commit(record(1));
    events.push('resolved');

    expect(events).toEqual(['complete', 'resolved']);
  });

  it('does not block a deletion elsewhere, and starts again after it', async () => {
    await storage.commit(record(1));

    await indexedDbStorage(name).destroy();

    expect(await has(1)).toBe(false);
  });

  it('allows two objects on one database', async () => {
    const other = indexedDbStorage(name);
    const results = await Promise.all([storage.commit(record(1)), other.commit(record(1))]);
    await other.close();

    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['moved', 'ok']);
  });

  it('reports a quota that a request ran into, and stays usable', async () => {
    await storage.commit(record(1));
    failNextRequest('add', 'QuotaExceededError');

    const { outcome, cause } = await storage.commit(record(2));

    expect(outcome).toBe('quota');
    expect(cause).toMatchObject({ name: 'QuotaExceededError' });
    expect(await has(2)).toBe(false);
    expect((await storage.commit(record(2))).outcome).toBe('ok');
  });

  it('reports a quota that only the transaction knows of', async () => {
    await storage.read({ keys: [] });
    failNextCommit('QuotaExceededError');

    const { outcome, cause } = await storage.commit(record(1));

    expect(outcome).toBe('quota');
    expect(cause).toMatchObject({ name: 'QuotaExceededError' });
    expect((await storage.commit(record(1))).outcome).toBe('ok');
  });

  it('reports a quota without sizes if the browser has none', async () => {
    await storage.read({ keys: [] });
    const denied = { estimate: () => Promise.reject(new TypeError('no origin')) };
    for (const manager of [undefined, {}, denied]) {
      failNextCommit('QuotaExceededError');
      vi.stubGlobal('navigator', { storage: manager });

      expect(await storage.commit(record(1))).toMatchObject({ outcome: 'quota', room: undefined });
    }
  });
});
