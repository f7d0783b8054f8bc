import { copyFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('esbuild'));
useBrowser();

const program = 'esbuild/bin/esbuild';
const bundle = ['main.js', '--bundle', '--format=esm'];

describe('with esbuild an app works', () => {
  it('served while it is written', async () => {
    const app = makeApp('esbuild', 'dev');
    const url = await app.start(program, [
      ...bundle,
      '--outdir=.',
      '--servedir=.',
      '--allow-overwrite',
    ]);

    expect(await shownAt(url)).toEqual({ title: RESULT, problems: [] });
  });

  it.each([
    ['in one file', ['--outfile=dist/main.js']],
    ['in several files', ['--outdir=dist', '--splitting', '--minify']],
  ])('built %s', async (name, args) => {
    const app = makeApp('esbuild', name.replaceAll(' ', '-'));

    expect(await app.run(program, [...bundle, ...args])).not.toMatch(/warn/i);

    copyFileSync(join(app.folder, 'index.html'), join(app.folder, 'dist/index.html'));
    const server = await serve(join(app.folder, 'dist'), { port: 0 });
    expect(await shownAt(server.url)).toEqual({ title: RESULT, problems: [] });
    await server.close();
  });
});
