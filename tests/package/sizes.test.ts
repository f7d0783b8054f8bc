// The download of an app: an import of the packed package, bundled with tree shaking and minified
// like by the bundler of an app, and compressed with gzip -9. In budgets, KB is 1024 bytes.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';

import { build, type Plugin } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { bundle, downloadSize } from '../../bench/bundle.mjs';
import { ENGINES } from '../../bench/engines.mjs';
import { formSizes } from '../../bench/validation/form-sizes.mjs';
import { LANGUAGES } from '../../scripts/lib/package-entries.mjs';
import { installInto } from './support/packed.js';

// The entry, the imported name, and the most KB of scripts that load at once. Scripts that load
// later do not count, and the module does not either.
const BUDGETS = [
  ['entitable', '*', 27.8],
  ['entitable', 'odata', 1.8],
  ['entitable', 'TableError', 1],
  ['entitable', 'TableTransaction', 0.5],
  ['entitable/inline', '*', 27.3],
  // With declared tables, which other entries load later.
  ['entitable/service-worker', '*', 69],
  // With the main entry, which fromConnectionString() needs.
  ['entitable/http', '*', 33.2],
  ['entitable/http', 'createTableHandler', 8.1],
  // For programs on Node, which download nothing.
  ['entitable/server', '*', 104.5],
  ['entitable/edge', '*', 45.4],
  ['entitable/archive', '*', 8],
  // Alone. Beside the main entry, it adds less: see below.
  ['entitable/remote', '*', 15.5],
  // With the main entry.
  ['entitable/sync', '*', 39.9],
  ['entitable/sync', 'syncTables', 18.3],
  ['entitable/sync/inline', '*', 39.4],
  ['entitable/schema', '*', 27.1],
  ['entitable/schema', 't', 6.7],
  // Alone. What imports is loaded when an import begins.
  ['entitable/migrate/dexie', '*', 3.2],
  ['entitable/recovery', '*', 6.1],
  ['entitable/recovery/inline', '*', 6.2],
  ['entitable/storage/contract', '*', 8],
  ['entitable/storage/deno-kv', '*', 8.6],
  ['entitable/storage/durable-object', '*', 8],
  ['entitable/storage/encrypted', '*', 6],
  ['entitable/storage/file', '*', 16],
  ['entitable/storage/indexeddb', '*', 8],
  ['entitable/storage/max-value-bytes', '*', 6],
  ['entitable/storage/memory', '*', 4],
  ['entitable/storage/opfs', '*', 17.5],
  ['entitable/storage/persistence', '*', 1],
  ['entitable/storage/postgres', '*', 8],
  // Before it is mounted. See below for the rest.
  ['entitable/explorer', '*', 2.1],
  ['entitable/files', '*', 2.2],
  // For builds, which no page downloads.
  ['entitable/vite', '*', 1.8],
  ...LANGUAGES.map((tag) => [`entitable/forms/messages/${tag}`, '*', 1.5] as const),
  ['entitable/worker', '*', 33.2],
] as const;

// The names that an app imports of an entry, and the most KB that they add to an app that has the
// main entry and declared tables; declared tables add to the main entry alone. A page binds forms;
// the rest of forms is for servers. The rest of the entries for frameworks is for apps that sync.
const DECLARED_TABLES = 'entitable/schema';
const ADDED_BUDGETS = [
  [DECLARED_TABLES, 'defineTable, t', 21.7],
  [DECLARED_TABLES, '*', 22.7],
  ['entitable/angular', 'injectCount, injectRow, injectRows, injectTable, provideAccount', 1.51],
  ['entitable/angular', '*', 2.01],
  ['entitable/forms', 'bindForm, messagesFor', 4.2],
  ['entitable/forms', '*', 7.75],
  ['entitable/react', 'AccountProvider, useCount, useRow, useRows, useTable', 1.52],
  ['entitable/react', '*', 2.1],
  ['entitable/migrate/dexie', '*', 0.6],
  ['entitable/remote', '*', 7.1],
  ['entitable/solid', 'AccountProvider, useCount, useRow, useRows, useTable', 1.5],
  ['entitable/solid', '*', 1.96],
  ['entitable/svelte', 'setAccount, useCount, useRow, useRows, useTable', 1.5],
  ['entitable/svelte', '*', 1.95],
  ['entitable/sync', '*', 12.5],
  ['entitable/tanstack-db', '*', 4.55],
  ['entitable/vue', 'accountPlugin, provideAccount, useCount, useRow, useRows, useTable', 1.52],
  ['entitable/vue', '*', 2.1],
] as const;

