import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { shownAt, useBrowser } from './support/page.js';

beforeAll(() => installPackage('next'));
useBrowser();

// Components of the documentation, which one page of the app shows.
const EXAMPLES = [
  ['docs/guides/bundlers.md', 'tables.jsx'],
  ['docs/guides/live-views.md', 'tasks.jsx'],
] as const;

const program = 'next/dist/bin/next';

describe.each(isWhole() ? ['turbopack', 'webpack'] : ['turbopack'])(
  'with Next by %s components work',
  (bundler) => {
    function make(name: string) {
      const app = makeApp('next', `${bundler}-${name}`, 'next/source');
      cpSync(resolve('tests/bundlers/app/program.js'), join(app.folder, 'program.js'));
      for (const [page, name] of EXAMPLES) {
        writeFileSync(join(app.folder, name), exampleNamed(page, name));
      }
      // To Next it says that the app is written in TypeScript.
      rmSync(join(app.folder, 'tsconfig.json'));
      return app;
    }

    async function expectPages(url: string) {
      for (const page of ['client', 'server']) {
        const shown = await shownAt(new URL(page, url).href);
        expect({ page, ...shown }).toEqual({ page, title: RESULT, problems: [] });
      }
      expect(await shownAt(new URL('examples', url).href)).toEqual({
        title: '1 tasks',
        problems: [],
      });
    }

    it('served while they are written', async () => {
      const app = make('dev');

      await expectPages(await app.start(program, ['dev', `--${bundler}`, '--port', '8126']));
    });

    it('built', async () => {
      const app = make('build');

      expect(await app.run(program, ['build', `--${bundler}`])).not.toMatch(/Critical dependency/);

      await expectPages(await app.start(program, ['start', '--port', '8127']));
    });
  },
);
