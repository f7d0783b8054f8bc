// documents.mjs - the pages of the documentation, and the examples in them.
//
// Words behind the language of an example say how it is tested. None: it runs in a browser, or in
// Node if it keeps an account in a folder. `node`: it runs in Node. `tested-by=PATH file=NAME`:
// that test takes it by its name. `untested`: it cannot run here.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A block of code in a page. `words` are those behind the language; `file=NAME` has a value, other
 * words have none.
 *
 * @typedef {object} Example
 * @property {string} page
 * @property {string} heading
 * @property {string} language
 * @property {ReadonlyMap<string, string>} words
 * @property {string} code
 */

/** The pages with examples for users. */
export const PAGES = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
];

/**
 * All blocks of a page, in their order.
 *
 * @param {string} page
 * @returns {Example[]}
 */
export function examplesOf(page) {
  const examples = [];
  let heading = '';
  const text = readFileSync(page, 'utf8');
  for (const match of text.matchAll(/^#+ (.+)$|^```(.*)\n([^]*?)^```$/gm)) {
    const [, title, info = '', code = ''] = match;
    if (title) {
      heading = title;
      continue;
    }
    const [language = '', ...words] = info.split(' ');
    const pairs = words.map((word) => word.split('=', 2));
    examples.push({ page, heading, language, words: new Map(pairs), code });
  }
  return examples;
}

/**
 * The examples in a language that run or compile by themselves, with their places in that list.
 *
 * @param {string} language
 */
export function examplesIn(language) {
  return PAGES.flatMap(examplesOf)
    .filter((example) => example.language === language && standsAlone(example))
    .map((example, index) => ({ ...example, index }));
}

/**
 * Whether an example is neither a part of another test, nor untested.
 *
 * @param {Example} example
 */
export const standsAlone = ({ words }) => !words.has('tested-by') && !words.has('untested');

/**
 * Whether an example runs in Node.
 *
 * @param {Example} example
 */
export const isForServers = ({ code, words }) =>
  words.has('node') || code.includes('entitable/storage/file');

/**
 * The lines that an example logs, as its comments say.
 *
 * @param {string} code
 */
export const expectedOutput = (code) =>
  [...code.matchAll(/^\s*(?:.* )?console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);

/**
 * The code of the example that has this name in a page.
 *
 * @param {string} page
 * @param {string} file
 */
export function exampleNamed(page, file) {
  const found = examplesOf(page).filter(({ words }) => words.get('file') === file);
  if (found.length !== 1) throw new Error(`${page} has ${found.length} examples named ${file}`);
  return found[0].code;
}
