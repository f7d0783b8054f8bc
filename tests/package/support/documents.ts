// documents.ts - the pages of the documentation, and the examples in them.
//
// Words behind the language of an example say how it is tested. None: it runs in a browser, or in
// Node if it keeps an account in a folder. `node`: it runs in Node. `tested-by=PATH file=NAME`:
// that test takes it by its name. `untested`: it cannot run here.

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A block of code in a page. */
export interface Example {
  readonly page: string;
  readonly heading: string;
  readonly language: string;
  /** The words behind the language; `file=NAME` has a value, other words have none. */
  readonly words: ReadonlyMap<string, string>;
  readonly code: string;
}

/** The pages with examples for users. */
export const PAGES = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
];

/** All blocks of a page, in their order. */
export function examplesOf(page: string): Example[] {
  const examples: Example[] = [];
  let heading = '';
  const text = readFileSync(page, 'utf8');
  for (const match of text.matchAll(/^#+ (.+)$|^```(.*)\n([^]*?)^```$/gm)) {
    const [, title, info = '', code = ''] = match;
    if (title) {
      heading = title;
      continue;
    }
    const [language = '', ...words] = info.split(' ');
    const pairs = words.map((word) => word.split('=', 2) as [string, string]);
    examples.push({ page, heading, language, words: new Map(pairs), code });
  }
  return examples;
}

/** The examples in a language that run or compile by themselves, with their places in that list. */
export function examplesIn(language: string) {
  return PAGES.flatMap(examplesOf)
    .filter((example) => example.language === language && standsAlone(example))
    .map((example, index) => ({ ...example, index }));
}

/** Whether an example is neither a part of another test, nor untested. */
export const standsAlone = ({ words }: Example) =>
  !words.has('tested-by') && !words.has('untested');

/** Whether an example runs in Node. */
export const isForServers = ({ code, words }: Example) =>
  words.has('node') || code.includes('entitable/storage/file');

/** The code of the example that has this name in a page. */
export function exampleNamed(page: string, file: string): string {
  const found = examplesOf(page).filter(({ words }) => words.get('file') === file);
  if (found.length !== 1) throw new Error(`${page} has ${found.length} examples named ${file}`);
  return found[0]!.code;
}
