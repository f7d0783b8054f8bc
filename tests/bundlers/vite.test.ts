import { execSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { isTested } from '../../scripts/test/tier.mjs';
import { openBrowser } from '../package/support/browser.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, RESULT, useWrongFilter } from './support/app.js';
import { newPage, shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('vite'));
useBrowser();

interface Patterns {
  readonly globPatterns: string[];
  readonly globIgnores: string[];
}

// A validation that begins before the account is open takes the same module.
const SYNCED = `
import { defineTable, t } from 'entitable/schema';
import { memoryStorage } from 'entitable/storage/memory';
import { openAccount } from 'entitable/sync';

const pets = defineTable('Pets', { partitionKey: t.string(), rowKey: t.string() });
const validated = pets.validate({ partitionKey: 'p', rowKey: 'r' });
openAccount({
  storage: memoryStorage(),
  tables: { pets },
  sync: { remote: { url: 'http://localhost/a' }, tables: { pets: {} } },
}).then(async (account) => {
  await account.sync.pending('pets');
  document.title = (await validated).issues ? 'refused' : 'done';
});
`;

const DECLARED = `
import { openAccount } from 'entitable';
import { defineTable, t } from 'entitable/schema';
import { memoryStorage } from 'entitable/storage/memory';

const pets = defineTable('Pets', { id: t.id(), name: t.string() }, { key: 'id' });
openAccount({ storage: memoryStorage(), tables: { pets } }).then(async ({ tables }) => {
  await tables.pets.list();
  document.title = 'done';
});
`;

/** The files that a page of this folder fetches until it has another title. */
async function filesFetchedFrom(folder: string, title = 'done'): Promise<string[]> {
  const server = await serve(folder, { port: 0 });
  onTestFinished(() => server.close());
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const fetched: string[] = [];
  page.on('request', (request) => {
    fetched.push(new URL(request.url()).pathname.slice(1) || 'index.html');
  });
  await page.goto(server.url);
  await page.waitForFunction(() => document.title !== 'waiting');
  expect(await page.title()).toBe(title);
  return fetched;
}

describe.each(['vite-5', 'vite-6', 'vite-7', 'vite-8'].filter(isTested))(
  'with %s an app works',
  (version) => {
    const program = `${version}/bin/vite.js`;

    it('served while it is written', async () => {
      const app = makeApp('vite', `${version}-dev`);
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
    });

    it('served while it is written, in the page of the first steps', async () => {
      const app = makeApp('vite', `${version}-start`);
      const page = exampleNamed('docs/start.md', 'start.html').replace('Tasks', 'waiting');
      writeFileSync(join(app.folder, 'index.html'), page);
      // The tool's folder has what the second command would install.
      const [makePackage, install] = exampleNamed('docs/start.md', 'start.sh').trim().split('\n');
      expect(install).toBe('npm install entitable vite');
      rmSync(join(app.folder, 'package.json'));
      execSync(makePackage!, { cwd: app.folder, stdio: 'pipe' });
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
    });

    it('served while it is written, which warns of a wrong filter', async () => {
      const app = makeApp('vite', `${version}-warnings`);
      useWrongFilter(app);
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: 'unknown-property', problems: [] });
    });

    it('built', async () => {
      const app = makeApp('vite', version);

      expect(await app.run(program, ['build'])).not.toMatch(/warn/i);

      const server = await serve(join(app.folder, 'dist'), { port: 0 });
      expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
      await server.close();
    });

    it('built, and Workbox caches the module that the page fetches, and no other', async () => {
      const app = makeApp('vite', `${version}-offline`);
      writeFileSync(join(app.folder, 'main.js'), SYNCED);
      const config = join(app.folder, 'workbox-config.js');
      writeFileSync(config, exampleNamed('docs/guides/offline.md', 'workbox-config.js'));
      await app.run(program, ['build']);

      const dist = join(app.folder, 'dist');
      const { globPatterns, globIgnores } = (await import(config)).default as Patterns;
      const isOf = (globs: string[], file: string) => globs.some((glob) => matchesGlob(file, glob));
      const cached = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(
        (file) => isOf(globPatterns, file) && !isOf(globIgnores, file),
      );
      const fetched = await filesFetchedFrom(dist);
      expect(fetched.filter((file) => !cached.includes(file))).toEqual([]);
      const isModule = (file: string) => file.endsWith('.wasm');
      expect(cached.filter(isModule)).toEqual(fetched.filter(isModule));
      expect(cached.join()).not.toContain('account-worker');
    });

    it('built with a service worker of the plugin, which opens it without a network', async () => {
      const app = makeApp('vite', `${version}-worker`);
      const example = (name: string) => exampleNamed('docs/guides/offline.md', name);
      writeFileSync(join(app.folder, 'register.js'), example('register.js'));
      writeFileSync(join(app.folder, 'main.js'), `import './register.js';\n${SYNCED}`);
      writeFileSync(join(app.folder, 'vite.config.js'), example('vite.config.js'));
      await app.run(program, ['build']);

      const server = await serve(join(app.folder, 'dist'), { port: 0 });
      const { page } = await newPage();
      const isDone = () => page.waitForFunction(() => document.title === 'done');
      await page.goto(server.url);
      await isDone();
      await page.evaluate(() => navigator.serviceWorker.ready);
      await server.close();
      await page.context().setOffline(true);
      for (const path of ['', '?from=mail', 'another/page']) {
        await page.goto(new URL(path, server.url).href);
        await isDone();
      }
      const kept = await page.evaluate(async () => {
        const [name] = await caches.keys();
        return (await (await caches.open(name!)).keys()).map(({ url }) => url);
      });
      expect(kept.join()).toContain('entitable-sync-first');
      // An app with sync never asks for it.
      expect(kept.join()).not.toContain('entitable-first');
    });

    it('built with the plugin, whose page fetches the module beside its scripts', async () => {
      const app = makeApp('vite', `${version}-plugin`);
      const config = exampleNamed('docs/guides/bundlers.md', 'vite.config.js');
      writeFileSync(join(app.folder, 'vite.config.js'), config);
      await app.run(program, ['build']);

      const dist = join(app.folder, 'dist');
      const html = readFileSync(join(dist, 'index.html'), 'utf8');
      const [, module] = /<link rel="preload"[^>]* href="\/(assets\/entitable[^"]*\.wasm)"/.exec(
        html,
      )!;
      const scripts = [...html.matchAll(/<link rel="modulepreload"[^>]*href="\/([^"]*)"/g)];
      const fetched = await filesFetchedFrom(dist, RESULT);
      expect(fetched.filter((file) => file === module)).toHaveLength(1);
      for (const [, script] of scripts) expect(fetched).toContain(script);
      expect(readdirSync(join(dist, 'assets')).join()).not.toContain('account-worker');
    });

    it('built with the plugin, whose page names all that a first list needs', async () => {
      const app = makeApp('vite', `${version}-declared`);
      writeFileSync(join(app.folder, 'main.js'), DECLARED);
      const config = exampleNamed('docs/guides/bundlers.md', 'vite.config.js');
      writeFileSync(join(app.folder, 'vite.config.js'), config);
      await app.run(program, ['build']);

      const dist = join(app.folder, 'dist');
      const html = readFileSync(join(dist, 'index.html'), 'utf8');
      const fetched = await filesFetchedFrom(dist);
      // The second part of the module comes after it.
      const assets = fetched.filter((file) => /^assets\/(?!entitable-rest-)/.test(file));
      expect(assets.filter((file) => !html.includes(file))).toEqual([]);
    });

    it('built without the script of warnings', async () => {
      const app = makeApp('vite', `${version}-production`);
      useWrongFilter(app);

      await app.run(program, ['build']);

      const assets = join(app.folder, 'dist/assets');
      const texts = readdirSync(assets).map((file) => readFileSync(join(assets, file), 'utf8'));
      expect(texts.join('')).toContain('developmentWarnings');
      expect(texts.join('')).not.toContain('unknown-property');
    });
  },
);
