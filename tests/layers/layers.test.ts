import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { circlesIn, filesUnder, forbiddenArrows, importsOf, includesOf } from './arrows.js';
import { CPP, TYPESCRIPT } from './rooms.js';

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
        ...['envelope', 'flush', 'lookup', 'range_set', 'recent_changes', 'scan'],
        ...['sort_key', 'store', 'table_row'],
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
