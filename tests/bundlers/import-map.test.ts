import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { chromium } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/lib/server.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('esbuild'));
useBrowser();

const headers = {
  'content-security-policy': "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
};

/** An app that no tool has built, with the package beside it. */
function makePlainApp(name: string) {
  const app = makeApp('esbuild', name);
  cpSync(resolve('tests/bundlers/esbuild/node_modules/entitable'), join(app.folder, 'entitable'), {
    recursive: true,
  });
  const imports = Object.fromEntries(
    ['', '/http', '/recovery', '/storage/indexeddb', '/storage/memory'].map((entry) => [
      `entitable${entry}`,
      `./entitable/dist${entry || '/index'}.js`,
    ]),
  );
  const page = join(app.folder, 'index.html');
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`;
  writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${map}</head>`));
  return app;
}

describe('with an import map an app works', () => {
  it('served as it is', async () => {
    const server = await serve(makePlainApp('import-map').folder, { port: 0, headers });
    onTestFinished(() => server.close());

    expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
  });

  it('without a network, after a service worker has cached the files that filesOf lists', async () => {
    const { folder } = makePlainApp('offline');
    writeFileSync(
      join(folder, 'sw.js'),
      `import { filesOf } from './entitable/dist/files.js';
       addEventListener('install', (event) => {
         const files = filesOf('entitable', 'entitable/http', 'entitable/recovery',
           'entitable/storage/indexeddb', 'entitable/storage/memory');
         const app = ['./', './main.js', './program.js'];
         event.waitUntil(caches.open('app').then((cache) => cache.addAll([...app, ...files])));
       });
       addEventListener('fetch', (event) => event.respondWith(
         caches.match(event.request).then((cached) => cached ?? Response.error())));`,
    );
    writeFileSync(
      join(folder, 'install.html'),
      `<!doctype html><title>waiting</title><script type="module">
         await navigator.serviceWorker.register('./sw.js', { type: 'module' });
         await navigator.serviceWorker.ready;
         document.title = 'installed';
       </script>`,
    );
    const server = await serve(folder, { port: 0, headers });
    const browser = await chromium.launch(chromiumLaunchOptions());
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    await page.goto(`${server.url}install.html`);
    await page.waitForFunction(() => document.title === 'installed');
    await server.close();

    await page.goto(server.url);
    await page.waitForFunction(() => document.title !== 'waiting');

    expect(await page.title()).toBe(RESULT);
  });
});
