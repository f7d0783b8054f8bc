// The examples of the documentation, with the packed package. Each runs, is part of another test,
// or is a command (commands.test.ts). examples-compile.test.ts compiles them, and
// tests/bundlers/examples.test.ts builds them with other bundlers.

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

import { build } from 'esbuild';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { openBrowser } from './support/browser.js';
import {
  examplesIn,
  examplesOf,
  expectedOutput,
  isForServers,
  PAGES,
  standsAlone,
  type Example,
} from '../../scripts/lib/documents.mjs';
import { installInto } from './support/packed.js';

const folder = 'build/examples';

// The languages of blocks without code: grammars, output and data.
const WITHOUT_CODE = ['', 'json'];

const examples = PAGES.flatMap(examplesOf).filter(
  ({ language }) => !WITHOUT_CODE.includes(language),
);
const programs = examplesIn('ts');

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;
// One for all programs: a page of its own would take each of them more time than its work.
let page: Page;
let session: CDPSession;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  installInto(folder);
  // Or those of this work tree would lead to the sources.
  writeFileSync(`${folder}/package.json`, '{ "private": true, "type": "module" }');
  writeFileSync(`${folder}/tsconfig.json`, '{}');
  await bundle(programs.filter(isForServers), 'node');
  await bundle(
    programs.filter((program) => !isForServers(program)),
    'browser',
  );
  // Like an app with a strict Content-Security-Policy.
  server = await serve(folder, { port: 0 });
  browser = await openBrowser();
  page = await browser.newPage();
  session = await page.context().newCDPSession(page);
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

const END = 'THE END';

/** The name of the script, which messages of the bundler have, too. */
const nameOf = ({ page, index }: Example & { index: number }) =>
  `${page.replaceAll('/', '-')}-${index}`;

/** Makes the scripts of all programs at once, since they share most of the package. */
async function bundle(list: typeof programs, platform: 'browser' | 'node'): Promise<void> {
  const entryPoints = list.map((program) => {
    const source = `${folder}/${nameOf(program)}.ts`;
    writeFileSync(source, `${program.code}\nconsole.log('${END}');`);
    return source;
  });
  await build({
    ...{ entryPoints, outdir: folder, platform },
    bundle: true,
    splitting: true,
    format: 'esm',
    // Node finds them itself.
    packages: platform === 'node' ? 'external' : 'bundle',
    logLevel: 'silent',
  });
}

/** The output of the program in Node, in a folder of its own. */
function outputInNode(name: string): string[] {
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, [`${name}.js`], options);
  return output.split('\n').filter((line) => line !== END && line !== '');
}

/** The output in the page, up to the end of the program or the first error. */
async function outputInPage(name: string): Promise<string[]> {
  const html = `<!doctype html><title>${name}</title><script type="module" src="${name}.js"></script>`;
  writeFileSync(`${folder}/${name}.html`, html);
  // Nothing is left of the program before, nor of what it has stored.
  await page.goto('about:blank');
  const { origin } = new URL(server.url);
  await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  try {
    return await new Promise<string[]>((done) => {
      const lines: string[] = [];
      page.on('pageerror', (error) => done([...lines, `ERROR ${error.message}`]));
      page.on('console', (message) => {
        if (message.text() === END) done(lines);
        else if (message.type() === 'log') lines.push(message.text());
      });
      // The program may end before its page has loaded.
      page
        .goto(`${server.url}${name}.html`)
        .catch((error: Error) => done([...lines, `ERROR ${error.message}`]));
    });
  } finally {
    page.removeAllListeners();
  }
}

describe('the examples of the documentation', () => {
  it('are in languages that can be tested, or name their test', () => {
    const languages = [
      ...new Set(examples.filter(standsAlone).map(({ language }) => language)),
    ].sort();
    const words = [...new Set(examples.flatMap((example) => [...example.words.keys()]))].sort();

    expect(languages).toEqual(['cpp', 'sh', 'ts']);
    expect(words).toEqual(['file', 'node', 'tested-by', 'untested']);
  });

  it('are found by the tests that they name', () => {
    const lost = examples
      .filter(({ words }) => words.has('tested-by'))
      .filter(({ page, words }) => {
        const test = readFileSync(words.get('tested-by')!, 'utf8');
        return !test.includes(`'${page}'`) || !test.includes(`'${words.get('file')}'`);
      });

    expect(lost).toEqual([]);
  });

  it('are untested only if the text says so', () => {
    const silent = examples
      .filter(({ words }) => words.has('untested'))
      .filter(
        ({ page }) => !/\buntested\b/.test(readFileSync(page, 'utf8').replace(/^```.*$/gm, '')),
      );

    expect(silent).toEqual([]);
  });

  it.each(programs)('print in $page under "$heading" the shown output', async (example) => {
    const name = nameOf(example);
    const output = isForServers(example) ? outputInNode(name) : await outputInPage(name);

    expect(output).toEqual(expectedOutput(example.code));
    expect(output.length).toBeGreaterThan(0);
  });
});
