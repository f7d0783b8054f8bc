// The examples of the documentation, built from the packed package by several bundlers, all of a
// page's at once. tests/package/examples.test.ts builds each with esbuild for development, and runs
// it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { examplesIn, isForServers } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, type App } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

useBrowser();

// Those of a page that need no other package.
const programs = examplesIn('ts').filter(
  (example) => !isForServers(example) && !/ from '(?!entitable\b)/.test(example.code),
);

/** Makes an app that imports the examples, and runs none of them. */
async function makeExamples(tool: string, name: string): Promise<App> {
  installPackage(tool);
  const app = makeApp(tool, name);
  const write = (file: string, text: string) => writeFileSync(join(app.folder, file), text);
  const scripts = await Promise.all(
    programs.map(({ code }) => transform(code, { loader: 'ts', target: 'es2022' })),
  );
  scripts.forEach(({ code }, index) => write(`example-${index}.js`, code));
  const imports = scripts.map((_, index) => `import './example-${index}.js';`);
  // Scripts are evaluated only after every import of every script was found, this one first.
  write('linked.js', "document.title = 'linked';\nthrow new Error('Enough.');");
  write('main.js', ["import './linked.js';", ...imports].join('\n'));
  return app;
}

const ESBUILD = ['main.js', '--bundle', '--format=esm', '--splitting', '--outdir=dist'];
const ROLLUP = ['main.js', '--dir', 'dist', '--failAfterWarnings', '--plugin'];

// Each run has one of each bundler, and what Vite serves.
const USUAL = [
  ['esbuild', 'production', 'esbuild/bin/esbuild', [...ESBUILD, '--conditions=production']],
  ['rollup', 'development', 'rollup/dist/bin/rollup', [...ROLLUP, 'node-resolve']],
] as const;
const OTHERS = [
  ['rollup', 'production', 'rollup/dist/bin/rollup', [...ROLLUP, 'node-resolve={browser:true}']],
  ['vite', 'production', 'vite-8/bin/vite.js', ['build']],
] as const;

describe('the examples of the documentation', () => {
  it('are many', () => {
    expect(programs.length).toBeGreaterThan(50);
  });

  it.each([...USUAL, ...(isWhole() ? OTHERS : [])])(
    'are built by %s for %s',
    async (tool, mode, program, args) => {
      const app = await makeExamples(tool, `examples-${mode}`);

      expect(await app.run(program, args)).not.toMatch(/warn/i);
    },
  );

  it('are served by Vite for development', async () => {
    const app = await makeExamples('vite', 'examples-served');
    const url = await app.start('vite-8/bin/vite.js', ['--port', '0']);

    expect(await shownAt(url)).toEqual({ title: 'linked', problems: ['Enough.'] });
  });
});