// The most KB of files that an app loads as they are.
const FILE_BUDGETS = [
  // For pages without a bundler.
  ['entitable/entitable.js', 98],
  // The code of indexes takes 15 of them: docs/internals/module.md.
  ['entitable/entitable.wasm', 242],
  ['entitable/entitable-sync.wasm', 287],
  // What pages load of the two: the second part after the first list.
  ['entitable/entitable-first.wasm', 182],
  ['entitable/entitable-rest.wasm', 78],
  ['entitable/entitable-sync-first.wasm', 182],
  ['entitable/entitable-sync-rest.wasm', 126],
  ['entitable/entitable-verify.wasm', 63.3],
  // For programs on Node, compiled for speed.
  ['entitable/entitable-server.wasm', 553],
] as const;

const PARTS = ['./entitable-first.wasm', './entitable-rest.wasm'];
const PARTS_WITH_SYNC = ['./entitable-sync-first.wasm', './entitable-sync-rest.wasm'];

// The files that a bundler copies, because the script names them.
const WITH_MODULE = [
  ['entitable', 'openAccount', [...PARTS, './account-worker.js']],
  ['entitable/http', 'createTableHandler', []],
  ['entitable/recovery', 'verify', ['./entitable-verify.wasm']],
  ['entitable', 'odata', []],
  ['entitable', 'TableError', []],
  ['entitable', 'TableTransaction', []],
  ['entitable/inline', '*', ['./account-worker.js']],
  ['entitable/worker', '*', []],
  ['entitable/archive', '*', []],
  ['entitable/remote', '*', []],
  ['entitable/sync', '*', [...PARTS_WITH_SYNC, './account-worker.js']],
  ['entitable/sync/inline', '*', ['../account-worker.js']],
  ['entitable/schema', '*', []],
  ['entitable/forms', '*', []],
  ['entitable/storage/indexeddb', '*', []],
  ['entitable/storage/memory', '*', []],
  ['entitable/storage/opfs', '*', []],
] as const;

// The sizes in the documents, in KB of 1000 bytes.
const STATED = [
  ['README.md', /about (\d+) KB with\s+gzip/, beforeTheFirstList],
  ['README.md', /and (\d+) KB\s+later/, () => ofModule('entitable-rest')],
  ['docs/concepts/sizes-and-speed.md', /about (\d+) KB with\s+gzip/, beforeTheFirstList],
  ['docs/concepts/benchmarks.md', /^\| entitable \| \S+ \| (\d+) \|/m, inTheBenchmark],
  ['docs/concepts/benchmarks.md', /^\| entitable, the form alone \|.* (\d+) \|$/m, ourForm],
  ['docs/concepts/benchmarks.md', /^\| .*without React \|.* ([\d.]+) \|$/m, peersForm],
  ['docs/internals/module.md', /(\d+) KB instead of/, () => ofModule('entitable-server')],
  ['docs/internals/module.md', /KB instead of (\d+)/, () => ofModule('entitable')],
  ['docs/internals/module.md', /(\d+) KB with gzip\. An account/, () => ofModule('entitable-sync')],
  ['docs/guides/sync.md', /(\d+) KB more to download/, moreOfSync],
] as const;

const FRAMEWORKS = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { peerDependencies: object })
    .peerDependencies,
);

let app: string;

beforeAll(() => {
  app = mkdtempSync(join(tmpdir(), 'entitable-sizes-'));
  installInto(app);
});

afterAll(() => rmSync(app, { recursive: true, force: true }));

const later: Plugin = {
  name: 'later',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    );
  },
};

const importOf = (entry: string, name: string) =>
  `import ${name === '*' ? '* as used' : `{ ${name} as used }`} from '${entry}'; console.log(used);`;

const bundles = new Map<string, Promise<string>>();

/** The script of an app with these lines, which several tests may ask for. */
function bundleOf(contents: string): Promise<string> {
  const known = bundles.get(contents) ?? newBundleOf(contents);
  bundles.set(contents, known);
  return known;
}

async function newBundleOf(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: app },
    bundle: true,
    minify: true,
    format: 'esm',
    // The app is built for production, and loads the module as a file.
    conditions: ['production'],
    external: ['node:*', ...FRAMEWORKS],
    plugins: [later],
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]!.text;
}

const gzipKb = (bytes: string | Uint8Array) => gzipSync(bytes, { level: 9 }).length / 1024;

