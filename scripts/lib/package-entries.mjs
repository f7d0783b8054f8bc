// package-entries.mjs - the entries of the package. Each has a source of its name in js/src.
//
// This is the only list of them. scripts/generate-entries.mjs writes what package.json and the
// sources say of entries, and tests/js/entry-lists.node.test.ts compares it.

import { readdirSync } from 'node:fs';

import { ROOT } from './project.mjs';

/** The languages that forms have messages in. */
export const LANGUAGES = readdirSync(`${ROOT}js/src/forms/messages`)
  .map((file) => file.replace('.ts', ''))
  .sort();

/** These need the types of a framework, which an app has anyway. */
export const FOR_FRAMEWORKS = ['angular', 'react', 'solid', 'svelte', 'tanstack-db', 'vue'];

/** These need the types of Node. */
export const FOR_NODE = ['server', 'storage/file'];

/** The same as another entry, for some bundlers and workers. */
export const REPEATING = ['inline', 'recovery/inline', 'service-worker', 'sync/inline'];

// Of use where no browser is.
const ELSEWHERE = [
  ...FOR_NODE,
  ...['edge', 'files', 'vite', 'storage/contract', 'storage/deno-kv', 'storage/durable-object'],
];

const STORAGES = [
  ...['contract', 'deno-kv', 'durable-object', 'encrypted', 'file', 'indexeddb'],
  ...['max-value-bytes', 'memory', 'opfs', 'persistence', 'postgres'],
];

export const ENTRIES = [
  ...['index', 'inline', 'archive', 'recovery', 'recovery/inline', 'remote', 'schema', 'forms'],
  ...LANGUAGES.map((language) => `forms/messages/${language}`),
  ...['service-worker', 'http', 'server', 'edge', 'explorer', 'files', 'sync', 'sync/inline'],
  ...['vite', 'worker', 'migrate/dexie'],
  ...FOR_FRAMEWORKS,
  ...STORAGES.map((name) => `storage/${name}`),
];

export const IN_BROWSERS = ENTRIES.filter((name) => !ELSEWHERE.includes(name));

/** The modules of the package that an app may name. Entries for pages name their parts. */
const MODULES = ['entitable', 'entitable-sync', 'entitable-verify'];

/** The name that programs import. */
export const importedName = (name) => (name === 'index' ? 'entitable' : `entitable/${name}`);

const scriptOf = (name) => `./dist/${name}.js`;
const pathOf = (name) => importedName(name).replace('entitable', '.');

// Bundlers that know the condition `module` but copy no file get the module of the entry as text.
const withInline = (name, inline) => ({
  module: {
    node: scriptOf(inline),
    webpack: scriptOf(name),
    production: { browser: scriptOf(name) },
    default: scriptOf(inline),
  },
});

const CONDITIONS = {
  index: { worker: scriptOf('service-worker'), ...withInline('index', 'inline') },
  recovery: withInline('recovery', 'recovery/inline'),
  sync: withInline('sync', 'sync/inline'),
};

/** The `exports` of package.json. */
export const packageExports = () => ({
  ...Object.fromEntries(
    ENTRIES.map((name) => [
      pathOf(name),
      { types: `./dist/${name}.d.ts`, ...CONDITIONS[name], default: scriptOf(name) },
    ]),
  ),
  ...Object.fromEntries(MODULES.map((name) => [`./${name}.wasm`, `./dist/${name}.wasm`])),
});

/** The `alias` of package.json, for Parcel, which does not read `exports`. */
export const packageAlias = () =>
  Object.fromEntries(
    ENTRIES.filter((name) => name !== 'index').map((name) => [pathOf(name), scriptOf(name)]),
  );
