// build-js.mjs - the package in dist/: an ES module for each entry of `exports`,
// what they share in chunks, their types, and the WebAssembly module.

import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';

import { unlessFresh } from './lib/fresh.mjs';
import { readPackage } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';

const MODULES = ['entitable.wasm', 'entitable-survey.wasm'];

/** Returns false when there was nothing to do. */
export function buildJs() {
  return unlessFresh(
    {
      stamp: 'build/stamps/js',
      inputs: [
        'js/src',
        'build/js',
        'package.json',
        'tsconfig.json',
        'tsconfig.build.json',
        'tsconfig.build-node.json',
        'scripts/build-js.mjs',
      ],
      outputs: ['dist/index.js', 'dist/index.d.ts', ...MODULES.map((name) => `dist/${name}`)],
    },
    async () => {
      rmSync('dist', { recursive: true, force: true });
      await bundle();
      for (const name of MODULES) {
        copyFileSync(`build/js/${name}`, `dist/${name}`);
        checkModuleUrl(name);
      }
      for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json']) {
        await run('node_modules/.bin/tsc', ['-p', project]);
      }
    },
  );
}

async function bundle() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: entries(),
    outbase: 'js/src',
    outdir: 'dist',
    // Chunks go into dist/ itself: the one that holds load.ts has the module beside it.
    chunkNames: 'chunk-[hash]',
    bundle: true,
    external: ['node:*'],
    splitting: true,
    minify: true,
    sourcemap: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
}

// './storage/memory' → './dist/storage/memory.js' comes from js/src/storage/memory.ts.
function entries() {
  return Object.values(readPackage().exports)
    .map((entry) => entry.default)
    .filter(Boolean)
    .map((path) => path.replace('./dist/', 'js/src/').replace(/\.js$/, '.ts'));
}

// A bundler finds the module only by this expression, and only beside its script.
function checkModuleUrl(module) {
  const expression = new RegExp(
    `new URL\\(["']\\./${module.replace('.', '\\.')}["'],\\s*import\\.meta\\.url\\)`,
  );
  const holders = readdirSync('dist', { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .filter((name) => expression.test(readFileSync(`dist/${name}`, 'utf8')));
  if (holders.length === 1 && !holders[0].includes('/')) return;
  throw new Problem(
    `new URL('./${module}', import.meta.url) must stand once, in a script right in dist/; found: ${holders.join(', ') || 'none'}`,
  );
}
