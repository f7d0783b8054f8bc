// The service worker of docs/guides/offline.md, in Chromium, without a server.

import { cpSync, rmSync, writeFileSync } from 'node:fs';

import { expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { openBrowser } from '../package/support/browser.js';
import { makeWorkerSite } from '../package/support/worker-site.js';

const folder = 'build/service-worker';

it('answers the official client from IndexedDB when there is no network', async () => {
  await makeWorkerSite(folder);
  // With `Vary`, a cache compares headers, too, unless it is told not to.
  const server = await serve(folder, { port: 0, headers: { vary: 'Accept' } });
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  const errors: string[] = [];
  tab.on('pageerror', ({ message }) => errors.push(message));
  const untilTitle = async (title: string) => {
    await tab.waitForFunction((wanted) => document.title === wanted, title).catch(() => {});
    expect({ title: await tab.title(), errors }).toEqual({ title, errors: [] });
  };

  await tab.goto(server.url);
  await untilTitle('1 visits');
  // A hard reload, which goes past the worker: the page has no controller.
  const devTools = await tab.context().newCDPSession(tab);
  await devTools.send('Page.reload', { ignoreCache: true });
  await untilTitle('2 visits');
  await server.close();
  await tab.reload();
  await untilTitle('3 visits');
  await tab.reload();
  await untilTitle('4 visits');

  // A worker that starts again without its module cannot open the account. Later it can.
  const rename = (from: string, to: string) =>
    tab.evaluate(
      async ([from, to]) => {
        const cache = await caches.open('site');
        await cache.put(to!, (await cache.match(from!))!);
        await cache.delete(from!);
      },
      [from, to],
    );
  const status = () =>
    tab.evaluate(() =>
      fetch('/tables/Tables', { headers: { Accept: 'application/json' } }).then(
        (response) => response.status,
        () => 'failed',
      ),
    );
  await rename('/entitable.wasm', '/aside');
  await devTools.send('ServiceWorker.enable');
  await devTools.send('ServiceWorker.stopAllWorkers');
  expect(await status()).toBe('failed');
  await rename('/aside', '/entitable.wasm');
  expect(await status()).toBe(200);
});

it('does all that an account does, with the entry for service workers and no bundler', async () => {
  const site = `${folder}-entry`;
  rmSync(site, { recursive: true, force: true });
  cpSync('dist', `${site}/dist`, { recursive: true });
  writeFileSync(`${site}/index.html`, '<!doctype html><title>entry</title>');
  writeFileSync(
    `${site}/sw.js`,
    `import { openAccount } from './dist/service-worker.js';
     import { memoryStorage } from './dist/storage/memory.js';
     async function work() {
       const account = await openAccount({ storage: memoryStorage() });
       await account.createTable('Pets');
       const pets = account.tableClient('Pets');
       await pets.importEntities([{ partitionKey: 'dogs', rowKey: '1' }]);
       const exported = await new Response(pets.exportEntities()).text();
       for await (const entities of pets.liveEntities()) {
         return [exported.includes('dogs'), entities.length, typeof (await account.getProperties())];
       }
     }
     addEventListener('message', ({ data, source }) =>
       work().then((result) => source.postMessage(result), (error) => source.postMessage(error.message)));`,
  );
  const server = await serve(site, { port: 0 });
  onTestFinished(() => server.close());
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(server.url);

  const result = await tab.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js', { type: 'module' });
    const { active } = await navigator.serviceWorker.ready;
    const answered = new Promise<MessageEvent>(
      (resolve) => (navigator.serviceWorker.onmessage = resolve),
    );
    active!.postMessage('work');
    return (await answered).data as unknown;
  });

  expect(result).toEqual([true, 1, 'object']);
});
