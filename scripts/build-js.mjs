// build-js.mjs - the package in dist/: an ES module for each entry of `exports`,
// what they share in chunks, their types, and the WebAssembly module.

import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';

import { MODULES } from './build-wasm.mjs';
import { unlessFresh } from './lib/fresh.mjs';
import { readPackage } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';

const wasmOf = (name) => `dist/${name}.wasm`;

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
      outputs: ['dist/index.js', 'dist/index.d.ts', 'dist/cli.js', ...MODULES.map(wasmOf)],
    },
    async () => {
      rmSync('dist', { recursive: true, force: true });
      await bundle();
      for (const name of MODULES) {
        copyFileSync(`build/js/${name}.wasm`, wasmOf(name));
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
  const common = {
    outbase: 'js/src',
    outdir: 'dist',
    bundle: true,
    // Names and lines stay: an uncaught error prints its line, and the stack has names.
    minifySyntax: true,
    sourcemap: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  };
  await build({
    ...common,
    entryPoints: [...entries().filter((path) => !APART.includes(path)), 'js/src/errors.ts'],
    // Chunks go into dist/ itself: the one that holds load.ts has the module beside it.
    chunkNames: 'chunk-[hash]',
    external: ['node:*'],
    splitting: true,
  });
  await build({
    ...common,
    entryPoints: APART,
    external: ['node:*'],
    plugins: [entriesBeside],
  });
}

// What pages do not load has a copy of what it needs, so that they get theirs in few chunks. Only
// errors are the same for all, because programs ask whether something is one of them.
const APART = ['js/src/http.ts', 'js/src/service-worker.ts', 'js/src/cli.ts'];

// In dist/ each of those is one file, right beside the entries that it imports.
const entriesBeside = {
  name: 'entries-beside',
  setup: ({ onResolve }) =>
    onResolve(
      { filter: /^\.\.?\/(errors|archive|http|storage\/(file|memory))\.js$/ },
      ({ path }) => ({
        path: path.replace(/^\.\.?\//, './'),
        external: true,
      }),
    ),
};

// './storage/memory' → './dist/storage/memory.js' comes from js/src/storage/memory.ts.
function entries() {
  return Object.values(readPackage().exports)
    .map((entry) => entry.default)
    .filter(Boolean)
    .map((path) => path.replace('./dist/', 'js/src/').replace(/\.js$/, '.ts'));
}

// A bundler finds the module only by this expression, and only beside its script.
function checkModuleUrl(name) {
  const expression = new RegExp(
    String.raw`new URL\(\s*["']\./${name}\.wasm["'],\s*import\.meta\.url\s*\)`,
  );
  const holders = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .filter((file) => expression.test(readFileSync(`dist/${file}`, 'utf8')))
    // The main entry once more, in one piece, which stands right there, too.
    .filter((file) => file !== 'service-worker.js');
  if (holders.length === 1 && !holders[0].includes('/')) return;
  throw new Problem(
    `new URL('./${name}.wasm', import.meta.url) must stand once, in a script right in dist/; found: ${holders.join(', ') || 'none'}`,
  );
}
