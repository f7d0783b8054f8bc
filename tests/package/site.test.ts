// The site of the documentation: `npm run docs` builds it, and every link in it leads somewhere.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { playgroundExamples } from '../../scripts/docs/playground.mjs';
import { PAGES } from '../../scripts/lib/documents.mjs';
import { serve } from '../../scripts/lib/server.mjs';
import { isAccessible } from '../browser/support/axe.js';
import { openBrowser } from './support/browser.js';

const site = 'build/docs/site';

// What stands behind it is no place in the page.
const EXAMPLE = '/playground.html#example=';
let files: string[];

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/docs.mjs'], { stdio: 'pipe' });
  files = readdirSync(site, { recursive: true, encoding: 'utf8' });
}, 600_000);

const htmlOf = (name: string) => readFileSync(join(site, name), 'utf8');

/** Where a link of a page leads: a file of the site, and a place in it. */
function targetOf(page: string, href: string): { file: string; anchor: string } {
  const [path = '', anchor = ''] = decodeURIComponent(href).split('#');
  const name = path.startsWith('/') ? path.slice(1) : join(dirname(page), path);
  if (path === '') return { file: page, anchor };
  const isFolder = existsSync(join(site, name)) && statSync(join(site, name)).isDirectory();
  return { file: isFolder ? join(name, 'index.html') : name, anchor };
}

describe('the site', () => {
  it('has each page of the documentation', () => {
    const pages = PAGES.filter((page) => page.startsWith('docs/')).map((page) =>
      page.replace('docs/', '').replace('.md', '.html'),
    );

    expect(files).toEqual(expect.arrayContaining(pages));
    expect(files).toEqual(expect.arrayContaining(['internals/tour.html', 'changelog.html']));
  });

  it('has the reference of the API', () => {
    const page = htmlOf('reference/api/entitable/interfaces/TableClient.html');

    expect(page).toContain('createEntity');
    expect(page).toContain('EntityAlreadyExists');
  });

  it('has the demo', () => {
    expect(files).toContain('demo/index.html');
    expect(files.some((name) => /^demo\/assets\/entitable-[\w-]+\.wasm$/.test(name))).toBe(true);
  });

  it('can be searched', () => {
    expect(files.some((name) => name.includes('localSearchIndex'))).toBe(true);
  });

  it('has no dead link', () => {
    const pages = files.filter((name) => name.endsWith('.html') && !name.startsWith('demo/'));
    const anchors = new Map(
      pages.map((page) => [
        page,
        new Set([...htmlOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)),
      ]),
    );
    const dead = pages.flatMap((page) =>
      [...htmlOf(page).matchAll(/<a [^>]*href="([^"]+)"/g)]
        .map(([, href = '']) => href.replaceAll('&amp;', '&'))
        .filter((href) => !/^[a-z]+:/.test(href) && !href.startsWith(EXAMPLE))
        .filter((href) => {
          const { file, anchor } = targetOf(page, href);
          if (!files.includes(file)) return true;
          return anchor !== '' && anchors.has(file) && !anchors.get(file)!.has(anchor);
        })
        .map((href) => `${page}: ${href}`),
    );

    expect(pages.length).toBeGreaterThan(PAGES.length);
    expect([...new Set(dead)]).toEqual([]);
  });
});

describe('a page of the site', () => {
  let browser: Browser;
  let server: Awaited<ReturnType<typeof serve>>;

  beforeAll(async () => {
    // VitePress writes scripts into its pages.
    server = await serve(site, { port: 0, headers: { 'content-security-policy': '' } });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser.close();
    await server.close();
  });

  it.each(['index', 'start', 'why', 'playground'])(
    'has nothing that axe finds, and does not scroll sideways: %s',
    { timeout: 60_000 },
    async (name) => {
      for (const [width, colorScheme] of [
        [390, 'dark'],
        [1440, 'light'],
      ] as const) {
        const viewport = { width, height: 900 };
        const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
        await page.goto(`${server.url}${name}.html`);
        await page.getByRole('main').waitFor();
        if (name === 'playground') await page.locator('.cm-content').waitFor();
        await isAccessible(page);
        await page.close();
      }
    },
  );

  it('is found by the words of a question', { timeout: 60_000 }, async () => {
    const page = await browser.newPage();
    await page.goto(`${server.url}start.html`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('how do I store an image');

    const first = page.locator('.VPLocalSearchBox .result').first();
    await expect
      .poll(() => first.innerText(), { timeout: 30_000 })
      .toContain('How do I store an image?');
    await page.close();
  });

  it('leads to the playground from each example that runs there', () => {
    const links = [...htmlOf('guides/indexes.html').matchAll(/href="([^"]+#example=[^"]+)"/g)];
    const names = playgroundExamples().map(({ name }) => name);

    expect(links.map(([, href = '']) => href.replace(EXAMPLE, ''))).toEqual(
      names.filter((name) => name.startsWith('guides/indexes/')),
    );
  });
});
