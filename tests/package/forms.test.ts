// The form of the guide, in a page, with the packed package.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { build } from 'esbuild';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { chromiumLaunchOptions } from '../../scripts/lib/chromium.mjs';
import { serve } from '../../scripts/lib/server.mjs';
import { exampleNamed } from './support/documents.js';
import { installInto } from './support/packed.js';

const PAGE = 'docs/guides/forms.md';

let app: string;
let browser: Browser;

beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'entitable-sign-up-'));
  installInto(app);
  const html = exampleNamed(PAGE, 'sign-up.html');
  const script = '<script type="module" src="sign-up.js"></script>';
  writeFileSync(join(app, 'index.html'), `<!doctype html><title>Sign up</title>${html}${script}`);
  const source = join(app, 'source.js');
  writeFileSync(source, exampleNamed(PAGE, 'sign-up.js'));
  await build({
    ...{ entryPoints: { 'sign-up': source }, outdir: app, bundle: true, splitting: true },
    ...{ format: 'esm', logLevel: 'error' },
  });
  browser = await chromium.launch(chromiumLaunchOptions());
});

afterAll(async () => {
  await browser.close();
  rmSync(app, { recursive: true, force: true });
});

describe('the sign-up form of the guide', () => {
  it('has at most 15 lines', () => {
    const lines = exampleNamed(PAGE, 'sign-up.js').trim().split('\n');

    expect(lines.filter((line) => line.trim()).length).toBeLessThanOrEqual(15);
  });

  it('stores a user once, and says what is wrong in the language of the browser', async () => {
    const server = await serve(app, { port: 0 });
    const context = await browser.newContext({ locale: 'de-DE' });
    try {
      const page = await context.newPage();
      await page.goto(server.url);
      // The table is there when the form is bound.
      await page.locator('input[name=name][required]').waitFor();
      await page.getByLabel('E-mail').fill('ann@example.com');
      await page.getByLabel('Name').fill('A');
      await page.keyboard.press('Enter');
      await page.getByText('Bitte geben Sie mindestens 2 Zeichen ein.').waitFor();
      await page.getByLabel('Name').fill('Ann');
      await page.keyboard.press('Enter');
      await page.locator('form:not([aria-busy])').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Diesen Eintrag gibt es schon.').waitFor();
    } finally {
      await context.close();
      await server.close();
    }
  });
});
