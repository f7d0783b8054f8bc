import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import {
  circlesIn,
  filesUnder,
  forbiddenArrows,
  importsOf,
  includesOf,
  type Layer,
} from './arrows.js';

// Arrows run from the top of each table to its end.
const CPP: Layer[] = [
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

const TYPESCRIPT: Layer[] = [
  {
    // Results of a table in the forms of frameworks, which use the types of clients.
    name: 'views',
    files: /^js\/src\/((react|vue|svelte|solid|angular)\.ts$|views\/)/,
    uses: ['sync', 'client', 'live', 'entity', 'page storage', 'base', 'framework'],
  },
  {
    // A table as a collection of TanStack DB.
    name: 'tanstack-db',
    files: /^js\/src\/tanstack-db[./]/,
    uses: ['client', 'live', 'entity', 'base', 'framework'],
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
      /^js\/src\/(account-worker|archive|files|index|inline|recovery|recovery\/inline|service-worker)\.ts$/,
    uses: [
      ...['client', 'live', 'transfer', 'validation', 'entity', 'recovery', 'core', 'glue'],
      ...['warnings', 'worker', 'page storage', 'base'],
    ],
  },
  {
    // The command and the server, which run on Node alone, with a module of their own.
    name: 'command',
    files: /^js\/src\/(cli[./]|server\.ts$)/,
    uses: [
      ...[
        'entries',
        'http',
        'client',
        'sync',
        'remote',
        'transfer',
        'validation',
        'warnings',
        'entity',
        'core',
        'glue',
        'file storage',
        'stored files',
      ],
      ...['storage', 'page storage', 'base', 'node', 'node server', 'bundled driver'],
    ],
  },
  {
    // Accounts that converge with remote ones.
    name: 'sync',
    files: /^js\/src\/sync[./]/,
    uses: ['client', 'remote', 'live', 'entity', 'core', 'base'],
  },
  {
    // A client of accounts behind the REST API, which has no module.
    name: 'remote',
    files: /^js\/src\/remote[./]/,
    uses: ['client', 'http', 'validation', 'entity', 'core', 'base'],
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
    // Declared tables, which an app may use without an account.
    name: 'schema',
    files: /^js\/src\/schema[./]/,
    uses: ['entries', 'client', 'validation', 'entity', 'core', 'base'],
  },
  {
    // Deletes an account by its name, so it knows the storage that has names.
    name: 'client',
    files: /^js\/src\/client\//,
    uses: [
      ...['warnings', 'worker', 'live', 'transfer', 'validation', 'entity', 'core', 'glue'],
      ...['storage', 'page storage', 'base'],
    ],
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
  { name: 'live', files: /^js\/src\/live\//, uses: ['entity', 'core', 'base'] },
  { name: 'transfer', files: /^js\/src\/transfer\//, uses: ['entity', 'core', 'base'] },
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

describe('the layers', () => {
  it('of the core and its bindings are included one way only', () => {
    const files = ['core', 'bindings'].flatMap((folder) => filesUnder(folder, ['.h', '.cc']));

    expect(files).not.toEqual([]);
    expect(
      forbiddenArrows(
        files.flatMap((file) => includesOf(file)),
        CPP,
      ),
    ).toEqual([]);
  });

  it('have no circle of files', () => {
    const cpp = filesUnder('core/src', ['.h', '.cc']).flatMap((file) => includesOf(file));
    const typescript = ['js/src', 'web-demo/src'].flatMap((folder) =>
      filesUnder(folder, ['.ts']).flatMap((file) => importsOf(file)),
    );

    expect(circlesIn(cpp)).toEqual([]);
    expect(circlesIn(typescript)).toEqual([]);
  });

  it('let what reads and writes include few headers of the store', () => {
    const rooms = ['engine', 'commit', 'read', 'load', 'replica', 'write', 'request', 'host'];
    const files = rooms.flatMap((room) => filesUnder(`core/src/${room}`, ['.h', '.cc']));
    const headers = files.flatMap((file) => includesOf(file)).map(({ to }) => to);
    const ofStore = headers.filter((header) => header.startsWith('core/src/store/'));

    expect([...new Set(ofStore)].sort()).toEqual(
      [
        // The store itself, the headers that find and write rows, and the forms of keys and rows.
        ...['bulk_load', 'entity_place', 'lookup', 'recent_changes', 'scan', 'scan_cost'],
        ...['sort_key', 'store', 'table_row', 'value_key'],
      ].map((name) => `core/src/store/${name}.h`),
    );
  });

  it('of the TypeScript sources are imported one way only', () => {
    const files = filesUnder('js/src', ['.ts']);

    expect(files).not.toEqual([]);
    expect(
      forbiddenArrows(
        files.flatMap((file) => importsOf(file)),
        TYPESCRIPT,
      ),
    ).toEqual([]);
  });
});

describe('the scripts', () => {
  it('for frameworks import only types of sync, which most apps do not have', () => {
    const files = filesUnder('js/src', ['.ts']).filter((file) =>
      /^js\/src\/((react|vue|svelte|solid|angular)\.ts$|views\/)/.test(file),
    );
    const found = files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^(?:im|ex)port (?!type )[^;]*\/sync\/[^;]*;$/gm),
    ]);

    expect(files).not.toEqual([]);
    expect(found).toEqual([]);
  });

  it('do not check values by instanceof, because they may be of another realm', () => {
    // Only the package itself makes these two.
    const found = filesUnder('js/src', ['.ts']).flatMap((file) =>
      [
        ...readFileSync(file, 'utf8').matchAll(
          /^(?!\s*(?:\*|\/\/)).*\binstanceof (?!(?:UsageError|TornEnd)\b).*$/gm,
        ),
      ].map(([line]) => `${file}: ${line.trim()}`),
    );

    expect(found).toEqual([]);
  });
});

describe('the check of arrows', () => {
  it('sees an include that runs against the table', () => {
    const text = '#include <vector>\n#include "store/page.h"\n#include "model/entity.h"\n';

    expect(forbiddenArrows(includesOf('core/src/query/planner.cc', text), CPP)).toEqual([
      'core/src/query/planner.cc → core/src/store/page.h',
    ]);
  });

  it('sees a circle of three, and what leads to it is none', () => {
    const arrow = (from: string, to: string) => ({ from, to });
    const arrows = [arrow('x', 'a'), arrow('a', 'b'), arrow('b', 'c'), arrow('c', 'a')];

    expect(circlesIn(arrows)).toEqual([['a', 'b', 'c']]);
    expect(circlesIn(arrows.slice(0, 3))).toEqual([]);
  });

  it('allows bindings only the include folder of the core', () => {
    const text = '#include "entitable/engine.h"\n#include "../core/src/base/utf.h"\n';

    expect(forbiddenArrows(includesOf('bindings/embind.cc', text), CPP)).toEqual([
      'bindings/embind.cc → core/src/base/utf.h',
    ]);
  });

  it('sees an import that runs against the table, static or dynamic', () => {
    const text = `
      import type { PageStorage } from './page-storage.js';
      import { TableClient } from '../client/table-client.js';
      const session = await import('../core/session.js');
    `;

    expect(forbiddenArrows(importsOf('js/src/storage/memory.ts', text), TYPESCRIPT)).toEqual([
      'js/src/storage/memory.ts → js/src/client/table-client.ts',
      'js/src/storage/memory.ts → js/src/core/session.ts',
    ]);
  });

  it('forbids a file that is in no layer', () => {
    const arrows = [{ from: 'core/src/model/entity.cc', to: 'boost/json.hpp' }];

    expect(forbiddenArrows(arrows, CPP)).toHaveLength(1);
  });
});
