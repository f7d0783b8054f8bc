// build-explorer.mjs - the scripts of the explorer in dist/explorer/, from the sources of the demo.
// They import the package by its name, like the app around them, so that each class exists once.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const SOURCES = 'web-demo/src';
const FOLDER = 'dist/explorer';

// What an app mounts, and the page of a server. Other scripts are loaded with the first chart, file
// and so on.
const ENTRIES = ['explorer/mount.ts', 'explorer/served.ts'];

export async function writeExplorer() {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((name) => join(SOURCES, name)),
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    outdir: FOLDER,
    bundle: true,
    splitting: true,
    write: false,
    format: 'esm',
    charset: 'utf8',
    lineLimit: 200,
    target: 'es2022',
    // The sources are not in the package.
    sourcemap: false,
    logLevel: 'warning',
    plugins: [texts, byName],
  });
  mkdirSync(FOLDER, { recursive: true });
  const scripts = readable(outputFiles.map(({ path, text }) => [path.split('/').at(-1), text]));
  for (const [name, text] of scripts) writeFileSync(join(FOLDER, name), text);
}

// Names that a person can read, without the hashes that made them different.
function readable(scripts) {
  const names = new Map();
  for (const name of scripts.map(([made]) => made).sort((a, b) => (a < b ? -1 : 1))) {
    const base = name.replace(/-[A-Z\d]{8}\.js$/, '').replace(/\.js$/, '');
    const taken = [...names.values()];
    let number = 1;
    while (taken.includes(numbered(base, number))) number++;
    names.set(name, numbered(base, number));
  }
  const renamed = (text) =>
    text.replace(/(?<=["']\.\/)[\w.-]+\.js(?=["'])/g, (name) => names.get(name) ?? name);
  return scripts.map(([name, text]) => [names.get(name), renamed(text)]);
}

const numbered = (base, number) => `${base}${number > 1 ? `-${number}` : ''}.js`;

// `import text from './file.css?raw'`, as in Vite.
const texts = {
  name: 'texts',
  setup({ onResolve, onLoad, resolve: resolveImport }) {
    onResolve({ filter: /\?raw$/ }, async ({ path, resolveDir }) => {
      const file = path.replace(/\?raw$/, '');
      const found = await resolveImport(file, { resolveDir, kind: 'import-statement' });
      return { path: found.path, namespace: 'text' };
    });
    onLoad({ filter: /./, namespace: 'text' }, ({ path }) => ({
      contents: `export default ${inLines(readFileSync(path, 'utf8'))}`,
    }));
  },
};

// A minified style sheet is a single line, which nobody could read.
function inLines(text) {
  const lines = text.replaceAll('}', '}\n').split(/\n+/);
  return `${JSON.stringify(lines, undefined, 1)}.join('\\n')`;
}

// Of the sources of the package, the errors are imported, too: programs compare with the class.
const byName = {
  name: 'by-name',
  setup({ onResolve }) {
    onResolve({ filter: /^entitable(\/|$)/ }, ({ path }) => ({
      path,
      external: true,
      sideEffects: false,
    }));
    onResolve({ filter: /^\./ }, ({ path, resolveDir }) =>
      resolve(resolveDir, path) === resolve('js/src/base/errors.js')
        ? { path: '../base/errors.js', external: true, sideEffects: false }
        : undefined,
    );
  },
};
