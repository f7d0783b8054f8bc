// matching.mjs - finds the tests that words choose: all tests of a file whose path has a word, and
// in other files each test whose name has a word. Capitals do not matter.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The tests of TypeScript in `folders` that the words choose. All tests of `files` are chosen. In
 * `others`, only the tests whose names match `name` are, for `vitest -t`. Leaves out files with the
 * ending `without`.
 */
export function matchingFiles(words, folders, without) {
  const name = patternOf(words);
  const files = folders
    .flatMap((folder) => filesOf(folder, '.test.ts'))
    .filter((file) => without === undefined || !file.endsWith(without));
  const chosen = files.filter((file) => name.test(file));
  const others = files.filter(
    (file) => !name.test(file) && namesIn(file, TITLE).some((title) => name.test(title)),
  );
  return { files: chosen, others, name: name.source };
}

/** The filter of GoogleTest for the tests of C++ in `folder` that the words choose, or ''. */
export function matchingFilter(words, folder) {
  const name = patternOf(words);
  return filesOf(folder, '_test.cc')
    .flatMap((file) => {
      const tests = namesIn(file, GOOGLE_TEST);
      return name.test(file) ? tests : tests.filter((test) => name.test(test));
    })
    .map((test) => `*${test}*`) // A test with parameters has a prefix and a number.
    .join(':');
}

const TITLE = /\b(?:it|test|describe)\b[^'"`\n]*\(\s*(['"`])(?<name>.+?)\1/g;
const GOOGLE_TEST = /^TEST(?:_[FP])?\(\s*(?<suite>\w+),\s*(?<name>\w+)\)/gm;

function namesIn(file, pattern) {
  const found = readFileSync(file, 'utf8').matchAll(pattern);
  return [...found].map(({ groups: { suite, name } }) => (suite ? `${suite}.${name}` : name));
}

function patternOf(words) {
  const escaped = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(escaped.join('|'), 'i');
}

function filesOf(folder, ending) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort((a, b) => (a < b ? -1 : 1));
}
