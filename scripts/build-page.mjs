// build-page.mjs - the demo page in web-demo/dist, as web-demo/vite.config.ts says.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { unlessFresh } from './lib/fresh.mjs';

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
        ...['build/js/entitable.wasm', 'build/js/entitable-core.mjs'],
      ],
      outputs: ['web-demo/dist/index.html'],
    },
    async () => {
      const { build } = await import('vite');
      await build({ configFile: 'web-demo/vite.config.ts', logLevel: 'warn' });
    },
  );
}
