// Accounts in workers: those of the package, where the bundler makes their scripts; elsewhere those
// of the app.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { isTested } from '../../scripts/test/tier.mjs';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, type App } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';
import { MODULE_BUNDLERS, WEBPACK_CONFIG, WEBPACKS } from './support/tools.js';

const RESULT = 'Rex, key-character, in the worker';
const VITES = ['vite-5', 'vite-6', 'vite-7', 'vite-8'].filter(isTested);
const REMEDY = 'make the worker yourself, with a script that calls serveAccounts()';
const TRUE = { 'account.js': 'true.js' };

useBrowser();

/** An app with these examples of the guide, under the names that they have in the app. */
function make(tool: string, name: string, examples: Record<string, string> = TRUE): App {
  const app = makeApp(tool, `worker-${name}`, 'worker-app');
  for (const [file, example] of Object.entries(examples)) {
    writeFileSync(join(app.folder, file), exampleNamed('docs/guides/worker.md', example));
  }
  return app;
}

/** What a page shows, by default under the policy of a strict host. */
async function shownIn(folder: string, policy?: string) {
  const headers = policy ? { 'content-security-policy': policy } : {};
  const server = await serve(folder, { port: 0, headers });
  onTestFinished(() => server.close());
  return shownAt(server.url);
}

describe.each(VITES)('with %s worker: true works', (version) => {
  beforeAll(() => installPackage('vite'));

  it('in a build, under a strict policy', async () => {
    const app = make('vite', version);
    await app.run(`${version}/bin/vite.js`, ['build']);

    expect(await shownIn(join(app.folder, 'dist'))).toEqual({ title: RESULT, problems: [] });
  });
});

describe('with Vite, served while an app is written,', () => {
  beforeAll(() => installPackage('vite'));

  async function served(version: string, name: string, examples?: Record<string, string>) {
    const app = make('vite', `${version}-${name}`, examples);
    // The package is outside of the folder of this app. Vite finds what a worker imports only when
    // the worker starts, and then loads the page again, unless it knows the worker before.
    const entries = `entries: ['index.html', '*.js']`;
    const config = `export default { server: { fs: { strict: false } }, optimizeDeps: { ${entries} } };`;
    writeFileSync(join(app.folder, 'vite.config.js'), config);
    return shownAt(await app.start(`${version}/bin/vite.js`, ['--port', '0']));
  }

  it('worker: true works in version 8', async () => {
    expect(await served('vite-8', 'dev')).toEqual({ title: RESULT, problems: [] });
  });

  it.each(['vite-5', 'vite-6', 'vite-7'].filter(isTested))(
    'worker: true says with %s what to do',
    async (version) => {
      const { title } = await served(version, 'dev');

      expect(title).toContain(REMEDY);
    },
  );

  it.each(VITES)('a worker of the app works with %s', async (version) => {
    const examples = { 'account.js': 'vite.js', 'worker.js': 'worker.js' };

    expect(await served(version, 'own', examples)).toEqual({ title: RESULT, problems: [] });
  });
});

describe('with Vite', () => {
  beforeAll(() => installPackage('vite'));

  it('a page without workers does the work itself, and says so', async () => {
    const app = make('vite', 'forbidden');
    await app.run('vite-8/bin/vite.js', ['build']);

    const { title, problems } = await shownIn(
      join(app.folder, 'dist'),
      "script-src 'self' 'wasm-unsafe-eval'; worker-src 'none'",
    );

    expect(title).toBe('Rex, key-character, in the page');
    expect(problems.join()).toContain('no worker can start here');
  });
});

describe.each(WEBPACKS)('with %s worker: true works', (tool, program) => {
  beforeAll(() => installPackage(tool));

  it('in a build', async () => {
    const app = make(tool, 'build');
    const page = '<!doctype html><title>waiting</title><link rel="icon" href="data:," />';
    writeFileSync(join(app.folder, 'index.html'), `${page}<script src="dist/main.js"></script>`);
    writeFileSync(join(app.folder, `${tool}.config.js`), WEBPACK_CONFIG);
    await app.run(program, ['build', '--mode', 'production']);

    expect(await shownIn(app.folder)).toEqual({ title: RESULT, problems: [] });
  });
});

describe.runIf(isTested('parcel'))('with Parcel worker: true works', () => {
  beforeAll(() => installPackage('parcel'));

  it('in a build', async () => {
    const app = make('parcel', 'build');
    const args = ['build', 'index.html', '--cache-dir', 'cache', '--no-source-maps'];
    await app.run('parcel/lib/bin.js', args);

    // Parcel writes a script into the page.
    const policy = "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
    expect(await shownIn(join(app.folder, 'dist'), policy)).toEqual({
      title: RESULT,
      problems: [],
    });
  });
});

describe.each(MODULE_BUNDLERS)('with %s', (tool, program, args) => {
  beforeAll(() => installPackage(tool));

  async function built(name: string, examples: Record<string, string>) {
    const app = make(tool, name, { 'worker.js': 'worker.js', ...examples });
    // A storage of the app, for the worker that has one.
    const storage = "export { memoryStorage as myStorage } from 'entitable/storage/memory';";
    writeFileSync(join(app.folder, 'my-storage.js'), storage);
    await app.run(program, ['main.js', 'worker.js', ...args]);
    const folder = join(app.folder, 'dist');
    copyFileSync(join(app.folder, 'index.html'), join(folder, 'index.html'));
    return folder;
  }

  it.each([
    ['a worker of the app', { 'account.js': 'own.js' }],
    ['a SharedWorker', { 'account.js': 'shared.js' }],
    ['a worker with its own storage', { 'account.js': 'no-storage.js', 'worker.js': 'storage.js' }],
  ])('%s works', async (name, examples) => {
    const folder = await built(name.replaceAll(' ', '-'), examples);

    expect(await shownIn(folder)).toEqual({ title: RESULT, problems: [] });
  });

  it('worker: true says what to do', async () => {
    const { title } = await shownIn(await built('missing', TRUE));

    expect(title).toContain(REMEDY);
  });
});
