// form-sizes.mjs - what a page with the sign-up form of the guide downloads, as an app would bundle
// it, beside the same form of other libraries.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { scriptsOf } from '../bundle.mjs';

const GUIDE = 'docs/guides/forms.md';
const APPS = 'bench/validation/apps';
const OUT = 'build/bench-form';

// By the names of the rows.
const FORMS = {
  'entitable, the form alone': { app: 'entitable-form.js' },
  'entitable, with the table in IndexedDB': { contents: signUpOfGuide },
  'react-hook-form and zod, without React': {
    app: 'react-hook-form.js',
    external: ['react', 'react-dom'],
  },
  'react-hook-form and zod, with React': { app: 'react-hook-form.js' },
};

// The example of the guide, as it is.
function signUpOfGuide() {
  const [, example] = /```js [^\n]*file=sign-up\.js\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8'));
  return example;
}

const PEERS = ['react-hook-form', '@hookform/resolvers', 'zod', 'react'];

const versionOf = (name) =>
  JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version;

/** Measures the sizes of the forms, which are the same on each machine. */
export async function measureForm(results) {
  const versions = Object.fromEntries(PEERS.map((name) => [name, versionOf(name)]));
  results.data.form = { versions, sizes: await formSizes() };
  results.save();
}

/**
 * For each form, bytes after `gzip -9`: of the scripts that it loads at once, of those that it
 * needs later, and of its WebAssembly module.
 */
export async function formSizes() {
  const sizes = {};
  for (const [name, form] of Object.entries(FORMS)) sizes[name] = await sizesOf(form);
  return sizes;
}

async function sizesOf({ contents, app, external = [] }) {
  const { metafile, outputFiles } = await build({
    stdin: {
      contents: contents ? contents() : readFileSync(`${APPS}/${app}`, 'utf8'),
      resolveDir: '.',
    },
    outdir: OUT,
    bundle: true,
    minify: true,
    splitting: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    // The app is built for production, and loads the module as a file.
    conditions: ['production'],
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['node:*', ...external],
    // That of the project leads to its sources.
    tsconfigRaw: {},
    logLevel: 'error',
  });
  const sizeOf = (path) => {
    const { contents: bytes } = outputFiles.find((file) => file.path.endsWith(path));
    return gzipSync(bytes, { level: 9 }).length;
  };
  const sum = (paths) => paths.map(sizeOf).reduce((all, one) => all + one, 0);
  const atOnce = scriptsOf(metafile, `${OUT}/stdin.js`);
  const later = laterScripts(metafile).filter((path) => !atOnce.includes(path));
  const wasm = later.length > 0 ? moduleSize() : 0;
  return { atOnce: sum(atOnce), later: sum(later), wasm };
}

// What every form of ours loads later: its tools, the texts of one language, and, without an
// account, the main entry.
const LATER = /^dist\/(forms\/(bound-form-tools|messages\/de)|index)\.js$/;

function laterScripts(metafile) {
  const roots = Object.entries(metafile.outputs).filter(([, { entryPoint }]) =>
    LATER.test(entryPoint ?? ''),
  );
  return [...new Set(roots.flatMap(([path]) => scriptsOf(metafile, path)))];
}

const moduleSize = () => gzipSync(readFileSync('dist/entitable.wasm'), { level: 9 }).length;
