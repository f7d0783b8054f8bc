import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { openBrowser } from '../package/support/browser.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, RESULT, useWrongFilter } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('esbuild'));
useBrowser();

const headers = {
  'content-security-policy': "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
};

/** An app that no tool has built, with the package beside it. */
function makePlainApp(name: string) {
  const app = makeApp('esbuild', name);
  const place = 'node_modules/entitable';
  mkdirSync(join(app.folder, 'node_modules'));
  symlinkSync(resolve('tests/bundlers/esbuild', place), join(app.folder, place));
  // The app of this suite imports more than the example has.
  const more = ['http', 'recovery', 'storage/memory']
    .map((entry) => `"entitable/${entry}": "/${place}/dist/${entry}.js",`)
    .join('');
  const example = exampleNamed('docs/guides/bundlers.md', 'import-map.html');
  const map = example.replace('"imports": {', `"imports": { ${more}`);
  const page = join(app.folder, 'index.html');
  writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${map}</head>`));
  return app;
}

/** Opens a page in a new profile, waits for its title, and names the files that it fetched. */
async function filesFetchedBy(url: string, title: string): Promise<string[]> {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url().split('/').at(-1)!));
  await page.goto(url);
  await page.waitForFunction(() => document.title !== 'waiting');
  expect(await page.title()).toBe(title);
  return fetched;
}

describe('with one script', () => {
  it('a page stores and lists rows, and downloads three files', async () => {
    const { folder } = makePlainApp('one-script');
    const script = exampleNamed('docs/guides/bundlers.md', 'one-script.html');
    writeFileSync(join(folder, 'index.html'), `<title>waiting</title>${script}`);
    const server = await serve(folder, { port: 0, headers });
    onTestFinished(() => server.close());
    const fetched = await filesFetchedBy(server.url, 'Buy milk');

    const [page, ...ours] = fetched.sort();
    expect(page).toBe('');
    expect(ours).toEqual(['entitable-first.wasm', 'entitable-rest.wasm', 'entitable.js']);
  });
});

describe('with an import map an app works', () => {
  it('served as it is', async () => {
    const server = await serve(makePlainApp('import-map').folder, { port: 0, headers });
    onTestFinished(() => server.close());

    expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
  });

  it('with a wrong filter, of which it warns', async () => {
    const app = makePlainApp('warnings');
    useWrongFilter(app);
    const server = await serve(app.folder, { port: 0, headers });
    onTestFinished(() => server.close());

    expect(await shownAt(server.url)).toEqual({ title: 'unknown-property', problems: [] });
  });

  it('that fetches the module ahead, once', async () => {
    const { folder } = makePlainApp('preload');
    const index = join(folder, 'index.html');
    const links = exampleNamed('docs/guides/bundlers.md', 'preload.html');
    writeFileSync(index, readFileSync(index, 'utf8').replace('</head>', `${links}</head>`));
    const server = await serve(folder, { port: 0, headers });
    onTestFinished(() => server.close());
    const fetched = await filesFetchedBy(server.url, RESULT);

    expect(fetched.filter((name) => name === 'entitable-first.wasm')).toHaveLength(1);
  });

  it('without a network, after a service worker has cached the files that filesOf lists', async () => {
    const { folder } = makePlainApp('offline');
    const guide = 'docs/guides/offline.md';
    writeFileSync(join(folder, 'sw.js'), exampleNamed(guide, 'caching-sw.js'));
    writeFileSync(join(folder, 'install.html'), exampleNamed(guide, 'install.html'));
    // With `Vary`, a cache compares headers, too, unless it is told not to.
    const server = await serve(folder, { port: 0, headers: { ...headers, vary: 'Accept' } });
    const browser = await openBrowser();
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
