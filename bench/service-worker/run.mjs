// run.mjs - `npm run bench:service-worker`: the first request to a service worker that the browser
// has stopped, beside a worker that only fetches, in Chromium. It needs the package in dist/.

import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { build as bundle } from 'esbuild';
import { chromium } from 'playwright-core';

import { build } from '../../scripts/build.mjs';
import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs';
import { enterProject } from '../../scripts/lib/project.mjs';
import { serve } from '../../scripts/lib/server.mjs';
import { main, say } from '../../scripts/lib/terminal.mjs';
import { median } from '../report/figures.mjs';

const ROUNDS = 15;
const SITE = 'build/bench-service-worker';
const ENTITY = "/tables/Visits(PartitionKey='all',RowKey='1')";

// The worker of docs/guides/offline.md, with an entity to read.
const WORKER = `
  import { createTableHandler } from 'entitable/http';
  import { openAccount } from 'entitable/service-worker';
  import { indexedDbStorage } from 'entitable/storage/indexeddb';
  const baseUrl = location.origin + '/tables';
  let handler;
  async function open() {
    const storage = indexedDbStorage('tables');
    const wasm = caches.match('/entitable.wasm');
    const account = await openAccount({ storage, wasm, baseUrl, name: 'tables' });
    await account.createTable('Visits');
    await account.tableClient('Visits').upsertEntity({ partitionKey: 'all', rowKey: '1' });
    return createTableHandler(account, { authentication: 'anonymous' });
  }
  addEventListener('install', (event) =>
    event.waitUntil(caches.open('site').then((cache) => cache.add('/entitable.wasm'))));
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => {
    if (!event.request.url.startsWith(baseUrl)) return;
    event.respondWith((handler ??= open()).then((answer) => answer(event.request)));
  });`;

// What any worker costs.
const NOTHING = `
  addEventListener('activate', (event) => event.waitUntil(clients.claim()));
  addEventListener('fetch', (event) => event.respondWith(Response.json({})));`;

async function makeSite(contents) {
  rmSync(SITE, { recursive: true, force: true });
  mkdirSync(SITE, { recursive: true });
  copyFileSync('dist/entitable.wasm', `${SITE}/entitable.wasm`);
  writeFileSync(`${SITE}/index.html`, '<!doctype html><title>worker</title>');
  await bundle({
    stdin: { contents, resolveDir: '.' },
    bundle: true,
    minify: true,
    format: 'esm',
    external: ['node:*'],
    outfile: `${SITE}/sw.js`,
  });
}

/** Milliseconds of the first request and of the next one, in each round. */
async function timesWith(contents) {
  await makeSite(contents);
  const server = await serve(SITE, { port: 0 });
  const browser = await chromium.launch(chromiumLaunchOptions());
  try {
    const tab = await browser.newPage();
    await tab.goto(server.url);
    await tab.evaluate(async () => {
      const controlled = new Promise((done) => (navigator.serviceWorker.oncontrollerchange = done));
      await navigator.serviceWorker.register('/sw.js', { type: 'module' });
      await controlled;
    });
    const devTools = await tab.context().newCDPSession(tab);
    await devTools.send('ServiceWorker.enable');
    const read = () =>
      tab.evaluate(async (path) => {
        const begin = performance.now();
        const answer = await fetch(path, { headers: { accept: 'application/json' } });
        await answer.text();
        if (!answer.ok) throw new Error(`${answer.status}`);
        return performance.now() - begin;
      }, ENTITY);
    const times = { first: [], next: [] };
    for (let round = 0; round < ROUNDS; round++) {
      await devTools.send('ServiceWorker.stopAllWorkers');
      times.first.push(await read());
      times.next.push(await read());
    }
    return times;
  } finally {
    await browser.close();
    await server.close();
  }
}

enterProject();
await main(async () => {
  await build('package');
  const [ours, nothing] = [await timesWith(WORKER), await timesWith(NOTHING)];
  say('| ms, median | with an account | without |');
  say('| --- | ---: | ---: |');
  for (const [name, text] of [
    ['first', 'first request, which starts the worker'],
    ['next', 'next request'],
  ]) {
    say(`| ${text} | ${median(ours[name]).toFixed(1)} | ${median(nothing[name]).toFixed(1)} |`);
  }
});
