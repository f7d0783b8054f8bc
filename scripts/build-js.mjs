// build-js.mjs - the package in dist/: the files of the entries in `exports`, the files that they
// share or load later, their types, and the WebAssembly modules.

import { copyFileSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path/posix';
import { gzipSync } from 'node:zlib';

import { MODULES } from './build-wasm.mjs';
import { unlessFresh } from './lib/fresh.mjs';
import { listFiles } from './lib/package-files.mjs';
import { readPackage } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { Problem } from './lib/terminal.mjs';

// Not imported above, because this file is read before the packages are installed.
let esbuild;

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
        'scripts/lib/package-files.mjs',
      ],
      outputs: ['dist/index.js', 'dist/index.d.ts', 'dist/cli.js', ...MODULES.map(wasmOf)],
    },
    async () => {
      esbuild = await import('esbuild');
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

// The files beside the entries, with the sources that each holds: what entries share, and what is
// loaded later. No source of the pages' entries may be in two files. Names that begin with
// `entitable-` are of what the build makes.
const SHARED = {
  kinds: ['base/kinds', 'base/shown'],
  common: ['base/options'],
  'storage/shared': ['storage/bytes', 'storage/status-listeners'],
  shared: [
    ...['client/shared', 'base/base64', 'core/compile', 'core/frame-writer', 'core/page-position'],
    ...['core/adapter', 'core/snapshot-frame', 'entity/edm', 'entity/json', 'entity/keys'],
    'entity/operations',
  ],
  'recovery/shared': ['recovery/shared'],
  errors: ['base/errors'],
  'module-text': ['core/module-text'],
  // Loaded later.
  export: ['transfer/export'],
  import: ['transfer/import'],
  live: ['live/follow'],
  settings: ['client/settings'],
  'entitable-text': ['entitable-text'],
  'entitable-verify-text': ['entitable-verify-text'],
};

// What pages seldom load has a copy of what it needs, so that they get theirs in few files. Only
// errors are the same for all, because programs ask whether something is one of them.
const APART = [
  'http',
  'http/inline',
  'http/shared',
  'entitable-http-text',
  'service-worker',
  'cli',
];
const BESIDE_APART = ['archive', 'errors', 'storage/file', 'storage/memory'];

async function bundle(lineLimit) {
  const all = entries();
  const together = { ...Object.fromEntries(all.map((entry) => [entry, [entry]])), ...SHARED };
  const outputs = await Promise.all(
    Object.keys(together).map((part) => bundlePart(part, together, lineLimit)),
  );
  const homes = new Map();
  for (const [part, input] of outputs.flat()) {
    const home = homes.get(input);
    if (home) throw new Problem(`${input} is in ${home} and ${part}: add it to SHARED`);
    homes.set(input, part);
  }
  const apart = Object.fromEntries(
    [...APART, ...BESIDE_APART].map((part) => [part, together[part] ?? [part]]),
  );
  for (const part of APART) await bundlePart(part, apart, lineLimit);
  // It lists the others, so it comes last.
  await bundlePart('files', {}, lineLimit, listFiles(readPackage().exports));
}

// Makes one file of `parts`. Returns the sources in it, each with the name of the file.
async function bundlePart(part, parts, lineLimit, files) {
  const { metafile } = await esbuild.build({
    ...entryOf(part, parts[part] ?? [part]),
    outfile: `dist/${part}.js`,
    bundle: true,
    minify: true,
    lineLimit,
    metafile: true,
    sourcemap: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
    external: ['node:*'],
    plugins: [otherParts(part, parts), moduleTexts, fileList(files)],
  });
  const { inputs } = metafile.outputs[`dist/${part}.js`];
  return Object.keys(inputs)
    .filter((input) => inputs[input].bytesInOutput > 0 && !input.startsWith('other-part:'))
    .map((input) => [part, input]);
}

function entryOf(part, sources) {
  if (!SHORT.includes(part)) {
    const [source] = sources;
    return {
      entryPoints: [source.startsWith('entitable-') ? `#${source}` : `js/src/${source}.ts`],
    };
  }
  const lines = [...shortNames(sources)].map(([source, names]) =>
    reexport(
      names.map(([name, short]) => `${name} as ${short}`),
      `./js/src/${source}.js`,
    ),
  );
  return { stdin: { contents: lines.join('\n'), resolveDir: '.', sourcefile: 'parts.js' } };
}

const reexport = (names, path) => `export { ${names.join(', ')} } from '${path}';`;

// These export all that their sources do, by short names: half a kilobyte in all.
const SHORT = ['kinds', 'common', 'shared', 'http/shared', 'recovery/shared', 'storage/shared'];

// Returns for each source its exports, each with its short name.
function shortNames(sources) {
  let count = 0;
  const shortName = () => `_${(count++).toString(36)}`;
  return new Map(
    sources.map((source) => [source, exportsOf(source).map((name) => [name, shortName()])]),
  );
}

function exportsOf(source) {
  const { metafile } = esbuild.buildSync({
    entryPoints: [`js/src/${source}.ts`],
    outfile: `${source}.js`,
    format: 'esm',
    write: false,
    metafile: true,
  });
  return metafile.outputs[`${source}.js`].exports;
}

// An import of what is in another file stays an import, of that file.
function otherParts(part, parts) {
  const homes = new Map(
    Object.entries(parts).flatMap(([home, sources]) => sources.map((source) => [source, home])),
  );
  return {
    name: 'other-parts',
    setup: ({ onResolve, onLoad }) => {
      onResolve({ filter: /^\.\.?\/|^#/ }, ({ path, resolveDir, namespace }) => {
        if (namespace === 'other-part') return { path, external: true, sideEffects: false };
        const source = path.startsWith('#')
          ? path.slice(1)
          : relative(resolve('js/src'), resolve(resolveDir, path)).replace(/\.js$/, '');
        const home = homes.get(source);
        if (!home || home === part) return undefined;
        if (SHORT.includes(home))
          return { path: source, namespace: 'other-part', sideEffects: false };
        return { path: addressOf(home, part), external: true, sideEffects: false };
      });
      onLoad({ filter: /.*/, namespace: 'other-part' }, ({ path }) => {
        const home = homes.get(path);
        const names = shortNames(parts[home]).get(path);
        return {
          contents: reexport(
            names.map(([name, short]) => `${short} as ${name}`),
            addressOf(home, part),
          ),
        };
      });
    },
  };
}

function addressOf(home, part) {
  const address = relative(dirname(part), home);
  return `${address.startsWith('.') ? '' : './'}${address}.js`;
}

// '#entitable-text' is a script whose default export is the module: Base64 of its bytes,
// compressed with gzip.
const moduleTexts = {
  name: 'module-texts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#entitable.*-text$/ }, ({ path }) => ({
      path,
      namespace: 'module-text',
    }));
    onLoad({ filter: /.*/, namespace: 'module-text' }, ({ path }) => {
      const name = path.replace(/^#(.*)-text$/, '$1');
      const bytes = gzipSync(readFileSync(`build/js/${name}.wasm`), { level: 9 });
      return { contents: `export default '${bytes.toString('base64')}';`, loader: 'js' };
    });
  },
};

const fileList = (files) => ({
  name: 'file-list',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^#files$/ }, ({ path }) => ({ path, namespace: 'file-list' }));
    onLoad({ filter: /.*/, namespace: 'file-list' }, () => ({
      contents: JSON.stringify(files),
      loader: 'json',
    }));
  },
});

// './dist/storage/memory.js' in `exports` is the part 'storage/memory'. The list of files is made
// of the others.
function entries() {
  return [...new Set(JSON.stringify(readPackage().exports).match(/[^"]+\.js(?=")/g))]
    .map((path) => path.replace('./dist/', '').replace(/\.js$/, ''))
    .filter((part) => part !== 'files' && !APART.includes(part));
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
