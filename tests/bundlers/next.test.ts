import { cpSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installPackage, makeApp, RESULT } from './support/app.js';
import { isAccessibleEverywhere, newPage, shownAt, useBrowser } from './support/page.js';

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
    // The app of examples/, with more pages.
    function make(name: string) {
      const app = makeApp('next', `${bundler}-${name}`, 'next/source');
      cpSync(resolve('examples/next-rendered'), app.folder, { recursive: true });
      cpSync(resolve('tests/bundlers/app/program.js'), join(app.folder, 'program.js'));
      for (const [page, name] of EXAMPLES) {
        writeFileSync(join(app.folder, name), exampleNamed(page, name));
      }
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

      const url = await app.start(program, ['start', '--port', '8127']);
      await expectPages(url);
      await expectRendered(url);
    });
  },
);

/** The example renders its rows on the server, then they are live. */
async function expectRendered(url: string) {
  const inHtml = async () => (await (await fetch(url)).text()).match(/(?<=\/>)[^<]*(?=<\/label>)/g);
  const [first, second] = [await newPage(), await newPage()];
  await first.page.goto(url);
  await first.page.getByLabel('New task').fill('Write to Ada');
  await first.page.getByRole('button', { name: 'Add' }).click();
  await expect.poll(inHtml, { timeout: 20_000 }).toEqual(['Write to Ada']);

  // How many rows each frame of a new browser shows, once there is one.
  await second.page.addInitScript(() => {
    const shown = new Set<number>();
    Object.assign(window, { shown });
    const count = () => {
      const rows = document.querySelectorAll('li').length;
      if (rows > 0 || shown.size > 0) shown.add(rows);
      requestAnimationFrame(count);
    };
    count();
  });
  await second.page.goto(url);
  await second.page.getByRole('checkbox', { name: 'Write to Ada', disabled: false }).check();
  await first.page.getByRole('checkbox', { name: 'Write to Ada', checked: true }).waitFor();
  await isAccessibleEverywhere(first.page);
  expect(
    await second.page.evaluate(() => [...(window as never as { shown: Set<number> }).shown]),
  ).toEqual([1]);
  expect([...first.problems, ...second.problems]).toEqual([]);
}
