// The recipes of docs/guides/testing.md for Vitest and Jest, each in a project.

import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

import { beforeAll, expect, it } from 'vitest';

import { exampleNamed } from '../../scripts/lib/documents.mjs';

// Deep in the work tree, so that the packages of the project are found from here.
const folder = 'build/recipes';
const page = 'docs/guides/testing.md';
const petsTest = exampleNamed(page, 'pets.test.js');
const ownClientTest = exampleNamed(page, 'own-client.test.js');
const peers = createRequire(resolve('tests/server/package.json'));
const jestModules = dirname(dirname(peers.resolve('jest/package.json')));

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const runner of ['vitest', 'jest', 'vitest-server', 'jest-server']) {
    const modules = join(folder, runner, 'node_modules');
    mkdirSync(modules, { recursive: true });
    // As a package manager links a package of the same workspace.
    symlinkSync(resolve('.'), join(modules, 'entitable'), 'dir');
    writeFileSync(join(folder, runner, 'package.json'), '{ "type": "module" }');
    if (runner.startsWith('jest')) {
      symlinkSync(join(jestModules, '@jest'), join(modules, '@jest'), 'dir');
    }
  }
});

/** Writes files into a project. */
function write(project: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(folder, project, name), text);
  }
}

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

const runVitest = (project: string) =>
  runIn(project, 'node_modules/vitest/vitest.mjs', ['run', '--root', '.']);

const runJest = (project: string) =>
  runIn(
    project,
    join(jestModules, 'jest/bin/jest.js'),
    ['--watchman=false'],
    '--experimental-vm-modules',
  );

const forJest = (test: string) =>
  test.replace(/^import .* from 'vitest';\n/m, exampleNamed(page, 'jest-import.js'));

const freshAccount = { 'fresh-account.js': exampleNamed(page, 'fresh-account.js') };

it('gives each test of Vitest an account of its own', async () => {
  const config = { 'vitest.config.js': 'export default {};' };
  write('vitest', { ...freshAccount, ...config, 'pets.test.js': petsTest });

  expect(await runVitest('vitest')).toMatch(/Tests +2 passed \(2\)/);
});

it('gives each test of Jest an account of its own', async () => {
  const config = { 'jest.config.js': exampleNamed(page, 'jest.config.js') };
  write('jest', { ...freshAccount, ...config, 'pets.test.js': forJest(petsTest) });

  expect(await runJest('jest')).toMatch(/Tests: +2 passed, 2 total/);
});

it('starts a server for all tests of Vitest', async () => {
  write('vitest-server', {
    'global-setup.js': exampleNamed(page, 'global-setup.js'),
    'vitest.config.js': exampleNamed(page, 'vitest.config.js'),
    'own-client.test.js': ownClientTest,
  });

  expect(await runVitest('vitest-server')).toMatch(/Tests +1 passed \(1\)/);
});

it('starts a server for all tests of Jest', async () => {
  write('jest-server', {
    'global-setup.js': exampleNamed(page, 'jest-global-setup.js'),
    'global-teardown.js': exampleNamed(page, 'jest-global-teardown.js'),
    'jest.config.js': exampleNamed(page, 'jest-with-server.config.js'),
    'own-client.test.js': forJest(ownClientTest),
  });

  expect(await runJest('jest-server')).toMatch(/Tests: +1 passed, 1 total/);
});
