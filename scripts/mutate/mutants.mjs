// mutants.mjs - chooses wrong changes of the sources: for one seed always the same.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

// Where the changes are made, how many of a hundred, and which suites could find them, the quickest
// first.
const AREAS = [
  { share: 30, folders: ['core/src'], suites: ['asan', 'fuzz', 'node', 'chromium', 'server'] },
  { share: 4, folders: ['bindings'], suites: ['node', 'chromium', 'server'] },
  {
    share: 22,
    folders: [
      'js/src/client',
      'js/src/core',
      'js/src/entity',
      'js/src/live',
      'js/src/transfer',
      'js/src/formats',
    ],
    suites: ['node', 'chromium', 'worker', 'package', 'style'],
  },
  {
    share: 14,
    folders: ['js/src/storage', 'js/src/worker'],
    suites: ['node', 'chromium', 'worker', 'real', 'server', 'style'],
  },
  {
    share: 12,
    folders: ['js/src/forms', 'js/src/schema', 'js/src/validation', 'js/src/views'],
    suites: ['node', 'chromium', 'package', 'style'],
  },
  {
    share: 10,
    folders: [
      'js/src/sync',
      'js/src/http',
      'js/src/remote',
      'js/src/server',
      'js/src/commands',
      'js/src/edge',
    ],
    suites: ['node', 'server', 'chromium', 'package', 'style'],
  },
  { share: 8, folders: ['web-demo/src'], suites: ['page', 'node', 'package', 'style'] },
];

const other = (pairs) => new Map([...pairs, ...pairs.map(([a, b]) => [b, a])]);

const COMPARISONS = other([
  [' < ', ' <= '],
  [' > ', ' >= '],
  [' == ', ' != '],
  [' === ', ' !== '],
]);
const LOGIC = other([[' && ', ' || ']]);
const NUMBERS = other([[' + 1', ' - 1']]);
const TRUTH = other([['return true;', 'return false;']]);

// Each returns the line with one place changed, or undefined if it has no such place. `previous` is
// the line before it: a call is dropped only where a statement begins and is not all of a branch.
const OPERATORS = {
  'wrong comparison': (line, random) => replaceOne(line, COMPARISONS, random),
  'wrong logic': (line, random) => replaceOne(line, LOGIC, random),
  'wrong number': (line, random) => replaceOne(line, NUMBERS, random),
  'wrong answer': (line, random) => replaceOne(line, TRUTH, random),
  'dropped line': (line, random, previous) =>
    /^\s+(await )?[\w.#>?-]+\(.*\);$/.test(line) && /[;{}]$|^\s*$|^\s*\/\//.test(previous)
      ? ''
      : undefined,
  'swapped arguments': (line) => {
    const swapped = line.replace(/(?<=\w\()([\w.#]+), ([\w.#]+)(?=[,)])/, '$2, $1');
    return swapped === line ? undefined : swapped;
  },
};

/**
 * Chooses this number of changes: a line of a file, before and after, and the suites to try.
 *
 * @returns {{
 *   file: string, line: number, kind: string, before: string, after: string, suites: string[]
 * }[]}
 */
export function chooseMutants({ seed, count }) {
  const random = randomFrom(seed);
  const total = AREAS.reduce((sum, { share }) => sum + share, 0);
  return AREAS.flatMap(({ share, folders, suites }) => {
    const files = folders.flatMap(sourcesIn);
    return Array.from({ length: Math.ceil((share / total) * count) }, () => ({
      ...oneIn(files, random),
      suites,
    }));
  });
}

function oneIn(files, random) {
  for (;;) {
    const file = pick(files, random);
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = Math.floor(random() * lines.length);
    const [kind, change] = pick(Object.entries(OPERATORS), random);
    const before = lines[line];
    if (isComment(before)) continue;
    const after = change(before, random, lines[line - 1] ?? '');
    if (after !== undefined) return { file, line: line + 1, kind, before, after };
  }
}

// Comments, imports, and lines whose changes cannot matter.
const isComment = (line) =>
  /^\s*(\/\/|\*|\/\*|import |export .* from|#)|\bassert\(|\b(min|max)\(/.test(line);

function replaceOne(line, pairs, random) {
  const places = [...pairs.keys()].flatMap((text) =>
    [...line.matchAll(new RegExp(text.replace(/[|+]/g, '\\$&'), 'g'))].map(({ index }) => ({
      text,
      index,
    })),
  );
  if (places.length === 0) return undefined;
  const { text, index } = pick(places, random);
  return line.slice(0, index) + pairs.get(text) + line.slice(index + text.length);
}

// Without the contract of storages, which is tests.
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(cc|ts)$/.test(name) && !/\.d\.ts$|^contract\//.test(name))
    .map((name) => join(folder, name))
    .sort();
}

const pick = (list, random) => list[Math.floor(random() * list.length)];

// Mulberry32: one number of state, and the same sequence on every machine.
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
