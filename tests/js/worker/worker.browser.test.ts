// Accounts in workers of the browser.

import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { openAccount, type TableClient } from '../../../js/src/index.js';
import { indexedDbStorage } from '../../../js/src/storage/indexeddb.js';
import { memoryStorage } from '../../../js/src/storage/memory.js';
import { opfsStorage } from '../../../js/src/storage/opfs.js';
import { collect } from '../support/accounts.js';
import { dogs } from '../support/dogs.js';
import { Received } from '../support/received.js';
import { errorCode, tableError } from '../support/rejection.js';
import { freshName } from '../support/storages.js';

const ownWorker = () => {
  const worker = new Worker(new URL('../support/worker/worker.ts', import.meta.url), {
    type: 'module',
  });
  onTestFinished(() => worker.terminate());
  return worker;
};

const sharedPort = () => {
  const address = new URL('../support/worker/worker.ts', import.meta.url);
  const { port } = new SharedWorker(address, { type: 'module' });
  port.start();
  return port;
};

const dog = { partitionKey: 'dogs', rowKey: 'rex' };

async function tableIn(account: Awaited<ReturnType<typeof openAccount>>): Promise<TableClient> {
  onTestFinished(() => account.close());
  await account.createTable('Pets');
  return account.tableClient('Pets');
}

describe('an account with worker: true', () => {
  it('runs in a worker, and its data is there for accounts of the page', async () => {
    const name = freshName();
    const account = await openAccount({ storage: indexedDbStorage(name), worker: true });
    const table = await tableIn(account);

    await table.createEntity({ ...dog, photo: Uint8Array.of(1, 2), born: new Date(0), age: 3n });
    const progress = vi.fn();
    await table.importEntities(dogs(5000), { onProgress: progress, mode: 'Replace' });
    const exported = await new Response(table.exportEntities()).text();

    expect(account.isInWorker).toBe(true);
    expect(await collect(table.listEntities())).toHaveLength(5001);
    expect(exported.trim().split('\n')).toHaveLength(5001);
    expect(progress).toHaveBeenLastCalledWith({ read: 5000, stored: 5000 });
    await account.close();

    const here = await openAccount({ storage: indexedDbStorage(name) });
    onTestFinished(() => here.close());
    expect(here.isInWorker).toBe(false);
    expect(await here.tableClient('Pets').getEntity('dogs', 'rex')).toMatchObject({
      photo: Uint8Array.of(1, 2),
      born: new Date(0),
      age: 3n,
    });
  });

  it('runs here where no worker can start, and says so', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    vi.stubGlobal('Worker', undefined);
    onTestFinished(() => {
      vi.unstubAllGlobals();
      warn.mockRestore();
    });

    const account = await openAccount({ storage: memoryStorage(), worker: true });
    const table = await tableIn(account);

    await table.createEntity(dog);
    expect(account.isInWorker).toBe(false);
    expect(warn.mock.calls.flat().join()).toContain('no worker can start here');
  });

  it('runs here where the page may start no worker, and says why', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const refused = function () {
      throw new TypeError("This document requires 'TrustedScriptURL' assignment.");
    };
    vi.stubGlobal('Worker', refused);
    onTestFinished(() => {
      vi.unstubAllGlobals();
      warn.mockRestore();
    });

    const account = await openAccount({ storage: memoryStorage(), worker: true });
    onTestFinished(() => account.close());

    expect(account.isInWorker).toBe(false);
    expect(warn.mock.calls.flat().join()).toContain("requires 'TrustedScriptURL' assignment");
  });
});

// Lets no commit begin until the test ends, with a transaction that always has a next request.
async function holdLog(name: string): Promise<void> {
  const opening = indexedDB.open(name);
  await new Promise((resolve) => (opening.onsuccess = resolve));
  let isHeld = true;
  onTestFinished(() => {
    isHeld = false;
    opening.result.close();
  });
  const log = opening.result.transaction('log', 'readwrite').objectStore('log');
  await new Promise<void>((resolve) => {
    const hold = () => {
      resolve();
      if (isHeld) log.count().onsuccess = hold;
    };
    log.count().onsuccess = hold;
  });
}

describe('an account in a worker of the app', () => {
  it('fails what waits when the worker is terminated', async () => {
    const name = freshName();
    const worker = ownWorker();
    const account = await openAccount({ storage: indexedDbStorage(name), worker });
    const table = await tableIn(account);
    await holdLog(name);
    const ended = new Received<unknown>();
    account.session.onAbort(ended.listener);

    const change = tableError(
      new Promise((_, reject) => {
        table.subscribe({ onError: reject }, () => undefined);
      }),
    );
    const write = tableError(table.createEntity(dog));
    // The request is posted at the end of this turn.
    await Promise.resolve();
    worker.terminate();

    await ended.next();
    expect((await write).code).toBe('StorageOutcomeUnknown');
    expect((await change).code).toBe('ModuleAborted');
    expect(await errorCode(table.getEntity('dogs', 'rex'))).toBe('ModuleAborted');
    await account.close();
  });

  it('says that the script of the worker cannot be loaded', async () => {
    const worker = new Worker('/missing-script.js', { type: 'module' });
    const error = await tableError(openAccount({ storage: memoryStorage(), worker }));

    expect(error.code).toBe('ScriptNotLoaded');
    expect(error.message).toMatch(/address that new Worker\(\) got/);
  });

  it('says so, too, if the script fails before the page has the script for workers', async () => {
    const worker = Object.assign(new EventTarget(), { postMessage: () => undefined });
    const opening = tableError(openAccount({ storage: memoryStorage(), worker }));
    worker.dispatchEvent(new Event('error'));

    expect((await opening).code).toBe('ScriptNotLoaded');
  });

  it('says that a worker does not answer', async () => {
    const script = new Blob(['0'], { type: 'text/javascript' });
    const worker = new Worker(URL.createObjectURL(script), { type: 'module' });
    onTestFinished(() => worker.terminate());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    onTestFinished(() => warn.mockRestore());

    const opening = tableError(openAccount({ storage: memoryStorage(), worker }));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(2));
    vi.advanceTimersByTime(5_000);
    expect(warn.mock.lastCall?.join(' ')).toMatch(/must call serveAccounts\(\)/);
    vi.advanceTimersByTime(55_000);

    expect((await opening).message).toMatch(/must call serveAccounts\(\)/);
  });
});

