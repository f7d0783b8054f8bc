import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { installPackage, makeApp, RESULT } from './support/app.js';

beforeAll(() => installPackage('esbuild'));

const { resolve: find } = createRequire(import.meta.url);

describe('a program runs', () => {
  it.each([
    [
      'Deno',
      process.execPath,
      [find('deno/bin.cjs'), 'run', '-A', '--node-modules-dir=manual', 'run.js'],
    ],
    ['Bun', resolve('node_modules/bun/bin/bun.exe'), ['run.js']],
    ['Node', process.execPath, ['run.js']],
  ])('in %s', (name, program, args) => {
    const app = makeApp('esbuild', name);
    const manifest = { private: true, type: 'module', dependencies: { entitable: '*' } };
    writeFileSync(join(app.folder, 'package.json'), JSON.stringify(manifest));
    const main = `import { usePackage } from './program.js'; console.log(await usePackage());`;
    writeFileSync(join(app.folder, 'run.js'), main);

    const options = { cwd: app.folder, encoding: 'utf8' } as const;
    expect(execFileSync(program, args, options)).toBe(`${RESULT}\n`);
  });
});
