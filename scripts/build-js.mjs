// build-js.mjs - the package in dist/: an ES module for each entry of `exports`,
// what they share in chunks, their types, and the WebAssembly module.

import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';

import { unlessFresh } from './lib/fresh.mjs';
import { readPackage } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';

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
      outputs: ['dist/index.js', 'dist/index.d.ts', 'dist/entitable.wasm'],
    },
    async () => {
      rmSync('dist', { recursive: true, force: true });
      await bundle();
      copyFileSync('build/js/entitable.wasm', 'dist/entitable.wasm');
      checkModuleUrl();
      for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json']) {
        await run('node_modules/.bin/tsc', ['-p', project]);
      }
    },
  );
}

async function bundle() {
  const { build } = await import('esbuild');
  const common = {
    outbase: 'js/src',
    outdir: 'dist',
    bundle: true,
    minify: true,
    sourcemap: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  };
  await build({
    ...common,
    entryPoints: entries(),
    // Chunks go into dist/ itself: the one that holds load.ts has the module beside it.
    chunkNames: 'chunk-[hash]',
    external: ['node:*'],
    splitting: true,
  });
  // The command uses the entries as anybody does, so that they are cut into chunks for pages alone.
  await build({
    ...common,
    entryPoints: ['js/src/cli.ts'],
    external: ['node:*'],
    plugins: [entriesBeside],
  });
}

// In dist/ the files of the command are one, right beside the entries.
const entriesBeside = {
  name: 'entries-beside',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.\/(index|http|storage\/\w+)\.js$/ }, ({ path }) => ({
      path: path.replace('../', './'),
      external: true,
    })),
};

// './storage/memory' → './dist/storage/memory.js' comes from js/src/storage/memory.ts.
function entries() {
  return Object.values(readPackage().exports)
    .map((entry) => entry.default)
    .filter(Boolean)
    .map((path) => path.replace('./dist/', 'js/src/').replace(/\.js$/, '.ts'));
}

// A bundler finds the module only by this expression, and only beside its script.
function checkModuleUrl() {
  const holders = readdirSync('dist', { recursive: true })
    .filter((name) => name.endsWith('.js'))
    .filter((name) =>
      /new URL\(["']\.\/entitable\.wasm["'],\s*import\.meta\.url\)/.test(
        readFileSync(`dist/${name}`, 'utf8'),
      ),
    );
  if (holders.length === 1 && !holders[0].includes('/')) return;
  throw new Problem(
    `new URL('./entitable.wasm', import.meta.url) must stand once, in a script right in dist/; found: ${holders.join(', ') || 'none'}`,
  );
}
