import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { openAccount } from '../../../js/src/index.js';
import { verify } from '../../../js/src/recovery.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import type { StoreStatus } from '../../../js/src/storage/page-storage.js';
import { tableError } from '../support/rejection.js';
import { freshName } from '../support/storages.js';
import { wasmBytes } from '../support/wasm.js';
import {
  openPlainly,
  watchConnections,
  failNextRequest,
  silenceNextTransaction,
  putRaw,
  record,
  name,
  storage,
  has,
  useWatchedIndexedDb,
} from '../support/watched-indexeddb.js';

useWatchedIndexedDb();

describe('indexedDbStorage', () => {
  it('reports unknown for a commit whose request failed for another reason', async () => {
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

  it('reports unknown for a commit whose connection was lost', async () => {
    const connections = watchConnections();
    await storage.read({ keys: [] });
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementationOnce(() => {
      connections[0]!.dispatchEvent(new Event('close'));
      return {} as IDBRequest<IDBValidKey>;
    });

    expect((await storage.commit(record(1))).outcome).toBe('unknown');
  });

  it('reads again if its connection is lost during the read', async () => {
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

  it('gives up a transaction without an answer', async () => {
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

  describe('reports its status', () => {
    let statuses: StoreStatus[];
    beforeEach(() => {
      statuses = [];
      storage.onStatus!((status) => statuses.push(status));
    });

    it('when its connection is lost, and when it has reconnected', async () => {
      const connections = watchConnections();
      await storage.commit(record(1));
      connections[0]!.close();
      connections[0]!.dispatchEvent(new Event('close'));
      expect(statuses).toEqual(['lost']);

      await storage.commit(record(2));

      expect(statuses).toEqual(['lost', 'reconnected']);
    });

    it('when it waits for another user of the database', async () => {
      await storage.commit(record(1));
      const holder = await openPlainly(name);
      const deleting = vi.spyOn(IDBFactory.prototype, 'deleteDatabase');
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      const destroyed = storage.destroy();
      await expect.poll(() => deleting.mock.calls).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(10_000);
      expect(statuses).toEqual(['blocked']);

      holder.close();

      await destroyed;
    });

    it('when the page is back, after a time without a connection', async () => {
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
        // A call that is under way gets a connection until it ends.
        await storage.commit(record(2));
        expect(() => connections.at(-1)!.transaction('log')).toThrow('closing');
        expect(connections).toHaveLength(2);
        dispatchEvent(new Event(wake));

        expect(statuses.splice(0)).toEqual(['resumed']);
        connections.length = 0;
      }
    });

    it('to no listener that was removed', async () => {
      const received = vi.fn();
      storage.onStatus!(received)();
      const connections = watchConnections();
      await storage.commit(record(1));
      connections[0]!.dispatchEvent(new Event('close'));

      expect(received).not.toHaveBeenCalled();
    });
  });

  it('uses a frame if the page has lost its databases', async () => {
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
  ])('reports %s as damage, under any key', async (_, value) => {
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

  it('does not change a database of another script', async () => {
    const foreign = freshName();
    const connection = await openPlainly(foreign);

    const { outcome } = await indexedDbStorage(foreign).commit(record(1));

    expect(outcome).toBe('refused');
    connection.close();
    indexedDB.deleteDatabase(foreign);
  });
});
