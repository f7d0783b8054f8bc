// build-js.mjs - builds the package in dist/: a script for each source, types, and the WebAssembly
// modules. With a script for each source, the bundler of an app takes only what the app uses.

import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path/posix';
import { gzipSync } from 'node:zlib';

import { GLUE, MODULES } from './build-wasm.mjs';
import { unlessFresh } from './lib/fresh.mjs';
import { listFiles } from './lib/package-files.mjs';
import { readPackage } from './lib/project.mjs';
import { run } from './lib/run.mjs';

// It is imported later, because this file is loaded before the packages are installed.
let esbuild;

// These scripts load nothing later, because service workers forbid it.
const WHOLE = ['service-worker', 'account-worker', 'cli'];

// Scripts that the ones above import nevertheless. Programs compare errors with the class, so the
// class must exist once. The other scripts are large.
const BESIDE_WHOLE = ['archive', 'base/errors', 'storage/file', 'storage/memory'];

// The modules that pages load. Each also exists as text: a script whose default export is Base64 of
// the bytes, compressed with gzip.
const IN_PAGES = MODULES.filter((name) => name !== 'entitable-server');

// Scripts that have no source. Sources import them by these names, after a `#`.
const MADE = {
  ...Object.fromEntries(GLUE.map((name) => [`${name}-core`, `core/${name}-core`])),
  ...Object.fromEntries(IN_PAGES.map((name) => [`${name}-text`, `${name}-text`])),
  files: 'file-list',
};

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
        'scripts/lib/package-files.mjs',
      ],
      outputs: ['dist/index.js', 'dist/index.d.ts', 'dist/cli.js', ...MODULES.map(wasmOf)],
    },
    async () => {
      esbuild = await import('esbuild');
      rmSync('dist', { recursive: true, force: true });
      await writeEach(await reachedFrom(entries()));
      for (const name of WHOLE) await writeWhole(name);
      for (const name of MODULES) copyFileSync(`build/js/${name}.wasm`, wasmOf(name));
      writeMade();
      for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json']) {
        await run('node_modules/.bin/tsc', ['-p', project]);
      }
    },
  );
}

const wasmOf = (name) => `dist/${name}.wasm`;
const sourceOf = (name) => `js/src/${name}.ts`;

// './dist/storage/memory.js' in `exports` is the script 'storage/memory'.
function entries() {
  return [...new Set(JSON.stringify(readPackage().exports).match(/[^"]+\.js(?=")/g))]
    .map((path) => path.replace('./dist/', '').replace(/\.js$/, ''))
    .filter((name) => !WHOLE.includes(name));
}

// The sources of these scripts and of everything that they import. Leaves out `WHOLE`.
async function reachedFrom(names) {
  const { metafile } = await esbuild.build({
    ...options(names.map(sourceOf)),
    write: false,
    metafile: true,
    plugins: [leaving((name) => WHOLE.includes(name))],
  });
  return Object.keys(metafile.inputs);
}

// Writes each source as a script, which imports the others.
async function writeEach(sources) {
  await esbuild.build({ ...options(sources), plugins: [leaving(() => true)] });
}

// Writes a script together with everything that it imports.
async function writeWhole(name) {
  const plugins = [leaving((other) => BESIDE_WHOLE.includes(other), name)];
  await esbuild.build({ ...options([sourceOf(name)]), plugins });
}

function options(sources) {
  return {
    entryPoints: sources,
    outdir: 'dist',
    outbase: 'js/src',
    bundle: true,
    sourcemap: true,
    // The package has the sources, so the maps do not need them.
    sourcesContent: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
    external: ['node:*'],
  };
}

// Keeps an import as an import if the build makes its target, or if `isLeft` holds for the name of
// its target. Its address is relative to `script`: by default, the script of the importing source.
function leaving(isLeft, script) {
  return {
    name: 'leaving',
    setup({ onResolve }) {
      onResolve({ filter: /^[.#]/ }, ({ path, importer, resolveDir, kind }) => {
        if (kind === 'entry-point') return undefined;
        const made = path.startsWith('#') ? MADE[path.slice(1)] : undefined;
        const name = made ?? nameOf(resolve(resolveDir, path));
        if (!made && !isLeft(name)) return undefined;
        // With the name of the package, the conditions of its `exports` choose the entry.
        if (name === 'index') return { path: 'entitable', external: true, sideEffects: false };
        const address = relative(dirname(script ?? nameOf(importer)), name);
        const start = address.startsWith('.') ? '' : './';
        return { path: `${start}${address}.js`, external: true, sideEffects: false };
      });
    },
  };
}

// The name of a source. Imports name sources with the ending .js.
const nameOf = (path) => relative(resolve('js/src'), path).replace(/\.[jt]s$/, '');

function writeMade() {
  for (const name of GLUE) {
    // Emscripten writes the glue in one line.
    const text = readFileSync(`build/js/${name}-core.mjs`, 'utf8');
    const { code } = esbuild.transformSync(text, { lineLimit: 100 });
    writeFileSync(`dist/core/${name}-core.js`, code);
  }
  for (const name of IN_PAGES) {
    const bytes = gzipSync(readFileSync(`build/js/${name}.wasm`), { level: 9 });
    writeDefault(`${name}-text`, bytes.toString('base64'));
  }
  // The list contains the other files, so it comes last.
  writeDefault('file-list', listFiles(readPackage().exports));
}

function writeDefault(name, value) {
  writeFileSync(`dist/${name}.js`, `export default ${JSON.stringify(value, undefined, 2)};\n`);
}
