// The recipes of docs/guides/testing.md for Vitest and Jest, each in a project.

import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, it } from 'vitest';

import { exampleNamed } from '../package/support/documents.js';

// Deep in the work tree, so that the packages of the project are found from here.
const folder = 'build/recipes';
const page = 'docs/guides/testing.md';
const petsTest = exampleNamed(page, 'pets.test.js');

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const runner of ['vitest', 'jest']) {
    const modules = join(folder, runner, 'node_modules');
    mkdirSync(modules, { recursive: true });
    // As a package manager links a package of the same workspace.
    symlinkSync(resolve('.'), join(modules, 'entitable'), 'dir');
    writeFileSync(join(folder, runner, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(folder, runner, 'fresh-account.js'), exampleNamed(page, 'fresh-account.js'));
  }
});

/** The output of the runner. Rejects with it if a test failed. */
async function runIn(project: string, script: string, words: string[], options?: string) {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [resolve(script), ...words],
    {
      cwd: join(folder, project),
      env: { PATH: process.env['PATH'], NO_COLOR: '1', NODE_OPTIONS: options },
    },
  );
  return stdout + stderr;
}

it('gives each test of Vitest an account of its own', async () => {
  writeFileSync(join(folder, 'vitest/pets.test.js'), petsTest);
  writeFileSync(join(folder, 'vitest/vitest.config.js'), 'export default {};');

  const output = await runIn('vitest', 'node_modules/vitest/vitest.mjs', ['run', '--root', '.']);

  expect(output).toMatch(/Tests +2 passed \(2\)/);
});

it('gives each test of Jest an account of its own', async () => {
  const forJest = petsTest.replace(
    /^import .* from 'vitest';\n/m,
    exampleNamed(page, 'jest-import.js'),
  );
  writeFileSync(join(folder, 'jest/pets.test.js'), forJest);
  writeFileSync(join(folder, 'jest/jest.config.js'), exampleNamed(page, 'jest.config.js'));
  const peers = createRequire(resolve('tests/server/package.json'));
  const modules = dirname(dirname(peers.resolve('jest/package.json')));
  symlinkSync(join(modules, '@jest'), join(folder, 'jest/node_modules/@jest'), 'dir');

  const output = await runIn(
    'jest',
    join(modules, 'jest/bin/jest.js'),
    ['--watchman=false'],
    '--experimental-vm-modules',
  );

  expect(output).toMatch(/Tests: +2 passed, 2 total/);
});