describe('accounts in a worker of the app', () => {
  it('get the module that the page has compiled', async () => {
    const post = vi.spyOn(MessagePort.prototype, 'postMessage');
    onTestFinished(() => post.mockRestore());

    const storage = indexedDbStorage(freshName());
    await tableIn(await openAccount({ storage, worker: ownWorker() }));

    const posted = post.mock.calls.flatMap(([messages]) => messages as { kind: string }[]);
    const wasm = [undefined, undefined];
    expect(posted.find(({ kind }) => kind === 'open')).toMatchObject({ wasm });
    const modules = [1, 2].map(() => expect.any(WebAssembly.Module) as unknown);
    expect(posted.find(({ kind }) => kind === 'modules')).toEqual({ kind: 'modules', modules });
  });

  it('come over a port that the app has sent', async () => {
    const address = new URL('../support/worker/port.ts', import.meta.url);
    const worker = new Worker(address, { type: 'module' });
    onTestFinished(() => worker.terminate());
    const { port1, port2 } = new MessageChannel();
    worker.postMessage({ port: port2 }, [port2]);

    const account = await openAccount({ storage: indexedDbStorage(freshName()), worker: port1 });
    const table = await tableIn(account);
    await table.createEntity(dog);

    expect(account.isInWorker).toBe(true);
    expect(await table.getEntity('dogs', 'rex')).toMatchObject(dog);
  });
});

describe('accounts in a SharedWorker', () => {
  it('see the commits of one another', async () => {
    const name = freshName();
    const [one, other] = await Promise.all(
      [sharedPort(), sharedPort()].map((worker) =>
        openAccount({ storage: indexedDbStorage(name), worker }),
      ),
    );
    const table = await tableIn(one!);
    onTestFinished(() => other!.close());
    const counts = new Received<number>();
    const live = other!.tableClient('Pets').liveEntities();
    onTestFinished(live.subscribe((entities) => counts.listener(entities.length)));

    await table.createEntity(dog);

    expect(await counts.next((count) => count === 1)).toBe(1);
  });

  it('end with their page', async () => {
    const locks = async () => {
      const { held } = await navigator.locks.query();
      return held!.map((lock) => lock.name!).filter((name) => name.startsWith('entitable:worker:'));
    };
    const before = await locks();
    const frame = document.createElement('iframe');
    document.body.append(frame);
    const name = freshName();
    const opened = new Received<unknown>();
    window.addEventListener('message', ({ data }) => opened.listener(data));
    // Vite would take these addresses for those of assets.
    const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const script = frame.contentDocument!.createElement('script');
    script.type = 'module';
    script.textContent = `
      // Vitest loads scripts by this function.
      globalThis.__vitest_browser_runner__ = { wrapDynamicImport: (load) => load() };
      const report = (text) => parent.postMessage('${name}: ' + text, '*');
      async function open() {
        const { openAccount } = await import(${at('../../../js/src/index.ts')});
        const { indexedDbStorage } = await import(${at('../../../js/src/storage/indexeddb.ts')});
        const address = ${at('../support/worker/worker.ts')};
        const { port } = new SharedWorker(address, { type: 'module' });
        await openAccount({ storage: indexedDbStorage('${name}'), worker: port });
      }
      open().then(() => report('opened'), (error) => report(error.stack));`;
    frame.contentDocument!.body.append(script);
    const isReport = (one: unknown) => typeof one === 'string' && one.startsWith(name);
    expect(await opened.next(isReport)).toBe(`${name}: opened`);
    const own = (await locks()).filter((lock) => !before.includes(lock));
    expect(own).toHaveLength(1);

    frame.remove();

    await vi.waitFor(async () => expect(await locks()).not.toContain(own[0]));
  });
});

it('keeps an account in OPFS, which only a worker can use', async () => {
  const name = freshName();
  const account = await openAccount({ storage: opfsStorage(name), worker: true });
  const table = await tableIn(account);

  await table.createEntity(dog);
  await account.close();

  const again = await openAccount({ storage: opfsStorage(name), worker: true });
  onTestFinished(() => again.close());
  expect(await again.tableClient('Pets').getEntity('dogs', 'rex')).toMatchObject(dog);
});
