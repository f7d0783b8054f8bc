// The app of the guide whose account is in OPFS, and so in a worker.

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { isTested } from '../../scripts/test/tier.mjs';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, type App } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';
import { MODULE_BUNDLERS, WEBPACK_CONFIG, WEBPACKS } from './support/tools.js';

useBrowser();

const FILES = ['main.js', 'pets-worker.js', 'vite.config.js'];
const MOVING_WORKER = 'moving-worker.js';

const exampleOf = (file: string) => exampleNamed('docs/guides/storage.md', file);

/** The tool is named with its package in `node_modules`. */
function makeOpfsApp(tool: string, name: string): App {
  const app = makeApp(tool, `opfs-${name}`);
  for (const file of FILES) writeFileSync(join(app.folder, file), exampleOf(file));
  return app;
}

/** Expects what the page of the app shows, when it was built into `dist`. */
async function expectShown(folder: string, title: string, headers = {}): Promise<void> {
  const server = await serve(folder, { port: 0, headers });
  onTestFinished(() => server.close());
  expect(await shownAt(server.url)).toEqual({ title, problems: [] });
}

describe.each(['vite-5', 'vite-8'].filter(isTested))(
  'with %s an app with OPFS works',
  (version) => {
    beforeAll(() => installPackage('vite'));
    const program = `${version}/bin/vite.js`;

    it('served while it is written', async () => {
      const app = makeOpfsApp('vite', `${version}-dev`);
      const url = await app.start(program, ['--port', '0']);

      expect(await shownAt(url)).toEqual({ title: 'Rex', problems: [] });
    });

    it('built', async () => {
      const app = makeOpfsApp('vite', version);
      await app.run(program, ['build']);

      await expectShown(join(app.folder, 'dist'), 'Rex');
    });
  },
);

it.each(WEBPACKS)('with %s an app with OPFS works', async (tool, program) => {
  installPackage(tool);
  const app = makeOpfsApp(tool, 'build');
  writeFileSync(join(app.folder, `${tool}.config.js`), WEBPACK_CONFIG);
  await app.run(program, ['build', '--mode', 'production']);
  copyFileSync(join(app.folder, 'index.html'), join(app.folder, 'dist/index.html'));

  await expectShown(join(app.folder, 'dist'), 'Rex');
});

it.runIf(isTested('parcel'))('with Parcel an app with OPFS works', async () => {
  installPackage('parcel');
  const app = makeOpfsApp('parcel', 'build');
  const settings = exampleNamed('docs/guides/bundlers.md', 'package.json');
  writeFileSync(join(app.folder, 'package.json'), settings);
  // Parcel reads the settings of the folder that has a lock file.
  writeFileSync(join(app.folder, 'package-lock.json'), '{}');
  await app.run('parcel/lib/bin.js', ['build', 'index.html', '--cache-dir', 'cache']);

  // Parcel writes a script into the page.
  await expectShown(join(app.folder, 'dist'), 'Rex', {
    'content-security-policy': "script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'",
  });
});

it.each(MODULE_BUNDLERS)('with %s an app with OPFS works', async (tool, program, args) => {
  installPackage(tool);
  const app = makeOpfsApp(tool, 'build');
  await app.run(program, ['main.js', 'pets-worker.js', ...args]);
  copyFileSync(join(app.folder, 'index.html'), join(app.folder, 'dist/index.html'));

  await expectShown(join(app.folder, 'dist'), 'Rex');
});

it('an account moves from IndexedDB to OPFS', async () => {
  installPackage('esbuild');
  const app = makeApp('esbuild', 'opfs-moving');
  writeFileSync(join(app.folder, MOVING_WORKER), `${exampleOf('moving-worker.js')}${MOVING}`);
  writeFileSync(
    join(app.folder, 'main.js'),
    `const worker = new Worker(new URL('./${MOVING_WORKER}', import.meta.url), { type: 'module' });
     worker.onmessage = ({ data }) => (document.title = data);`,
  );
  const args = ['--bundle', '--format=esm', '--splitting', '--outdir=dist'];
  await app.run('esbuild/bin/esbuild', ['main.js', MOVING_WORKER, ...args]);
  copyFileSync(join(app.folder, 'index.html'), join(app.folder, 'dist/index.html'));

  await expectShown(join(app.folder, 'dist'), 'Rex, 0 left');
});

const MOVING = `
const rex = { partitionKey: 'dogs', rowKey: 'rex', name: 'Rex' };
const before = await openAccount({ storage: indexedDbStorage('my-app') });
await before.createTable('Pets');
await before.tableClient('Pets').createEntity(rex);
await before.close();
await move('my-app');
const after = await openAccount({ storage: opfsStorage('my-app') });
const { name } = await after.tableClient('Pets').getEntity('dogs', 'rex');
postMessage(\`\${name}, \${(await indexedDB.databases()).length} left\`);
`;
