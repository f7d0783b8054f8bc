// build-page.mjs - the demo page in web-demo/dist/: static files that any host can
// serve from any path, because every URL in them is relative.

import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';
import { Problem } from './lib/terminal.mjs';

const OUT = 'web-demo/dist';

// Real data to play with; the licence of each is in the package it comes from.
const DATASETS = ['movies.json', 'flights-200k.json'];

/** Returns false when there was nothing to do. */
export function buildPage() {
  if (!existsSync('web-demo/index.html')) throw new Problem('web-demo/index.html is missing');
  const parts = readdirSync('web-demo').filter((name) => name !== 'dist' && name !== 'README.md');
  return unlessFresh(
    {
      stamp: 'build/stamps/page',
      inputs: [
        ...parts.map((name) => join('web-demo', name)),
        ...['js/src', 'build/js', 'package.json', 'tsconfig.json', 'scripts/build-page.mjs'],
        'node_modules/vega-datasets/package.json',
      ],
      outputs: [join(OUT, 'index.html'), join(OUT, 'main.js')],
    },
    async () => {
      rmSync(OUT, { recursive: true, force: true });
      mkdirSync(join(OUT, 'data'), { recursive: true });
      for (const name of parts) {
        if (name !== 'src') cpSync(join('web-demo', name), join(OUT, name), { recursive: true });
      }
      for (const name of DATASETS) {
        copyFileSync(join('node_modules/vega-datasets/data', name), join(OUT, 'data', name));
      }
      await bundle();
      copyFileSync('build/js/entitable.wasm', join(OUT, 'entitable.wasm'));
      copyFileSync('THIRD-PARTY-NOTICES.txt', join(OUT, 'THIRD-PARTY-NOTICES.txt'));
    },
  );
}

// A service worker, when there is one, must be a file of its own under its own name.
async function bundle() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: ['main.ts', 'service-worker.ts']
      .map((name) => join('web-demo/src', name))
      .filter((path) => existsSync(path)),
    outdir: OUT,
    bundle: true,
    splitting: true,
    minify: true,
    sourcemap: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
}
