// The forms of the guide, in pages, with the packed package.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { serve } from '../../scripts/lib/server.mjs';
import { openBrowser } from './support/browser.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { installInto } from './support/packed.js';

const PAGE = 'docs/guides/forms.md';

let app: string;
let browser: Browser;

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'entitable-sign-up-'));
  installInto(app);
  const html = exampleNamed(PAGE, 'sign-up.html');
  const profile = html.replace('id="sign-up"', 'id="profile"').replace(/<label>E-mail.*/, '');
  writeFileSync(join(app, 'index.html'), pageOf('sign-up', html));
  writeFileSync(join(app, 'profile.html'), pageOf('profile', profile));
  const entryPoints = ['sign-up.js', 'profile.js'].map((file) => {
    const source = join(app, `source-of-${file}`);
    writeFileSync(source, exampleNamed(PAGE, file));
    return { in: source, out: basename(file, '.js') };
  });
  await build({
    ...{ entryPoints, outdir: app, bundle: true, splitting: true },
    ...{ format: 'esm', logLevel: 'error' },
  });
  browser = await openBrowser();
});

const pageOf = (name: string, html: string) =>
  `<!doctype html><title>${name}</title>${html}<script type="module" src="${name}.js"></script>`;

afterAll(async () => {
  await browser.close();
  rmSync(app, { recursive: true, force: true });
});

let server: Awaited<ReturnType<typeof serve>>;
let page: Page;

beforeEach(async () => {
  server = await serve(app, { port: 0 });
  const context = await browser.newContext({ locale: 'de-DE' });
  page = await context.newPage();
  return async () => {
    await context.close();
    await server.close();
  };
});

/** Opens a page, and waits until its form is bound and filled. */
async function open(path: string): Promise<void> {
  await page.goto(new URL(path, server.url).href);
  await page.locator('input[name=name][required]').waitFor();
  await page.locator('form:not([aria-busy])').waitFor();
}

/** Submits the form, and waits for the answer. */
async function submit(): Promise<void> {
  await page.keyboard.press('Enter');
  await page.locator('form:not([aria-busy])').waitFor();
}

async function signUp(): Promise<void> {
  await open('/');
  await page.getByLabel('E-mail').fill('ann@example.com');
  await page.getByLabel('Name').fill('Ann');
  await submit();
}

describe('the sign-up form of the guide', () => {
  it('has at most 15 lines', () => {
    const lines = exampleNamed(PAGE, 'sign-up.js').trim().split('\n');

    expect(lines.filter((line) => line.trim()).length).toBeLessThanOrEqual(15);
  });

  it('stores a user once, and says what is wrong in the language of the browser', async () => {
    await open('/');
    await page.getByLabel('E-mail').fill('ann@example.com');
    await page.getByLabel('Name').fill('A');
    await page.keyboard.press('Enter');
    await page.getByText('Bitte geben Sie mindestens 2 Zeichen ein.').waitFor();
    await page.getByLabel('Name').fill('Ann');
    await submit();
    await page.keyboard.press('Enter');
    await page.getByText('Diesen Eintrag gibt es schon.').waitFor();
  });
});

describe('the form of the guide that edits a row', () => {
  it('shows the row, and stores one change after another', async () => {
    await signUp();
    await open('/profile.html');
    const name = page.getByLabel('Name');
    await page.waitForFunction(() => document.querySelector('input')!.value === 'Ann');
    for (const text of ['Anna', 'Anne']) {
      await name.fill(text);
      await submit();
      const messages = await page.locator('[data-error], [role=alert]').allTextContents();
      expect(messages.join('')).toBe('');
    }

    await open('/profile.html');
    await page.waitForFunction(() => document.querySelector('input')!.value === 'Anne');
  });
});
