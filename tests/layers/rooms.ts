// rooms.ts - who may include or import whom: arrows run from the top of each table to its end.

import type { Layer } from './arrows.js';

/** The rooms of the core and its bindings. */
export const CPP: readonly Layer[] = [
  { name: 'bindings', files: /^bindings\//, uses: ['emscripten', 'include'] },
  {
    name: 'protocol',
    files: /^core\/src\/protocol\//,
    uses: ['read', 'request', 'wire', 'model', 'base', 'include'],
  },
  {
    name: 'verify',
    files: /^core\/src\/verify\//,
    uses: ['store', 'model', 'base', 'include'],
  },
  {
    name: 'engine',
    files: /^core\/src\/engine\//,
    uses: ['commit', 'read', 'write', 'request', 'host', 'store', 'base', 'include'],
  },
  {
    name: 'commit',
    files: /^core\/src\/commit\//,
    uses: ['load', 'write', 'host', 'store', 'base', 'include'],
  },
  {
    name: 'read',
    files: /^core\/src\/read\//,
    uses: ['request', 'host', 'query', 'store', 'wire', 'model', 'base', 'include'],
  },
  {
    name: 'load',
    files: /^core\/src\/load\//,
    uses: ['write', 'store', 'model', 'base', 'include'],
  },
  {
    name: 'replica',
    files: /^core\/src\/replica\//,
    uses: ['write', 'sync', 'store', 'wire', 'model', 'base', 'include'],
  },
  {
    name: 'write',
    files: /^core\/src\/write\//,
    uses: ['request', 'host', 'sync', 'query', 'store', 'wire', 'model', 'base', 'include'],
  },
  {
    name: 'request',
    files: /^core\/src\/request\//,
    uses: ['wire', 'model', 'base', 'include'],
  },
  {
    name: 'host',
    files: /^core\/src\/host\//,
    uses: ['store', 'base', 'include'],
  },
  { name: 'sync', files: /^core\/src\/sync\//, uses: ['wire', 'model', 'base', 'include'] },
  { name: 'query', files: /^core\/src\/query\//, uses: ['model', 'base', 'include'] },
  { name: 'store', files: /^core\/src\/store\//, uses: ['model', 'base', 'include'] },
  { name: 'wire', files: /^core\/src\/wire\//, uses: ['model', 'base', 'include'] },
  { name: 'model', files: /^core\/src\/model\//, uses: ['simdjson', 'base', 'include'] },
  { name: 'base', files: /^core\/src\/base\//, uses: ['simdjson', 'include'] },
  { name: 'include', files: /^core\/include\//, uses: [] },
  { name: 'simdjson', files: /^simdjson\.h$/, uses: [] },
  { name: 'emscripten', files: /^emscripten\//, uses: [] },
];

/** The rooms of the package. */
export const TYPESCRIPT: readonly Layer[] = [
  {
    // Results of a table in the forms of frameworks, which use the types of tables and definitions.
    name: 'views',
    files: /^js\/src\/((react|vue|svelte|solid|angular)\.ts$|views\/)/,
    uses: [
      ...['sync', 'client', 'tables', 'schema', 'live', 'entity', 'page storage', 'base'],
      'framework',
    ],
  },
  {
    // A table as a collection of TanStack DB.
    name: 'tanstack-db',
    files: /^js\/src\/tanstack-db[./]/,
    uses: ['client', 'tables', 'live', 'entity', 'base', 'framework'],
  },
  {
    // Shows an account in a page. The rest of it is built from the sources of the demo.
    name: 'explorer',
    files: /^js\/src\/explorer\.ts$/,
    uses: ['remote', 'client', 'base', 'glue'],
  },
  {
    // The entries of the package that run anywhere.
    name: 'entries',
    files:
      /^js\/src\/(account-worker|archive|files|index|inline|recovery|recovery\/inline|service-worker|vite)\.ts$/,
    uses: [
      ...['client', 'tables', 'live', 'transfer', 'validation', 'entity', 'recovery', 'core'],
      ...['glue', 'warnings', 'worker', 'page storage', 'base'],
    ],
  },
  {
    // Moves the data of an app out of another database.
    name: 'migrate',
    files: /^js\/src\/migrate\//,
    uses: ['client', 'transactions', 'tables', 'schema', 'base'],
  },
  {
    // The command line, which runs on Node alone.
    name: 'commands',
    files: /^js\/src\/(cli\.ts$|commands\/)/,
    uses: [
      ...['server', 'sync', 'remote', 'formats', 'entries', 'http', 'client', 'validation'],
      ...['warnings', 'entity', 'core', 'file storage', 'stored files', 'base'],
      ...['node', 'node server'],
    ],
  },
  {
    // A server of accounts on Node, with a module of its own.
    name: 'server',
    files: /^js\/src\/server[./]/,
    uses: [
      ...['formats', 'entries', 'http', 'client', 'core', 'glue', 'file storage', 'stored files'],
      ...['storage', 'page storage', 'base', 'node', 'node server', 'bundled driver'],
    ],
  },
  {
    // Accounts that converge with remote ones.
    name: 'sync',
    files: /^js\/src\/sync[./]/,
    uses: [
      ...['entries', 'client', 'tables', 'remote', 'live', 'validation', 'entity', 'core'],
      ...['glue', 'base'],
    ],
  },
  {
    // A client of accounts behind the REST API, which has no module.
    name: 'remote',
    files: /^js\/src\/remote[./]/,
    uses: [
      'client',
      'tables',
      'transfer',
      'schema',
      'http',
      'validation',
      'entity',
      'core',
      'base',
    ],
  },
  {
    // A Cloudflare Worker with accounts in Durable Objects.
    name: 'edge',
    files: /^js\/src\/edge[./]/,
    uses: ['http', 'client', 'core', 'storage', 'base'],
  },
  {
    name: 'http',
    files: /^js\/src\/http[./]/,
    uses: ['entries', 'client', 'core', 'page storage', 'base'],
  },
  {
    // Forms of declared tables. Drafts are in an account.
    name: 'forms',
    files: /^js\/src\/forms[./]/,
    uses: ['schema', 'client', 'entity', 'base'],
  },
  {
    // Deletes an account by its name, so it knows the storage that has names.
    name: 'client',
    files: /^js\/src\/client\//,
    uses: [
      ...['tables', 'schema', 'warnings', 'worker', 'live', 'transfer', 'transactions'],
      ...['validation', 'entity', 'core'],
      ...['glue', 'storage', 'page storage', 'base'],
    ],
  },
  {
    // The app's API of a declared table, and how its rows are stored.
    name: 'tables',
    files: /^js\/src\/tables\//,
    uses: ['schema', 'live', 'transfer', 'validation', 'entity', 'base'],
  },
  {
    // Declared tables, which an app may use without an account.
    name: 'schema',
    files: /^js\/src\/schema[./]/,
    uses: ['package', 'validation', 'entity', 'base'],
  },
  {
    // Both ends of an account in a worker.
    name: 'worker',
    files: /^js\/src\/worker[./]/,
    uses: ['core', 'glue', 'storage', 'opfs storage', 'page storage', 'base'],
  },
  {
    // Only development loads them.
    name: 'warnings',
    files: /^js\/src\/warnings\//,
    uses: ['entity', 'core', 'base'],
  },
  // The requests of a transaction of the account.
  { name: 'transactions', files: /^js\/src\/transactions\//, uses: ['entity', 'core', 'base'] },
  { name: 'live', files: /^js\/src\/live\//, uses: ['entity', 'core', 'base'] },
  { name: 'transfer', files: /^js\/src\/transfer\//, uses: ['formats', 'entity', 'core', 'base'] },
  {
    // Rows and entities as the text of files. The page uses them, too.
    name: 'formats',
    files: /^js\/src\/formats\//,
    uses: ['entity', 'base'],
  },
  { name: 'validation', files: /^js\/src\/validation\//, uses: ['entity', 'core', 'base'] },
  { name: 'entity', files: /^js\/src\/entity\//, uses: ['core', 'base'] },
  {
    // Parts that no account needs.
    name: 'recovery',
    files: /^js\/src\/recovery\//,
    uses: ['core', 'page storage', 'base'],
  },
  { name: 'core', files: /^js\/src\/core\//, uses: ['page storage', 'base'] },
  {
    // The one that needs Node.
    name: 'file storage',
    files: /^js\/src\/storage\/file(\.ts$|\/node\/)/,
    uses: ['stored files', 'page storage', 'base', 'node'],
  },
  {
    name: 'opfs storage',
    files: /^js\/src\/storage\/opfs[./]/,
    uses: ['stored files', 'page storage', 'base'],
  },
  {
    // A store in files, wherever the files are.
    name: 'stored files',
    files: /^js\/src\/storage\/file\//,
    uses: ['storage', 'page storage', 'base'],
  },
  {
    name: 'page storage',
    files: /^js\/src\/storage\/(description|page-storage)\.ts$/,
    uses: ['base'],
  },
  { name: 'storage', files: /^js\/src\/storage\//, uses: ['page storage', 'base'] },
  { name: 'base', files: /^js\/src\/base\//, uses: [] },
  // The package by its name, as an app imports it.
  { name: 'package', files: /^entitable$/, uses: [] },
  { name: 'node', files: /^node:(fs(\/promises)?|path|process)$/, uses: [] },
  { name: 'bundled driver', files: /^pg$/, uses: [] },
  { name: 'node server', files: /^node:(crypto|events|https?|net|os|util)$/, uses: [] },
  {
    name: 'framework',
    files: /^(react|vue|svelte(\/reactivity)?|solid-js|@angular\/core|@tanstack\/db)$/,
    uses: [],
  },
  { name: 'glue', files: /^#(entitable-\w+|entitable-\w+-\w+|explorer|files)$/, uses: [] },
];
