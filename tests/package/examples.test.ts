// The examples of the documentation. Each runs, compiles, or is part of another test.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { openBrowser } from './support/browser.js';
import { examplesOf, PAGES, type Example } from './support/documents.js';
import { packed } from './support/packed.js';
import { newFolder, serve as serveAccount } from './support/serve.js';

const folder = 'build/examples';

// The languages of blocks without code: grammars, output and data.
const WITHOUT_CODE = ['', 'json'];

const examples = PAGES.flatMap(examplesOf).filter(
  ({ language }) => !WITHOUT_CODE.includes(language),
);
const own = examples.filter(({ words }) => !words.has('tested-by') && !words.has('untested'));
const inLanguage = (language: string) =>
  own
    .filter((example) => example.language === language)
    .map((example, index) => ({ ...example, index }));

const programs = inLanguage('ts');

const isForServers = ({ code, words }: Example) =>
  words.has('node') || code.includes('entitable/storage/file');

let browser: Browser;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const suffix of ['', '-server', '-sync', '-verify']) {
    copyFileSync(`dist/entitable${suffix}.wasm`, `${folder}/entitable${suffix}.wasm`);
  }
  // Like an app with a strict Content-Security-Policy.
  server = await serve(folder, { port: 0 });
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await server.close();
});

function expectedOutput(code: string): string[] {
  return [...code.matchAll(/^\s*(?:.* )?console\.log\(.*\); \/\/ (.*)$/gm)].map(
    (match) => match[1]!,
  );
}

const END = 'THE END';

async function bundle(example: Example, outfile: string): Promise<void> {
  const { code } = example;
  await build({
    stdin: { contents: `${code}\nconsole.log('${END}');`, resolveDir: '.', loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: isForServers(example) ? 'node' : 'browser',
    // The build of the package makes the list of its files.
    external: ['node:*', '#files'],
    outfile,
    logLevel: 'silent',
  });
}

/** The output of the example in Node, in a folder of its own. */
async function outputInNode(example: Example, index: number): Promise<string[]> {
  await bundle(example, `${folder}/${index}.mjs`);
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const output = execFileSync(process.execPath, [`${index}.mjs`], options);
  return output.split('\n').filter((line) => line !== END && line !== '');
}

/** Bundles the example and returns the address of a page that runs it. */
async function pageOf(example: Example, index: number): Promise<string> {
  await bundle(example, `${folder}/${index}.js`);
  const page = `<!doctype html><title>${index}</title><script type="module" src="${index}.js"></script>`;
  writeFileSync(`${folder}/${index}.html`, page);
  return `${server.url}${index}.html`;
}

/** The output of the page, up to the end of the example or the first error. */
async function outputOf(url: string): Promise<string[]> {
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    return await new Promise<string[]>((done) => {
      const lines: string[] = [];
      page.on('pageerror', (error) => done([...lines, `ERROR ${error.message}`]));
      page.on('console', (message) => {
        if (message.text() === END) done(lines);
        else if (message.type() === 'log') lines.push(message.text());
      });
      // The example may end, and its page may be closed, before the page has loaded.
      page.goto(url).catch((error: Error) => done([...lines, `ERROR ${error.message}`]));
    });
  } finally {
    await context.close();
  }
}

