// The app of docs/guides/todo-app.md, on two devices.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import type { BrowserContext } from 'playwright-core';
import { expect, it, onTestFinished, vi } from 'vitest';

import { DEVELOPMENT_ACCOUNT } from '../../js/src/http.js';
import { remoteAccount } from '../../js/src/remote.js';
import { errorCode } from '../js/support/rejection.js';
import { rowsOf } from '../js/sync/support.js';
import { openBrowser } from '../package/support/browser.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { ownServer } from './support/own-server.js';

// In the work tree, so that the package and those of the project are found from here.
const FOLDER = 'build/todo-app';
const APP = ['account.js', 'index.html', 'main.js', 'sw.js'];
const WAIT = { timeout: 60_000, interval: 100 };

async function freePort(): Promise<number> {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const codeOf = (name: string) => exampleNamed('docs/guides/todo-app.md', name);

async function startApp() {
  const [cloud, port] = [await ownServer(), await freePort()];
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(`${FOLDER}/public`, { recursive: true });
  for (const name of [...APP, 'server.mjs', 'setup.mjs']) {
    const code = codeOf(name)
      .replaceAll(DEVELOPMENT_ACCOUNT.baseUrl, cloud)
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll('listen(3000)', `listen(${port}, 'localhost')`);
    writeFileSync(`${FOLDER}/${name === 'index.html' ? 'public/' : ''}${name}`, code);
  }
  // As `npx esbuild main.js sw.js --bundle --format=esm --outdir=public`.
  await build({
    entryPoints: [`${FOLDER}/main.js`, `${FOLDER}/sw.js`],
    bundle: true,
    format: 'esm',
    outdir: `${FOLDER}/public`,
    // The package, not its sources.
    tsconfigRaw: '{}',
    logLevel: 'silent',
  });
  await promisify(execFile)(process.execPath, ['setup.mjs'], { cwd: FOLDER });
  const server = spawn(process.execPath, ['server.mjs'], { cwd: FOLDER, stdio: 'inherit' });
  onTestFinished(() => void server.kill());
  const site = `http://localhost:${port}/`;
  await vi.waitFor(() => fetch(site), WAIT);
  const { key } = DEVELOPMENT_ACCOUNT;
  const remote = remoteAccount({ url: cloud, key }).tableClient('Todos');
  const inCloud = async () => (await rowsOf(remote)).map(({ text, done }) => ({ text, done }));
  return { site, cloud, inCloud };
}

it('has at most 120 lines', () => {
  const lines = APP.flatMap((name) => codeOf(name).trimEnd().split('\n'));

  expect(lines.length).toBeLessThanOrEqual(120);
});

it(
  'works on two devices, offline, and after the page was closed',
  { timeout: 180_000 },
  async () => {
    const { site, cloud, inCloud } = await startApp();
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const phone = await browser.newContext();
    const laptop = await browser.newContext({ locale: 'de-DE' });
    const openIn = async (context: BrowserContext) => {
      const page = await context.newPage();
      await page.goto(site);
      return page;
    };
    const add = async (page: Awaited<ReturnType<typeof openIn>>, text: string) => {
      await page.getByLabel('New').fill(text);
      await page.getByRole('button', { name: 'Add' }).click();
      await page.getByLabel(text).waitFor();
    };

    // The form refuses what the table refuses, in the language of the user.
    const refused = await openIn(laptop);
    await refused.getByLabel('Neu').fill('Ei');
    await refused.getByRole('button', { name: 'Hinzufügen' }).click();
    await refused.getByText('mindestens 3 Zeichen').waitFor();
    await refused.close();

    // One device adds, and the other finishes.
    let onPhone = await openIn(phone);
    await add(onPhone, 'Buy milk');
    await vi.waitFor(
      async () => expect(await inCloud()).toEqual([{ text: 'Buy milk', done: false }]),
      WAIT,
    );
    const onLaptop = await openIn(laptop);
    await onLaptop.getByLabel('Buy milk').check();
    await vi.waitFor(
      async () => expect(await inCloud()).toEqual([{ text: 'Buy milk', done: true }]),
      WAIT,
    );

    // Without a network the app opens, and keeps what is added.
    await onPhone.evaluate(async () => void (await navigator.serviceWorker.ready));
    await onPhone.close();
    await phone.setOffline(true);
    onPhone = await openIn(phone);
    await onPhone.getByLabel('Buy milk').waitFor();
    await add(onPhone, 'Feed the cat');
    await onPhone.getByRole('status').getByText('1 to send').waitFor();
    await onPhone.close();

    // Nobody has the page open. The browser wakes the service worker.
    const blank = await phone.newPage();
    const devTools = await phone.newCDPSession(blank);
    const registered = new Promise<string>((resolve) => {
      devTools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const found = registrations.find(({ scopeURL }) => scopeURL === site);
        if (found) resolve(found.registrationId);
      });
    });
    await devTools.send('ServiceWorker.enable');
    const registrationId = await registered;
    await phone.setOffline(false);
    await devTools.send('ServiceWorker.dispatchSyncEvent', {
      ...{ origin: new URL(site).origin, registrationId, tag: 'todos', lastChance: false },
    });
    await vi.waitFor(async () => expect((await inCloud()).length).toBe(2), WAIT);
    expect((await inCloud()).map(({ text }) => text).sort()).toEqual(['Buy milk', 'Feed the cat']);

    // The signature is for the partition of one user.
    const sas = await (await fetch(`${site}signature/ann`)).text();
    const others = remoteAccount({ url: cloud, sas }).tableClient('Todos');
    const spy = others.createEntity({ partitionKey: 'bob', rowKey: '1' });
    expect(await errorCode(spy)).toBe('AuthorizationFailure');
  },
);
