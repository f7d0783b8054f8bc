// build-js.mjs - builds the package in dist/: scripts, types, and the WebAssembly modules. The
// scripts are few, because a page fetches them before its first read. The bundler of an app takes
// only what the app uses of each.

import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path/posix';
import { gzipSync } from 'node:zlib';

import { writeExplorer } from './build-explorer.mjs';
import { GLUE, MODULES } from './build-wasm.mjs';
import { unlessFresh } from './lib/fresh.mjs';
import { ENTRIES } from './lib/package-entries.mjs';
import { listFiles } from './lib/package-files.mjs';
import { readPackage, versionsOf } from './lib/project.mjs';
import { run } from './lib/run.mjs';
import { SPLIT, partsOf } from './split-module.mjs';

// It is imported later, because this file is loaded before the packages are installed.
let esbuild;

// Programs compare errors with the class, and declared tables look up the latest validator, so
// these two must exist once.
const ONCE = ['base/errors', 'validation/latest'];
// Scripts for Node may load more than pages, so these are not repeated in them.
const SHARED_ON_NODE = [
  ...['archive', 'server', 'storage/file', 'storage/memory', 'storage/postgres'],
];
// Each of these is one script that loads nothing later, because service workers forbid it. It
// imports only the others that are named here.
const BESIDE_WHOLE = {
  'service-worker': ONCE,
  'account-worker': ONCE,
  server: [...ONCE, ...SHARED_ON_NODE],
  cli: [...ONCE, ...SHARED_ON_NODE],
};
const WHOLE = Object.keys(BESIDE_WHOLE);

// The other entries.
const ROOTS = ENTRIES.filter((name) => !WHOLE.includes(name));

// For pages without a bundler: what these entries have, in one script, which loads nothing later
// but the module.
const ONE_SCRIPT = {
  name: 'entitable',
  entries: ['index', 'schema', 'forms', 'storage/indexeddb'],
};

// The driver of PostgreSQL, with the packages that it needs. Only the server loads it, and only if
// it has to: it is half as long as the server.
const DRIVER = 'server/postgres-pool';

// The modules that pages load. Each also exists as text: a script whose default export is Base64 of
// the bytes, compressed with gzip.
const IN_PAGES = MODULES.filter((name) => !name.endsWith('-server'));

// What the main entry needs at once.
const MAIN = 'client/shared';
// A part of it that an app may import without the rest.
const PARTS = ['entity/odata'];
// The errors, and what must exist once beside them: also the scripts above import this script.
const ERRORS = 'base/errors';
const BESIDE_ERRORS = ['entity/odata', 'validation/latest'];
// What these share with other scripts is one script: most first reads need the first two, and apps
// with declared tables the third.
const GROUPS = [
  { script: 'common', roots: [MAIN, 'storage/indexeddb'] },
  { script: 'schema/common', roots: ['schema'] },
];

// Scripts that have no source. Sources import them by these names, after a `#`.
const MADE = {
  ...Object.fromEntries(GLUE.map((name) => [`${name}-core`, `core/${name}-core`])),
  ...Object.fromEntries(IN_PAGES.map((name) => [`${name}-text`, `${name}-text`])),
  files: 'file-list',
  explorer: 'explorer/mount',
};

const wasmOf = (name) => `dist/${name}.wasm`;
const sourceOf = (name) => `js/src/${name}.ts`;

/** The build of dist/. */
export const JS_STEP = {
  name: 'package',
  get tools() {
    // The explorer has the packages of the page in it, and the server the driver of PostgreSQL.
    return versionsOf('esbuild', 'typescript', 'pg', 'uplot');
  },
  inputs: [
    'js/src',
    'web-demo/src',
    'web-demo/styles',
    'build/js',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.build-node.json',
    'scripts/build-js.mjs',
    'scripts/build-explorer.mjs',
    'scripts/lib/package-entries.mjs',
    'scripts/lib/package-files.mjs',
  ],
  outputs: ['dist'],
};

/** Returns false when there was nothing to do. */
export function buildJs() {
  return unlessFresh(JS_STEP, async () => {
    esbuild = await import('esbuild');
    rmSync('dist', { recursive: true, force: true });
    const scripts = scriptsOf(await readImports(ROOTS));
    await writeScripts(scripts);
    for (const name of WHOLE) await writeWhole(name, scripts);
    await writeOneScript();
    await writeDriver();
    await writeExplorer();
    for (const name of [...MODULES, ...SPLIT.flatMap(partsOf)]) {
      copyFileSync(`build/js/${name}.wasm`, wasmOf(name));
    }
    writeMade();
    for (const project of ['tsconfig.build.json', 'tsconfig.build-node.json']) {
      await run('node_modules/.bin/tsc', ['-p', project]);
    }
  });
}

// The imports of these sources and of all that they import: for each source, those that it needs at
// once, and those that it loads later. Leaves out `WHOLE`.
async function readImports(names) {
  const { metafile } = await esbuild.build({
    ...options(names.map(sourceOf)),
    outdir: 'dist',
    write: false,
    metafile: true,
    plugins: [leaving((name) => WHOLE.includes(name))],
  });
  const imports = new Map();
  for (const [path, input] of Object.entries(metafile.inputs)) {
    const named = (kind) =>
      input.imports
        .filter((one) => !one.external && one.kind === kind)
        .map((one) => nameOf(resolve(one.path)));
    imports.set(nameOf(resolve(path)), {
      now: named('import-statement'),
      later: named('dynamic-import'),
    });
  }
  return imports;
}

