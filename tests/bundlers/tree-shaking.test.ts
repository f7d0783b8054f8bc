// An app that imports one small thing gets that, and neither the rest of the package nor a module.

import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { transform } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';

import { isTested } from '../../scripts/test/tier.mjs';
import { installPackage, makeApp } from './support/app.js';

// In the conditions of an app for browsers, which takes the module as a file.
const TOOLS = [
  {
    tool: 'esbuild',
    program: 'esbuild/bin/esbuild',
    args: ['main.js', '--bundle', '--minify', '--outdir=dist', '--conditions=production'],
  },
  {
    tool: 'rollup',
    program: 'rollup/dist/bin/rollup',
    args: ['main.js', '--dir', 'dist', '--plugin', 'node-resolve={ browser: true }'],
  },
  {
    tool: 'webpack',
    program: 'webpack-cli/bin/cli.js',
    args: ['build', '--mode', 'production', '--entry', './main.js'],
  },
  {
    tool: 'rspack',
    program: '@rspack/cli/bin/rspack.js',
    args: ['build', '--mode', 'production', '--entry', './main.js'],
  },
];

// In KB of 1024 bytes, minified and compressed with gzip -9.
const BUDGETS = [
  ['odata', 2],
  ['TableError', 1.1],
] as const;

describe.each(TOOLS.filter(({ tool }) => isTested(tool)))(
  'with $tool an app',
  ({ tool, program, args }) => {
    beforeAll(() => installPackage(tool));

    it.each(BUDGETS)('that imports only %s has at most %d KB and no module', async (name, kb) => {
      const app = makeApp(tool, `only-${name}`);
      rmSync(join(app.folder, 'program.js'));
      writeFileSync(
        join(app.folder, 'main.js'),
        `import { ${name} } from 'entitable'; console.log(${name});`,
      );

      await app.run(program, args);

      const files = readdirSync(join(app.folder, 'dist'));
      expect(files).toEqual(['main.js']);
      const text = readFileSync(join(app.folder, 'dist/main.js'), 'utf8');
      const { code } = await transform(text, { minify: true });
      expect(gzipSync(code, { level: 9 }).length / 1024).toBeLessThanOrEqual(kb);
    });
  },
);
