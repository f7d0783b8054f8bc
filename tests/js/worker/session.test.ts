// An account at the other end of a port: what both ends do, in one thread.

import { describe, expect, it, onTestFinished } from 'vitest';

import { count, openAccount, TableError, type TableServiceClient } from '../../../js/src/index.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import type { PageStorage } from '../../../js/src/storage/page-storage.js';
import { holdLock } from '../../../js/src/worker/life.js';
import { PROTOCOL } from '../../../js/src/worker/messages.js';
import { Received } from '../support/received.js';
import { errorCode, rejection, tableError } from '../support/rejection.js';
import { WatchedStorage } from '../support/storages.js';
import { wasmBytes } from '../support/wasm.js';
import { WorkerHere } from '../support/worker/here.js';

async function open(storage?: PageStorage) {
  const worker = new WorkerHere(storage);
  const account: TableServiceClient = await openAccount({ worker, wasm: await wasmBytes() });
  onTestFinished(() => account.close());
  return { account, worker };
}

async function openTable(storage: PageStorage = memoryStorage()) {
  const { account, worker } = await open(storage);
  await account.createTable('Pets');
  worker.posted.length = 0;
  return { account, worker, table: account.tableClient('Pets') };
}

const dog = { partitionKey: 'dogs', rowKey: 'rex' };

describe('an account in a worker', () => {
  it('says so, and names the storage', async () => {
    const { account } = await open(memoryStorage());

    expect(account.isInWorker).toBe(true);
    expect(account.session.storageKind).toBe('MemoryStorage');
    expect(account.validator.validateKey('a/b')).toMatchObject([{ rule: 'key-character' }]);
  });

  it('needs one round trip for a read, and one for all reads of a turn', async () => {
    const { table, worker } = await openTable();
    await table.createEntity(dog);
    worker.posted.length = 0;

    await table.getEntity('dogs', 'rex');
    expect(worker.posted).toHaveLength(1);

    await Promise.all([1, 2, 3].map(() => table.getEntity('dogs', 'rex')));
    expect(worker.posted.map((messages) => messages.length)).toEqual([1, 3]);
  });

  it('has aggregates, and keeps them up to date', async () => {
    const { table } = await openTable();
    const query = { groupBy: ['Owner'], select: { n: count() } } as const;
    const results = table.liveAggregate(query)[Symbol.asyncIterator]();
    expect((await results.next()).value).toEqual([]);

    await table.createEntity({ ...dog, Owner: 'ada' });

    expect((await results.next()).value).toEqual([{ Owner: 'ada', n: 1 }]);
    expect(await table.aggregate(query)).toEqual([{ Owner: 'ada', n: 1 }]);
    await results.return!();
  });

  it('stores the writes of a turn in one commit', async () => {
    const storage = new WatchedStorage();
    const { table } = await openTable(storage);
    storage.commits.length = 0;

    const keys = ['ada', 'rex', 'zoe'];
    await Promise.all(keys.map((rowKey) => table.createEntity({ ...dog, rowKey })));

    expect(storage.commits).toHaveLength(1);
  });

  it('rejects with errors that are equal in every member, and have the stack of the caller', async () => {
    const here = await openAccount({ storage: memoryStorage(), wasm: await wasmBytes() });
    await here.createTable('Pets');
    const { table } = await openTable();

    const failing = async (pets: typeof table) => {
      const entity = { ...dog, rowKey: 'a/b', Age: 2n ** 70n };
      const { stack, ...error } = await tableError(pets.createEntity(entity));
      return { error, message: await messageOf(pets.createEntity(entity)), stack };
    };
    const [one, other] = [await failing(table), await failing(here.tableClient('Pets'))];
    await here.close();

    expect(one.error).toEqual(other.error);
    expect(one.message).toBe(other.message);
    expect(one.error.issues.length).toBeGreaterThan(0);
    expect(one.stack).toContain('session.test');
  });

  it('passes on the causes of the storage', async () => {
    const storage = new WatchedStorage();
    const { table } = await openTable(storage);
    const cause = new DOMException('no room', 'QuotaExceededError');
    storage.onCommit = () => Promise.resolve({ outcome: 'quota', cause, room: { quota: 5 } });

    const error = await tableError(table.createEntity(dog));

    expect(error).toBeInstanceOf(TableError);
    expect(error.code).toBe('StorageQuotaExceeded');
    expect(error.details.room).toMatchObject({ quota: 5 });
    expect(error.cause).toMatchObject({ name: 'QuotaExceededError', message: 'no room' });
  });

  it('ends a request when its signal fires, and withdraws it', async () => {
    const storage = new WatchedStorage();
    const { table } = await openTable(storage);
    let end!: () => void;
    const held = new Promise<void>((resolve) => (end = resolve));
    storage.onRead = (request) => held.then(() => storage.inner.read(request));
    const controller = new AbortController();
    const reason = new Error('enough');
    const read = table.getEntity('dogs', 'rex', {
      fresh: true,
      abortSignal: controller.signal,
    });

    controller.abort(reason);

    expect(await rejection(read)).toBe(reason);
    end();
    expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('ResourceNotFound');
  });

  it('follows a table', async () => {
    const { table } = await openTable();
    const seen = new Received<number>();
    const unsubscribe = table
      .liveEntities()
      .subscribe((entities) => seen.listener(entities.length));
    onTestFinished(unsubscribe);

    await table.createEntity(dog);

    expect(await seen.next((count) => count === 1)).toBe(1);
  });

  it('warns of keys that the service may refuse', async () => {
    const warnings: unknown[] = [];
    const account = await openAccount({
      worker: new WorkerHere(memoryStorage()),
      wasm: await wasmBytes(),
      onWarning: (warning) => warnings.push(warning),
    });
    onTestFinished(() => account.close());
    await account.createTable('Pets');

    await account.tableClient('Pets').createEntity({ ...dog, rowKey: 'k'.repeat(600) });
    await Promise.resolve();

    expect(warnings).toMatchObject([{ rule: 'key-length', limit: 512, actual: 600 }]);
  });
});