function ofModule(name: string): number {
  return 1024 * gzipKb(readFileSync(`dist/${name}.wasm`));
}

function moreOfSync(): number {
  return ofModule('entitable-sync') - ofModule('entitable');
}

// Of an app with declared tables. Their first list loads 8 KB of scripts more.
async function beforeTheFirstList(): Promise<number> {
  const text = await bundleOf(
    `import { openAccount } from 'entitable';
     import { defineTable, t } from 'entitable/schema';
     import { indexedDbStorage } from 'entitable/storage/indexeddb';
     console.log(openAccount, defineTable, t, indexedDbStorage);`,
  );
  return 1024 * gzipKb(text) + ofModule('entitable-first');
}

// Counts the scripts that load later, too.
async function inTheBenchmark(): Promise<number> {
  const { entitable } = ENGINES;
  await bundle({ entitable });
  return downloadSize('entitable').gzip;
}

function ourForm(): Promise<number> {
  return sizeOfForm('entitable, the form alone');
}

function peersForm(): Promise<number> {
  return sizeOfForm('react-hook-form and zod, without React');
}

async function sizeOfForm(name: string): Promise<number> {
  const sizes = (await formSizes()) as Record<
    string,
    { atOnce: number; later: number; wasm: number }
  >;
  const { atOnce, later, wasm } = sizes[name]!;
  return atOnce + later + wasm;
}

describe('the download', () => {
  it.each(BUDGETS)('of %s with %s has at most %d KB of scripts', async (entry, name, kb) => {
    expect(gzipKb(await bundleOf(importOf(entry, name)))).toBeLessThanOrEqual(kb);
  });

  it('has a budget for each entry', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const entries = Object.keys(manifest.exports).map((path) => path.replace('.', 'entitable'));

    const budgets = [...BUDGETS, ...ADDED_BUDGETS, ...FILE_BUDGETS];
    expect(budgets.map(([entry]) => entry)).toEqual(expect.arrayContaining(entries));
  });

  it.each(ADDED_BUDGETS)('with %s and %s grows by at most %d KB', async (entry, names, kb) => {
    const tables = `import * as tables from '${DECLARED_TABLES}'; console.log(tables);`;
    const main = `${importOf('entitable', '*')} ${entry === DECLARED_TABLES ? '' : tables}`;
    const [clause, added] =
      names === '*' ? ['* as added', 'added'] : [`{ ${names} }`, `[${names}]`];
    const both = `${main} import ${clause} from '${entry}'; console.log(${added});`;
    const [before, after] = await Promise.all([bundleOf(main), bundleOf(both)]);

    expect(gzipKb(after) - gzipKb(before)).toBeLessThanOrEqual(kb);
    for (const name of FRAMEWORKS) expect(before).not.toContain(`from"${name}`);
  });

  it.each(FILE_BUDGETS)('of %s has at most %d KB', (path, kb) => {
    const bytes = readFileSync(path.replace('entitable/', 'dist/'));

    expect(gzipKb(bytes)).toBeLessThanOrEqual(kb);
  });

  it.each(STATED)('has about the size in %s: %s', async (page, pattern, bytesOf) => {
    const [, stated] = pattern.exec(readFileSync(page, 'utf8'))!;

    expect(Math.abs((await bytesOf()) / 1000 / Number(stated) - 1)).toBeLessThan(0.05);
  });

  it('of a mounted explorer is at most 60 KB of scripts, with the styles, before charts', async () => {
    const mount = JSON.stringify(resolve('dist/explorer/mount.js'));
    const rest = await bundleOf(`import { mount } from ${mount}; console.log(mount);`);

    expect(gzipKb(rest)).toBeGreaterThan(20);
    expect(gzipKb(rest)).toBeLessThanOrEqual(60);
    expect(rest).not.toContain('uPlot');
  });

  it('of a module as text is hardly larger than the module', () => {
    for (const name of ['entitable', 'entitable-sync', 'entitable-verify']) {
      const [text, bytes] = ['-text.js', '.wasm'].map((end) => readFileSync(`dist/${name}${end}`));
      expect(gzipKb(text!)).toBeLessThanOrEqual(1.03 * gzipKb(bytes!));
    }
  });

  it.each(WITH_MODULE)('of %s with %s names the files %j', async (entry, name, files) => {
    const text = await bundleOf(importOf(entry, name));
    const found = text.matchAll(/new URL\("([^"]+)",import\.meta\.url\)/g);

    expect([...found].map(([, file]) => file)).toEqual(files);
  });
});
