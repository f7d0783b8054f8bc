// playground.mjs - the files of the playground (playground/), which the site has in a folder of
// that name: its scripts, the package as one script, the types of both, and the examples.

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path/posix';

import { examplesIn, isForServers } from '../lib/documents.mjs';
import { FOR_FRAMEWORKS, IN_BROWSERS, REPEATING, importedName } from '../lib/package-entries.mjs';

// A program in the frame has neither the browser's storages nor another script to load.
const WITHOUT = [
  ...[...FOR_FRAMEWORKS, ...REPEATING, 'explorer', 'worker', 'migrate/dexie'],
  ...['storage/indexeddb', 'storage/opfs', 'storage/persistence', 'storage/postgres'],
  // Each needs a module of its own, which every visitor would load.
  ...['recovery', 'sync'],
];

const ENTRIES = IN_BROWSERS.filter((name) => !WITHOUT.includes(name));
const NAMES = ENTRIES.map(importedName);

// The libraries of TypeScript with which the examples compile.
const LIBRARIES = ['es2022', 'esnext.disposable', 'dom', 'dom.iterable'];

/** Writes them all into a folder. */
export async function writePlayground(out) {
  mkdirSync(out, { recursive: true });
  await writeScripts(out);
  writeJson(join(out, 'entries.json'), await writeLibrary(out));
  writeJson(join(out, 'types.json'), types());
  writeJson(join(out, 'examples.json'), playgroundExamples());
  for (const name of ['frame.html', 'style.css']) cpSync(join('playground', name), join(out, name));
}

async function writeScripts(out) {
  const { build } = await import('esbuild');
  const common = {
    ...{ bundle: true, minify: true, outdir: out, target: 'es2022', logLevel: 'warning' },
    platform: 'browser',
  };
  const source = (name) => `playground/src/${name}.ts`;
  await build({ ...common, entryPoints: [source('main')], format: 'esm' });
  await build({
    ...{ ...common, entryPoints: [source('compiler-worker'), source('frame')], format: 'iife' },
    // The compiler looks for files in Node, if it is there.
    external: ['fs', 'path', 'os', 'inspector', 'perf_hooks'],
  });
}

// The frame cannot load a module from a file.
const withItsModule = (name) => (name === 'entitable' ? 'entitable/inline' : name);

/** The package as one script, with a namespace for each entry. Returns what the entries export. */
async function writeLibrary(out) {
  const { build } = await import('esbuild');
  const lines = NAMES.map(
    (name, index) => `export * as entry${index} from '${withItsModule(name)}';`,
  );
  const outfile = join(out, 'library.js');
  await build({
    stdin: { contents: lines.join('\n'), resolveDir: '.' },
    outfile,
    ...{ bundle: true, minify: true, format: 'esm', target: 'es2022', logLevel: 'warning' },
    // Or the names of the entries would lead to the sources.
    tsconfigRaw: {},
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  const library = await import(resolve(process.cwd(), outfile));
  return Object.fromEntries(
    NAMES.map((name, index) => {
      const namespace = `entry${index}`;
      return [name, { namespace, exports: Object.keys(library[namespace]) }];
    }),
  );
}

/** The declarations that programs need: of the entries, and of the platform. */
function types() {
  const files = {};
  for (const name of ENTRIES) addDeclaration(`dist/${name}.d.ts`, files);
  for (const name of LIBRARIES) addLibrary(name, files);
  const entries = ENTRIES.map((name) => [importedName(name), `/dist/${name}.d.ts`]);
  return { files, entries: Object.fromEntries(entries), libraries: LIBRARIES.map(libraryFile) };
}

const libraryFile = (name) => `lib.${name}.d.ts`;

function addDeclaration(file, files) {
  if (`/${file}` in files) return;
  const text = readFileSync(file, 'utf8');
  files[`/${file}`] = text.replace(/\n\/\/# sourceMappingURL=.*\n?$/, '\n');
  for (const [, path] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)\.js'/g)) {
    const next = join(dirname(file), `${path}.d.ts`);
    if (existsSync(next)) addDeclaration(next, files);
  }
}

function addLibrary(name, files) {
  const file = libraryFile(name);
  if (`/lib/${file}` in files) return;
  const text = readFileSync(join('node_modules/typescript/lib', file), 'utf8');
  files[`/lib/${file}`] = text;
  for (const [, next] of text.matchAll(/<reference lib="([^"]+)"/g)) addLibrary(next, files);
}

// The first program that a visitor sees.
const WELCOME = { name: 'welcome', page: 'Begin here', heading: 'A table of tasks' };

/**
 * The examples that run there. The name of one stands in an address: its page,
 * and its place among those of the page.
 */
export function playgroundExamples() {
  const runnable = examplesIn('ts').filter((example) => !isForServers(example) && runs(example));
  const found = runnable
    .map((example, index) => {
      const before = runnable.slice(0, index).filter(({ page }) => page === example.page);
      const same = before.filter(({ heading }) => heading === example.heading).length;
      const path = example.page.replace('docs/', '').replace('.md', '');
      return {
        name: `${path}/${before.length + 1}`,
        page: titleOf(example.page),
        heading: `${example.heading}${same > 0 ? ` (${same + 1})` : ''}`,
        code: example.code,
      };
    })
    .sort((one, other) => orderOf(one) - orderOf(other));
  return [{ ...WELCOME, code: readFileSync('playground/welcome.ts', 'utf8') }, ...found];
}

// The last texts of a form's draft go into `localStorage`, which the frame has not.
const runs = ({ code }) => importsIn(code).every(isThere) && !/\bdraft:/.test(code);
const importsIn = (code) => [...code.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
const isThere = (name) => NAMES.includes(name);
const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(page, 'utf8'))[1];

// A visitor begins with the recipes and guides.
const GROUPS = ['start', 'recipes', 'guides'];
function orderOf({ name }) {
  const place = GROUPS.indexOf(name.split('/')[0]);
  return place < 0 ? GROUPS.length : place;
}

const writeJson = (file, value) => {
  writeFileSync(file, JSON.stringify(value));
};
