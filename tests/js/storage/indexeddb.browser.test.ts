import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { verify } from '../../../js/src/recovery.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type {
  Batch,
  CommitResult,
  PageStorage,
  StoreStatus,
} from '../../../js/src/storage/page-storage.js';
import { tableError } from '../support/rejection.js';
import { freshName } from '../support/storages.js';
import { wasmBytes } from '../support/wasm.js';

const record = (number: number): Batch => ({
  expect: [[`log/${number}`, undefined]],
  puts: [[`log/${number}`, Uint8Array.of(number)]],
  deletes: [],
});

describe('indexedDbStorage', () => {
  let name: string;
  let storage: PageStorage;

  beforeEach(() => {
    name = freshName();
    storage = indexedDbStorage(name);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
    vi.useRealTimers();
    await storage.destroy();
  });

  const has = async (number: number) =>
    (await storage.read({ keys: [`log/${number}`] })).values[0] !== undefined;

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

    it('says unknown when the value turns out to be another', async () => {
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

    it('stores nothing where something stands', async () => {
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

    it('lets nobody write between its read and its commit', async () => {
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

    it('stores nothing, and holds nobody up, where nothing is decided', async () => {
      expect(await storage.exclusively!(all, () => undefined)).toBeUndefined();

      expect((await storage.commit(record(1))).outcome).toBe('ok');
    });

    it('keeps its own copy of what is decided', async () => {
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

    it('does not know what became of a commit whose deciding failed', async () => {
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

  it('asks for the durability that it was made with, unless a commit asks for another', async () => {
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

  it('does not block a deletion elsewhere, and starts anew after it', async () => {
    await storage.commit(record(1));

    await indexedDbStorage(name).destroy();

    expect(await has(1)).toBe(false);
  });

  it('lets two objects work on one database', async () => {
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

  it('reports a quota without numbers where the browser gives none', async () => {
    await storage.read({ keys: [] });
    const denied = { estimate: () => Promise.reject(new TypeError('no origin')) };
    for (const manager of [undefined, {}, denied]) {
      failNextCommit('QuotaExceededError');
      vi.stubGlobal('navigator', { storage: manager });

      expect(await storage.commit(record(1))).toMatchObject({ outcome: 'quota', room: undefined });
    }
  });

  it('does not know what became of a commit whose request failed for another reason', async () => {
    await storage.read({ keys: [] });
    failNextRequest('add', 'UnknownError');

    const { outcome, cause } = await storage.commit(record(1));

    expect(outcome).toBe('unknown');
    expect(cause).toMatchObject({ name: 'UnknownError' });
    expect(await has(1)).toBe(false);
  });

  // As Firefox does at the limit, though the connection is well.
  it('keeps its connection when a put throws InvalidStateError', async () => {
    await storage.read({ keys: [] });
    const open = vi.spyOn(IDBFactory.prototype, 'open');
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      throw new DOMException('no', 'InvalidStateError');
    });

    const { outcome, cause } = await storage.commit(record(1));

    expect(outcome).toBe('unknown');
    expect(cause).toMatchObject({ name: 'InvalidStateError' });
    expect(await has(1)).toBe(false);
    expect(open).not.toHaveBeenCalled();
  });

  it('opens again when its connection was closed behind its back', async () => {
    const connections = watchConnections();
    await storage.commit(record(1));
    connections[0]!.close();

    // Earlier commits may be lost, so an account must read before it commits.
    expect((await storage.commit(record(2))).outcome).toBe('unknown');
    expect(await has(2)).toBe(false);
    expect((await storage.commit(record(2))).outcome).toBe('ok');
    connections[1]!.close();

    expect(await has(2)).toBe(true);
    expect(connections).toHaveLength(3);
  });

  it('does not know what became of a commit whose connection was lost', async () => {
    const connections = watchConnections();
    await storage.read({ keys: [] });
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      connections[0]!.dispatchEvent(new Event('close'));
      return {} as IDBRequest<IDBValidKey>;
    });

    expect((await storage.commit(record(1))).outcome).toBe('unknown');
  });

  it('reads again when its connection is lost meanwhile', async () => {
    const connections = watchConnections();
    await storage.commit(record(1));
    vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(() => {
      connections[0]!.close();
      connections[0]!.dispatchEvent(new Event('close'));
      return {} as IDBRequest;
    });

    expect(await has(1)).toBe(true);
    expect(connections).toHaveLength(2);
  });

  it('gives up a transaction of which nothing is heard', async () => {
    const connections = watchConnections();
    await storage.read({ keys: [] });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    silenceNextTransaction();
    const committed = storage.commit(record(1));
    await Promise.resolve().then(() => undefined);

    await vi.advanceTimersByTimeAsync(10_000);

    expect((await committed).outcome).toBe('unknown');
    await storage.read({ keys: ['log/1'] });
    expect(connections).toHaveLength(2);
  });

  it('rejects a read that fails, with the error of the request', async () => {
    await storage.read({ keys: [] });
    failNextRequest('get', 'UnknownError');

    await expect(storage.read({ keys: ['log/1'] })).rejects.toMatchObject({ name: 'UnknownError' });
    expect(await has(1)).toBe(false);
  });

  it('tries to open again after it could not', async () => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementationOnce(() => {
      throw new DOMException('denied', 'SecurityError');
    });

    expect((await tableError(storage.read({ keys: [] }))).code).toBe('StorageUnavailable');
    expect(await has(1)).toBe(false);
  });

  describe('tells its status', () => {
    let statuses: StoreStatus[];
    beforeEach(() => {
      statuses = [];
      storage.onStatus!((status) => statuses.push(status));
    });

    it('when its connection is lost, and when there is one again', async () => {
      const connections = watchConnections();
      await storage.commit(record(1));
      connections[0]!.close();
      connections[0]!.dispatchEvent(new Event('close'));
      expect(statuses).toEqual(['lost']);

      await storage.commit(record(2));

      expect(statuses).toEqual(['lost', 'reconnected']);
    });

    it('when it waits for somebody who holds on to the database', async () => {
      const holder = await openPlainly(name);
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const destroyed = storage.destroy();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(statuses).toEqual(['blocked']);

      holder.close();

      await destroyed;
    });

    it('when the page is back, which held no connection meanwhile', async () => {
      const connections = watchConnections();
      for (const [sleep, wake] of [
        ['pagehide', 'pageshow'],
        ['freeze', 'resume'],
      ] as const) {
        await storage.commit(record(1));
        dispatchEvent(new Event(wake));
        expect(statuses).toEqual([]);

        dispatchEvent(new Event(sleep));
        await Promise.resolve();
        expect(() => connections.at(-1)!.transaction('log')).toThrow('closing');
        // What is still under way gets one for as long as it needs it.
        await storage.commit(record(2));
        expect(() => connections.at(-1)!.transaction('log')).toThrow('closing');
        expect(connections).toHaveLength(2);
        dispatchEvent(new Event(wake));

        expect(statuses.splice(0)).toEqual(['resumed']);
        connections.length = 0;
      }
    });

    it('to nobody who takes the listener back', async () => {
      const received = vi.fn();
      storage.onStatus!(received)();
      const connections = watchConnections();
      await storage.commit(record(1));
      connections[0]!.dispatchEvent(new Event('close'));

      expect(received).not.toHaveBeenCalled();
    });
  });

  it('goes by a frame where the page has lost its databases for good', async () => {
    vi.spyOn(indexedDB, 'open').mockImplementation(() => {
      throw new DOMException('Connection to Indexed Database server lost.', 'UnknownError');
    });

    expect((await storage.commit(record(1))).outcome).toBe('ok');
    expect(await has(1)).toBe(true);
    document.querySelector('html > iframe')!.remove();
    await storage.close();

    expect(await has(1)).toBe(true);
    expect(document.querySelectorAll('html > iframe')).toHaveLength(1);
  });

  it.each([
    ['an ArrayBuffer', new ArrayBuffer(80)],
    ['an object with a length', { length: 1e9 }],
    ['an array', [1, 2, 3]],
    ['words', new Uint16Array(40)],
    ['text', 'text'],
    ['a number', 1e9],
    ['null', null],
  ])('takes %s for damage, under whatever key it stands', async (_, value) => {
    for (const key of ['log/base', 'log/1', 'log/2', 'pages/root'] as const) {
      const account = await openAccount({ storage, wasm: await wasmBytes() });
      await account.createTable('Pets');
      const pets = account.tableClient('Pets');
      await pets.importEntities(
        Array.from({ length: 2_000 }, (_, at) => ({ partitionKey: 'p', rowKey: `${at}` })),
      );
      await pets.createEntity({ partitionKey: 'q', rowKey: '1' });
      await account.close();
      const { values } = await storage.read({ keys: [key] });
      expect(values[0], key).toBeDefined();
      await putRaw(name, key, value);

      const again = openAccount({ storage, wasm: await wasmBytes() });
      const use = async () => {
        const opened = await again;
        onTestFinished(() => opened.close());
        await opened.tableClient('Pets').countEntities();
      };
      expect(await tableError(use()), key).toMatchObject({
        code: 'StorageDamaged',
        details: { storageKey: key },
      });
      expect((await verify(storage)).map((finding) => finding.key)).toContain(key);
      await storage.destroy();
    }
  });

  it('passes over keys of the log that are no numbers of records', async () => {
    await storage.commit(record(1));
    await putRaw(name, 'log/1.5', Uint8Array.of(1));
    await putRaw(name, 'log/Infinity', Uint8Array.of(1));

    const { records } = await storage.read({ keys: [], recordsAfter: 0 });
    expect(records.map(([number]) => number)).toEqual([1]);
    expect(await storage.list!()).toEqual(['log/1']);
  });

  it('leaves a database alone that somebody else made', async () => {
    const foreign = freshName();
    const connection = await openPlainly(foreign);

    const { outcome } = await indexedDbStorage(foreign).commit(record(1));

    expect(outcome).toBe('refused');
    connection.close();
    indexedDB.deleteDatabase(foreign);
  });
});

/** A connection that lets nobody delete the database. */
async function openPlainly(name: string): Promise<IDBDatabase> {
  const request = indexedDB.open(name, 1);
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
  });
}

/** The connections that are opened from now on. */
function watchConnections(): IDBDatabase[] {
  const connections: IDBDatabase[] = [];
  const original = IDBFactory.prototype.open;
  vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (
    this: IDBFactory,
    ...parameters
  ) {
    const request = original.apply(this, parameters);
    request.addEventListener('success', () => connections.push(request.result));
    return request;
  });
  return connections;
}

/** The next request of that kind fails with an error of that name, in the engine's own way. */
function failNextRequest(method: 'add' | 'get', errorName: string): void {
  const original = IDBObjectStore.prototype[method] as (...parameters: unknown[]) => IDBRequest;
  vi.spyOn(IDBObjectStore.prototype, method).mockImplementationOnce(function (
    this: IDBObjectStore,
    ...parameters: unknown[]
  ) {
    const request = original.apply(this, parameters);
    const { transaction } = this;
    Object.defineProperty(request, 'error', { value: new DOMException('injected', errorName) });
    request.addEventListener('success', (event) => {
      event.stopImmediatePropagation();
      request.dispatchEvent(new Event('error', { bubbles: true }));
      transaction.abort();
    });
    return request;
  } as never);
  if (method === 'add')
    vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(() => {});
}

/** In which order a transaction is finished and a value found, from now on. */
function watchOrder(): string[] {
  const order: string[] = [];
  const { get } = IDBObjectStore.prototype;
  const { commit } = IDBTransaction.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (
    this: IDBObjectStore,
    key,
  ) {
    const request = get.call(this, key);
    request.addEventListener('success', () => order.push('found'));
    return request;
  });
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementation(function (this: IDBTransaction) {
    order.push('commit');
    commit.call(this);
  });
  return order;
}

/** The next transaction is aborted after all its requests succeeded. */
function failNextCommit(errorName: string): void {
  vi.spyOn(IDBTransaction.prototype, 'commit').mockImplementationOnce(function (
    this: IDBTransaction,
  ) {
    Object.defineProperty(this, 'error', { value: new DOMException('injected', errorName) });
    this.abort();
  });
}

/** No event of the next transaction is ever heard. */
function silenceNextTransaction(): void {
  const original = IDBDatabase.prototype.transaction;
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(function (
    this: IDBDatabase,
    ...parameters
  ) {
    const transaction = original.apply(this, parameters);
    for (const type of ['complete', 'abort', 'error']) {
      transaction.addEventListener(type, (event) => event.stopImmediatePropagation());
    }
    return transaction;
  });
}

/** Puts any value where an adapter puts bytes. */
async function putRaw(name: string, key: string, value: unknown): Promise<void> {
  const [store, place] = key.split('/') as [string, string];
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open(name);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error!);
  });
  await new Promise<void>((resolve, reject) => {
    const transaction = database.transaction(store, 'readwrite');
    const number = Number(place);
    transaction.objectStore(store).put(value, Number.isNaN(number) ? place : number);
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error!);
  });
  database.close();
}