describe('the end of an account in a worker', () => {
  it('rejects calls that come later', async () => {
    const { account, table } = await openTable();

    await account.close();
    await account.close();

    expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('AccountClosed');
  });

  it('reports that the storage cannot be closed', async () => {
    const storage = new WatchedStorage();
    const account = await openAccount({
      worker: new WorkerHere(storage),
      wasm: await wasmBytes(),
    });
    storage.close = () => Promise.reject(new Error('stuck'));

    const error = await tableError(account.close());

    expect(error.code).toBe('StorageUnavailable');
    expect(error.cause).toMatchObject({ message: 'stuck' });
  });

  it('fails what waits, if the worker ends: reads clearly, writes with an unknown outcome', async () => {
    const storage = new WatchedStorage();
    const { account, table, worker } = await openTable(storage);
    const commits = new Received<number>();
    storage.onCommit = () => {
      commits.listener(1);
      return new Promise(() => undefined);
    };
    const write = tableError(table.createEntity(dog));
    const read = tableError(table.getEntity('dogs', 'rex'));
    await commits.next();

    worker.end();

    expect((await write).code).toBe('StorageOutcomeUnknown');
    expect((await read).code).toMatch(/ModuleAborted|ResourceNotFound/);
    expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('ModuleAborted');
    expect(account.session.isOpen).toBe(false);
    await account.close();
  });

  it('closes the account in the worker, if the page ends', async () => {
    const storage = new WatchedStorage();
    const closed = new Received<number>();
    storage.close = () => {
      closed.listener(1);
      return Promise.resolve();
    };
    const worker = new WorkerHere(storage);
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ entitable: PROTOCOL, port: port2 });
    const messages = new Received<{ kind: string }>();
    port1.onmessage = ({ data }: MessageEvent<{ kind: string }[]>) => {
      for (const message of data) messages.listener(message);
    };
    const pageLock = crypto.randomUUID();
    const release = await holdLock(pageLock);
    port1.postMessage([
      {
        ...{ kind: 'open', account: 'acct', baseUrl: 'http://a', isService: false },
        ...{ wasm: [await wasmBytes()], pageLock },
      },
    ]);
    await messages.next(({ kind }) => kind === 'opened');

    port1.close();
    release();

    expect(await closed.next()).toBe(1);
  });
});

describe('an account that cannot be opened in a worker', () => {
  it('has a worker that ends meanwhile', async () => {
    const storage = new WatchedStorage();
    const reads = new Received<unknown>();
    storage.onRead = (request) => {
      reads.listener(request);
      return new Promise(() => undefined);
    };
    const worker = new WorkerHere(storage);
    const opening = errorCode(openAccount({ worker, wasm: await wasmBytes() }));
    await reads.next();

    worker.end();

    expect(await opening).toBe('ModuleAborted');
  });

  it('has a storage that a worker cannot make', async () => {
    const opening = openAccount({ storage: new WatchedStorage(), worker: new WorkerHere() });

    expect(await messageOf(opening)).toMatch(/serveAccounts\(\{ storage \}\) of entitable\/worker/);
  });

  it('has a memoryStorage() with values in this thread, or in another worker', async () => {
    const used = memoryStorage();
    await used.commit({ expect: [], puts: [['log/1', Uint8Array.of(1)]], deletes: [] });
    const wasm = await wasmBytes();

    expect(await messageOf(openAccount({ storage: used, worker: new WorkerHere(), wasm }))).toMatch(
      /are in this thread/,
    );
    const moved = memoryStorage();
    const account = await openAccount({ storage: moved, worker: new WorkerHere(), wasm });
    onTestFinished(() => account.close());
    expect(
      await messageOf(openAccount({ storage: moved, worker: new WorkerHere(), wasm })),
    ).toMatch(/are in another worker/);
    expect(await errorCode(openAccount({ storage: moved, wasm }))).toBe('StorageUnavailable');
  });

  it('has no storage at either end', async () => {
    const opening = openAccount({ worker: new WorkerHere(), wasm: await wasmBytes() });

    expect(await messageOf(opening)).toMatch(/has no storage of its own/);
  });

  it('has a storage that fails', async () => {
    const storage = new WatchedStorage();
    storage.onRead = () => Promise.reject(new Error('locked'));
    const opening = openAccount({ worker: new WorkerHere(storage), wasm: await wasmBytes() });

    const error = await tableError(opening);

    expect(error.code).toBe('StorageUnavailable');
    expect(error.cause).toMatchObject({ message: 'locked' });
    expect(storage.closed).toBe(1);
  });

  it('has no module', async () => {
    const worker = new WorkerHere(memoryStorage());
    const opening = openAccount({ worker, wasm: Uint8Array.of(1, 2, 3) });

    expect(await errorCode(opening)).toBe('ModuleAborted');
  });
});

async function messageOf(call: Promise<unknown>): Promise<string> {
  return (await tableError(call)).message;
}
