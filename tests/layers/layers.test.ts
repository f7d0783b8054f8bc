import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { filesUnder, forbiddenArrows, importsOf, includesOf, type Layer } from './arrows.js';

// Arrows run from the top of each table to its end.
const CPP: Layer[] = [
  { name: 'bindings', files: /^bindings\//, uses: ['emscripten', 'include'] },
  {
    name: 'protocol',
    files: /^core\/src\/protocol\//,
    uses: ['engine', 'query', 'store', 'model', 'base', 'include'],
  },
  {
    name: 'verify',
    files: /^core\/src\/verify\//,
    uses: ['engine', 'store', 'model', 'base', 'include'],
  },
  {
    name: 'engine',
    files: /^core\/src\/engine\//,
    uses: ['query', 'store', 'model', 'base', 'include'],
  },
  { name: 'query', files: /^core\/src\/query\//, uses: ['model', 'base', 'include'] },
  { name: 'store', files: /^core\/src\/store\//, uses: ['model', 'base', 'include'] },
  { name: 'model', files: /^core\/src\/model\//, uses: ['simdjson', 'base', 'include'] },
  { name: 'base', files: /^core\/src\/base\//, uses: ['simdjson', 'include'] },
  { name: 'include', files: /^core\/include\//, uses: [] },
  { name: 'simdjson', files: /^simdjson\.h$/, uses: [] },
  { name: 'emscripten', files: /^emscripten\//, uses: [] },
];

// Anything right in js/src that no line before names is a client or its helper.
const TYPESCRIPT: Layer[] = [
  {
    name: 'index',
    files: /^js\/src\/(index|inline|service-worker)\.ts$/,
    uses: ['accounts', 'door', 'clients', 'core', 'page storage', 'shapes', 'errors', 'platform'],
  },
  {
    // Deletes an account by its name alone, and so knows the storage that has names.
    name: 'door',
    files: /^js\/src\/(delete-account|shared)\.ts$/,
    uses: ['clients', 'core', 'storage', 'page storage', 'shapes', 'errors', 'platform'],
  },
  {
    name: 'accounts',
    files: /^js\/src\/(account|load|load-inline)\.ts$/,
    uses: ['door', 'clients', 'core', 'glue'],
  },
  {
    // The command, which runs on Node alone, with a module of its own.
    name: 'command',
    files: /^js\/src\/cli[./]/,
    uses: [
      'http',
      'clients',
      'core',
      'glue',
      'file storage',
      'storage',
      'errors',
      'platform',
      'node',
      'node server',
    ],
  },
  {
    name: 'http',
    files: /^js\/src\/http[./]/,
    uses: ['clients', 'core', 'glue', 'page storage', 'shapes', 'errors', 'platform'],
  },
  // Types that the whole package takes from its platform.
  { name: 'platform', files: /^js\/src\/platform\.ts$/, uses: [] },
  {
    name: 'errors',
    files: /^js\/src\/(base64|errors|kinds|limits|options|shown|violation)\.ts$/,
    uses: [],
  },
  {
    name: 'shapes',
    files: /^js\/src\/(edm|entity|odata)\.ts$/,
    uses: ['errors', 'platform'],
  },
  {
    name: 'clients',
    files: /^js\/src\/([^/]+|recovery\/(inline|shared))\.ts$/,
    uses: ['core', 'glue', 'recovery', 'page storage', 'shapes', 'errors', 'platform'],
  },
  {
    // What no account needs.
    name: 'recovery',
    files: /^js\/src\/recovery\//,
    uses: ['core', 'page storage', 'errors', 'platform'],
  },
  { name: 'core', files: /^js\/src\/core\//, uses: ['glue', 'page storage', 'errors', 'platform'] },
  {
    name: 'page storage',
    files: /^js\/src\/storage\/page-storage\.ts$/,
    uses: ['errors', 'platform'],
  },
  {
    // The one that stands on Node.
    name: 'file storage',
    files: /^js\/src\/storage\/file[./]/,
    uses: ['storage', 'page storage', 'errors', 'platform', 'node'],
  },
  { name: 'storage', files: /^js\/src\/storage\//, uses: ['page storage', 'errors', 'platform'] },
  { name: 'node', files: /^node:(fs(\/promises)?|path|process)$/, uses: [] },
  { name: 'node server', files: /^node:(crypto|events|http|net|os)$/, uses: [] },
  { name: 'glue', files: /^#(entitable-\w+|entitable-\w+-\w+|files)$/, uses: [] },
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
  it('ask of no value by instanceof which it is, because it may be of another realm', () => {
    // The package makes these two itself, and nobody else.
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

describe('the look-out for arrows', () => {
  it('sees an include that runs against the table', () => {
    const text = '#include <vector>\n#include "store/page.h"\n#include "model/entity.h"\n';

    expect(forbiddenArrows(includesOf('core/src/query/planner.cc', text), CPP)).toEqual([
      'core/src/query/planner.cc → core/src/store/page.h',
    ]);
  });

  it('lets bindings see nothing of the core but its include folder', () => {
    const text = '#include "entitable/engine.h"\n#include "../core/src/base/utf.h"\n';

    expect(forbiddenArrows(includesOf('bindings/embind.cc', text), CPP)).toEqual([
      'bindings/embind.cc → core/src/base/utf.h',
    ]);
  });

  it('sees an import that runs against the table, static or dynamic', () => {
    const text = `
      import type { PageStorage } from './page-storage.js';
      import { openAccount } from '../table-service-client.js';
      const session = await import('../core/session.js');
    `;

    expect(forbiddenArrows(importsOf('js/src/storage/memory.ts', text), TYPESCRIPT)).toEqual([
      'js/src/storage/memory.ts → js/src/table-service-client.ts',
      'js/src/storage/memory.ts → js/src/core/session.ts',
    ]);
  });

  it('takes a file that no layer holds for forbidden', () => {
    const arrows = [{ from: 'core/src/model/entity.cc', to: 'boost/json.hpp' }];

    expect(forbiddenArrows(arrows, CPP)).toHaveLength(1);
  });
});
