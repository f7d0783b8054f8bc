// What files say of the entries of the package: scripts/lib/package-entries.mjs has the list.

import { existsSync, readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { generateEntries } from '../../scripts/generate-entries.mjs';
import { ENTRIES, FOR_NODE, IN_BROWSERS } from '../../scripts/lib/package-entries.mjs';

const sourcesOf = (names: readonly string[]) => names.map((name) => `js/src/${name}.ts`);

it.each(Object.entries(generateEntries()))('is generated, and newest, in %s', (file, text) => {
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('has a source for each entry', () => {
  expect(sourcesOf(ENTRIES).filter((source) => !existsSync(source))).toEqual([]);
});

it('offers apps that cache files what works in browsers', () => {
  expect(IN_BROWSERS).toContain('sync');
  expect(IN_BROWSERS).not.toContain('server');
});

it.each([
  ['tsconfig.build-node.json', 'include'],
  ['tsconfig.build.json', 'exclude'],
])('has the entries with types of Node in %s', (file, member) => {
  const list = new RegExp(`"${member}": \\[([^\\]]*)\\]`).exec(readFileSync(file, 'utf8'))![1]!;
  const named = [...list.matchAll(/"([^"]+)"/g)].map(([, source]) => source!);

  expect(named.filter((source) => sourcesOf(ENTRIES).includes(source))).toEqual(
    sourcesOf(FOR_NODE),
  );
});