// Which script has each source, by its name. An entry, and a script that is loaded later, has what
// no other script needs.
function scriptsOf(imports) {
  const later = [...imports.values()].flatMap((source) => source.later);
  const roots = new Set([...ROOTS, ...later, MAIN, ...PARTS]);
  const reached = new Map([...roots].map((root) => [root, reachedFrom(root, imports, roots)]));
  const errors = new Set(
    [ERRORS, ...BESIDE_ERRORS].flatMap((name) => [...reachedFrom(name, imports, roots)]),
  );
  const scriptOf = (source) => {
    if (roots.has(source)) return source;
    if (errors.has(source)) return ERRORS;
    const users = [...roots].filter((root) => reached.get(root).has(source));
    if (users.length === 1) return users[0];
    const isOf = ({ roots: shared }) => users.some((user) => shared.includes(user));
    return GROUPS.find(isOf)?.script ?? source;
  };
  return new Map([...imports.keys()].map((source) => [source, scriptOf(source)]));
}

// The sources that one needs at once. Those of another root belong to that root.
function reachedFrom(root, imports, roots) {
  const reached = new Set([root]);
  for (const source of reached) {
    if (source !== root && roots.has(source)) continue;
    for (const next of imports.get(source).now) reached.add(next);
  }
  return reached;
}

// `scripts`: the script of each source.
async function writeScripts(scripts) {
  for (const script of new Set(scripts.values())) {
    const isElsewhere = (name) => scripts.get(name) !== script;
    const members = [...scripts.keys()].filter((source) => scripts.get(source) === script);
    await esbuild.build({
      ...options([]),
      ...entryOf(script, members),
      outfile: `dist/${script}.js`,
      plugins: [leaving(isElsewhere, script, (name) => scripts.get(name) ?? name)],
    });
  }
}

// A script that is no source, or holds the errors, exports all of its sources to the others.
function entryOf(script, members) {
  const isGroup = GROUPS.some((group) => group.script === script);
  if (!isGroup && script !== ERRORS) return { entryPoints: [sourceOf(script)] };
  const contents = members.map((source) => `export * from './${source}';`).join('\n');
  return { stdin: { contents, resolveDir: 'js/src' } };
}

// Writes a script together with everything that it imports. `scripts`: the script of each source.
async function writeWhole(name, scripts) {
  const isBeside = (other) => BESIDE_WHOLE[name].includes(other) || other === DRIVER;
  const plugins = [leaving(isBeside, name, (other) => scripts.get(other) ?? other)];
  await esbuild.build({ ...options([sourceOf(name)]), outdir: 'dist', outbase: 'js/src', plugins });
}

// Nobody builds the page that loads it, so it is minified here, and made for production.
function writeOneScript() {
  const { name, entries } = ONE_SCRIPT;
  return esbuild.build({
    ...options([]),
    stdin: {
      contents: entries.map((entry) => `export * from './${entry}';`).join('\n'),
      resolveDir: 'js/src',
    },
    outfile: `dist/${name}.js`,
    minify: true,
    sourcemap: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: {
      '#entitable-core': resolve('build/js/entitable-core.mjs'),
      entitable: resolve(sourceOf('index')),
    },
  });
}

// Its packages are in CommonJS, and call `require` for the modules of Node.
function writeDriver() {
  return esbuild.build({
    ...options([sourceOf(DRIVER)]),
    outdir: 'dist',
    outbase: 'js/src',
    platform: 'node',
    // The sources of other projects are not in the package.
    sourcemap: false,
    // Another driver, which an app may choose. It is not asked for.
    external: ['pg-native'],
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
  });
}

function options(sources) {
  return {
    entryPoints: sources,
    bundle: true,
    sourcemap: true,
    // The package has the sources, so the maps do not need them.
    sourcesContent: false,
    format: 'esm',
    charset: 'utf8',
    target: 'es2022',
    // The bundler of an app decides; esbuild would write 'development' here.
    define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
    logLevel: 'warning',
    // An app has the frameworks already.
    external: ['node:*', ...Object.keys(readPackage().peerDependencies)],
  };
}

// Keeps an import as an import if the build makes its target, or if `isLeft` holds for the name of
// its target. Its address leads from `script` to the script that `scriptOf` returns for the target.
function leaving(isLeft, script = '.', scriptOf = (name) => name) {
  return {
    name: 'leaving',
    setup({ onResolve }) {
      onResolve({ filter: /^([.#]|entitable$)/ }, ({ path, resolveDir, kind }) => {
        if (kind === 'entry-point') return undefined;
        const made = path.startsWith('#') ? MADE[path.slice(1)] : undefined;
        const name = made ?? (path === 'entitable' ? 'index' : nameOf(resolve(resolveDir, path)));
        if (!made && !isLeft(name)) return undefined;
        // With the name of the package, the conditions of its `exports` choose the entry.
        if (name === 'index') return { path: 'entitable', external: true, sideEffects: false };
        const address = relative(dirname(script), scriptOf(name));
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
  writeDefault('file-list', listFiles());
}

function writeDefault(name, value) {
  writeFileSync(`dist/${name}.js`, `export default ${JSON.stringify(value, undefined, 2)};\n`);
}
