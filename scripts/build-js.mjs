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
      await bundleWhole();
      for (const name of MODULES) copyFileSync(`build/js/${name}.wasm`, wasmOf(name));
      for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json']) {
        await run('node_modules/.bin/tsc', ['-p', project]);
      }
    },
  );
}

// For an uncaught error, Node and Bun print the line from which it came, so lines are short. Where
// they end, esbuild decides: not within what bundlers look for, which is tried until it is so.
async function bundleWhole() {
  let problem;
  for (let lineLimit = 300; lineLimit < 400; lineLimit += 10) {
    rmSync('dist', { recursive: true, force: true });
    await bundle(lineLimit);
    problem = MODULES.map(urlProblem).find(Boolean);
    if (!problem) return;
  }
  throw new Problem(problem);
}

async function bundle(lineLimit) {
  const { build } = await import('esbuild');
  const common = {
    outbase: 'js/src',
    outdir: 'dist',
    bundle: true,
    minify: true,
    lineLimit,
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

// A bundler finds the module only by this expression, in one line, and only beside its script.
function urlProblem(name) {
  const expression = new RegExp(
    String.raw`new URL\(["']\./${name}\.wasm["'],\s*import\.meta\.url\)`,
  );
  const holders = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .filter((file) => expression.test(readFileSync(`dist/${file}`, 'utf8')));
  // The main entry is there twice.
  const others = holders.filter((file) => file !== 'service-worker.js');
  const isWhole = holders.length - others.length === (name === 'entitable' ? 1 : 0);
  if (isWhole && others.length === 1 && !others[0].includes('/')) return undefined;
  return `new URL('./${name}.wasm', import.meta.url) must stand once in each entry with that module, which is right in dist/; found: ${holders.join(', ') || 'none'}`;
}
