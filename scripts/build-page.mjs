// build-page.mjs - the pages of the demo in web-demo/dist, as web-demo/vite.config.ts says, and
// their service worker.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';
import { SPLIT, partsOf } from './split-module.mjs';

const NAMES = ['index', 'remote', 'form', 'live', 'sync', 'doctor', 'vault'];
const PAGES = NAMES.map((name) => `${name}.html`);
const SERVICE_WORKER = 'service-worker.js';
const DIST = 'web-demo/dist';

/** Returns false when there was nothing to do. */
export function buildPage() {
  const sources = readdirSync('web-demo').filter((name) => name !== 'dist');
  return unlessFresh(
    {
      name: 'page',
      inputs: [
        ...sources.map((name) => join('web-demo', name)),
        ...['js/src', 'package.json', 'package-lock.json', 'tsconfig.json'],
        ...['THIRD-PARTY-NOTICES.txt', 'scripts/lib/wasm-from-the-build.mjs'],
        ...[...SPLIT.flatMap(partsOf), 'entitable-verify'].map((name) => `build/js/${name}.wasm`),
        'build/js/entitable-core.mjs',
      ],
      outputs: [DIST],
    },
    async () => {
      for (const page of PAGES) await buildOne(page);
      await buildServiceWorker();
    },
  );
}

// Each page is built by itself: with common scripts, each would load what only the other needs.
async function buildOne(page) {
  const { build } = await import('vite');
  await build({
    ...{ configFile: 'web-demo/vite.config.ts', logLevel: 'warn' },
    build: {
      emptyOutDir: page === PAGES[0],
      rolldownOptions: { input: join('web-demo', page) },
    },
  });
}

async function buildServiceWorker() {
  const { build } = await import('vite');
  await build({
    ...{ configFile: false, logLevel: 'warn', root: 'web-demo', publicDir: false },
    define: { FILES: JSON.stringify(filesToStore()), 'process.env.NODE_ENV': '"production"' },
    build: {
      ...{ target: 'es2022', emptyOutDir: false },
      lib: {
        ...{ entry: 'src/service-worker.ts', formats: ['iife'], name: 'serviceWorker' },
        fileName: () => SERVICE_WORKER,
      },
    },
  });
}

// What a browser stores when it installs the service worker. It fetches a file again if the
// revision differs. The name of a file in assets/ changes with the content, so it needs none.
function filesToStore() {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(css|html|js|svg|wasm|webmanifest)$/.test(name) && name !== SERVICE_WORKER)
    .sort()
    .map((url) => ({ url, revision: url.startsWith('assets/') ? null : revisionOf(url) }));
}

const revisionOf = (name) =>
  createHash('sha256')
    .update(readFileSync(join(DIST, name)))
    .digest('hex');
