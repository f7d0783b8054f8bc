// The examples of the documentation compile under the strictest rules.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { examplesIn, isForServers, type Example } from '../../scripts/lib/documents.mjs';

const folder = 'build/compiled-examples';

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

/** The errors of the newest compiler, one a line. */
function errorsIn(list: readonly (Example & { index: number })[], types: string[]): string[] {
  const files = list.map(({ page, index, code }) => {
    const name = `${page.replaceAll('/', '-')}-${index}.ts`;
    writeFileSync(`${folder}/${name}`, code);
    return name;
  });
  const compilerOptions = {
    ...{ target: 'ES2022', module: 'ESNext', moduleResolution: 'bundler', types },
    ...{ strict: true, noEmit: true, skipLibCheck: true },
  };
  const project = `${folder}/tsconfig.${types.join() || 'pages'}.json`;
  writeFileSync(project, JSON.stringify({ compilerOptions, files }));
  const tsc = 'tests/package/compilers/node_modules/typescript-newest/bin/tsc';
  const options = { encoding: 'utf8' } as const;
  const { stdout, stderr, status } = spawnSync(process.execPath, [tsc, '-p', project], options);
  const lines = `${stdout}${stderr}`.split('\n').filter(Boolean);
  return status === 0 ? lines : [...lines, `exit code ${status}`];
}

describe('the examples of the documentation', () => {
  const programs = examplesIn('ts');

  it('compile without types of Node, where they are for pages', () => {
    const forPages = programs.filter((example) => !isForServers(example));

    expect(forPages.length).toBeGreaterThan(50);
    expect(errorsIn(forPages, [])).toEqual([]);
  });

  it('compile with types of Node, where they are for servers', () => {
    const forServers = programs.filter(isForServers);

    expect(forServers.length).toBeGreaterThan(0);
    expect(errorsIn(forServers, ['node'])).toEqual([]);
  });

  it.each(examplesIn('cpp'))('in C++ compile, in $page under "$heading"', ({ code, index }) => {
    const file = `${folder}/${index}.cc`;
    writeFileSync(file, code);
    const flags = ['-std=c++23', '-fno-exceptions', '-fno-rtti', '-Wall', '-Wextra', '-Werror'];

    expect(() =>
      execFileSync('g++', [...flags, '-fsyntax-only', '-Icore/include', file], { stdio: 'pipe' }),
    ).not.toThrow();
  });
});
