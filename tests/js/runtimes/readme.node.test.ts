// The examples of the README, in Deno and Bun.

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

import { examplesOf, expectedOutput } from '../../../scripts/lib/documents.mjs';
import { RUNTIMES } from '../support/runtimes.js';

// In the work tree, so that the packages of the project are found.
const folder = 'build/readme';

const examples = examplesOf('README.md').filter(({ language }) => language === 'ts');

// Only browsers have IndexedDB.
const forServers = (code: string) =>
  code
    .replace('{ indexedDbStorage }', '{ memoryStorage }')
    .replace('entitable/storage/indexeddb', 'entitable/storage/memory')
    .replace(/indexedDbStorage\(.*?\)/, 'memoryStorage()');

const outputIn = (code: string) =>
  expectedOutput(code)
    .map(
      (line) => `${line}
`,
    )
    .join('');

beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const part of ['entitable-first.wasm', 'entitable-rest.wasm']) {
    copyFileSync(`build/js/${part}`, join(folder, part));
  }
  for (const [at, { code }] of examples.entries()) {
    await build({
      stdin: { contents: forServers(code), resolveDir: '.', loader: 'ts' },
      outfile: join(folder, `${at}.mjs`),
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'es2022',
      tsconfig: 'tsconfig.json',
      external: ['node:*', '@azure/data-tables'],
      logLevel: 'error',
    });
  }
});

describe.each(RUNTIMES)('in $name', ({ command: [program, ...options] }) => {
  it.each(examples.map(({ heading, code }, at) => ({ heading, code, at })))(
    'the example under "$heading" prints what it shows',
    ({ code, at }) => {
      const output = execFileSync(program!, [...options, `${at}.mjs`], {
        cwd: folder,
        encoding: 'utf8',
      });

      expect(output).toBe(outputIn(code));
      expect(output).not.toBe('');
    },
    60_000,
  );
});