/** The messages of the compiler with its strictest rules, by the names of files. */
function diagnosticsOf(list: readonly { code: string; index: number }[], types: string[]) {
  const files = list.map(({ code, index }) => {
    writeFileSync(`${folder}/${index}.ts`, code);
    return `${folder}/${index}.ts`;
  });
  const program = ts.createProgram(files, {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(
      ({ file, messageText }) =>
        `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
}

describe('the examples of the documentation', () => {
  it('are in languages that can be tested, or name their test', () => {
    const languages = [...new Set(own.map(({ language }) => language))].sort();
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
    const output = isForServers(example)
      ? await outputInNode(example, example.index)
      : await outputOf(await pageOf(example, example.index));

    expect(output).toEqual(expectedOutput(example.code));
    expect(output.length).toBeGreaterThan(0);
  });

  it('compile under the strictest rules', () => {
    const forServers = programs.filter(isForServers);
    const forPages = programs.filter((example) => !isForServers(example));

    expect(diagnosticsOf(forPages, [])).toEqual([]);
    expect(diagnosticsOf(forServers, ['node'])).toEqual([]);
  });

  it.each(inLanguage('cpp'))('in C++ compile, in $page under "$heading"', ({ code, index }) => {
    const file = `${folder}/${index}.cc`;
    writeFileSync(file, code);
    const flags = ['-std=c++23', '-fno-exceptions', '-fno-rtti', '-Wall', '-Wextra', '-Werror'];

    expect(() =>
      execFileSync('g++', [...flags, '-fsyntax-only', '-Icore/include', file], { stdio: 'pipe' }),
    ).not.toThrow();
  });
});

describe('the commands of the documentation', () => {
  const commands = inLanguage('sh').flatMap(({ page, code }) =>
    code
      .trim()
      .split('\n')
      .map((command) => ({ page, command })),
  );
  let project: string;
  let tarball: string;

  beforeAll(() => {
    project = mkdtempSync(join(tmpdir(), 'entitable-examples-'));
    writeFileSync(join(project, 'package.json'), '{ "name": "app", "type": "module" }');
    tarball = packed().tarball;
    install(tarball);
  });

  afterAll(() => rmSync(project, { recursive: true, force: true }));

  function install(...words: string[]): void {
    const args = ['install', '--offline', '--no-audit', '--no-fund', ...words];
    execFileSync('npm', args, { cwd: project, stdio: 'pipe' });
  }

  /** Starts the command at any free port, and ends it when it has answered a request. */
  async function serveBy(words: readonly string[]): Promise<number | null> {
    const program = join(project, 'node_modules/.bin/entitable');
    const child = spawn(program, [...words, '--port', '0'], { cwd: project });
    onTestFinished(() => void child.kill('SIGKILL'));
    const exited = once(child, 'exit') as Promise<[number | null]>;
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /TableEndpoint=([^;]+)/.exec(line) ?? [];
      if (!url) continue;
      expect((await fetch(url)).status).toBe(403);
      child.kill('SIGTERM');
    }
    return (await exited)[0];
  }

  /**
   * Runs a command that moves tables. A server here takes the place of the one in the cloud. It has
   * a table, and so do the folder and the archive of the command.
   */
  async function moveBy(words: readonly string[]): Promise<void> {
    const account = await serveAccount('--in-memory', '--quiet', '--loose');
    const url = account.url.href.replace(/\/$/, '');
    const headers = { 'content-type': 'application/json' };
    await fetch(`${url}/Tables`, { method: 'POST', headers, body: '{"TableName":"Todos"}' });
    const cwd = newFolder();
    const program = join(project, 'node_modules/.bin/entitable');
    const entitable = (...words: string[]) =>
      execFileSync(program, words, { cwd, encoding: 'utf8', env: { ...process.env, ...NO_KEY } });
    if (words[0] !== 'pull') entitable('pull', '--from', url, '--to', './tables');
    writeFileSync(join(cwd, 'backup.jsonl'), ARCHIVE);

    const output = entitable(...words.map((word) => (word.includes('//contoso') ? url : word)));

    expect(output).toMatch(words[0] === 'forget' ? /: Todos$/m : /^Todos: 0 entities/m);
  }

  it.each(commands)('work: $command, in $page', async ({ command }) => {
    const words = command.split(' ');
    if (command === 'npm install entitable') {
      rmSync(join(project, 'node_modules'), { recursive: true });
      install(tarball);

      expect(existsSync(join(project, 'node_modules/entitable/dist/index.js'))).toBe(true);
    } else {
      expect(words.slice(0, 2)).toEqual(['npx', 'entitable']);
      if (words[2] !== 'serve') return await moveBy(words.slice(2));
      const azurite = words[words.indexOf('--import-azurite') + 1]!;
      if (words.includes('--import-azurite')) {
        mkdirSync(resolve(project, azurite, '..'), { recursive: true });
        writeFileSync(resolve(project, azurite), EMPTY_AZURITE);
      }

      expect(await serveBy(words.slice(2))).toBe(0);
    }
  });
});

// The file of an emulator that has no tables.
const EMPTY_AZURITE = JSON.stringify({
  filename: '__azurite_db_table__.json',
  collections: [{ name: '$TABLES_COLLECTION$', data: [] }],
  databaseVersion: 1.5,
  engineVersion: 1.5,
});

const NO_KEY = { AZURE_STORAGE_CONNECTION_STRING: '', AZURE_STORAGE_KEY: '' };

// Of an account that has one table.
const ARCHIVE = [
  '{"entitable":"archive","version":1}',
  '{"TableName":"Todos"}',
  '{"tables":1,"entities":0}',
  '',
].join('\n');
