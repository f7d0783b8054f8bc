// build-page.mjs - the pages of the demo in web-demo/dist, as web-demo/vite.config.ts says.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';

const PAGES = ['index.html', 'form.html', 'sync.html', 'doctor.html'];

/** Returns false when there was nothing to do. */
export function buildPage() {
  const sources = readdirSync('web-demo').filter((name) => name !== 'dist');
  return unlessFresh(
    {
      stamp: 'build/stamps/page',
      inputs: [
        ...sources.map((name) => join('web-demo', name)),
        ...['js/src', 'package.json', 'package-lock.json', 'tsconfig.json'],
        ...['THIRD-PARTY-NOTICES.txt', 'scripts/lib/wasm-from-the-build.mjs'],
        ...['entitable.wasm', 'entitable-sync.wasm', 'entitable-verify.wasm'].map(
          (name) => `build/js/${name}`,
        ),
        'build/js/entitable-core.mjs',
      ],
      outputs: PAGES.map((page) => join('web-demo/dist', page)),
    },
    async () => {
      for (const page of PAGES) await buildOne(page);
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
