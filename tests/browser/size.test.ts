import { gzipSync } from 'node:zlib';

import type { Response } from 'playwright-core';
import { expect, inject, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { DemoPage } from './support/demo-page.js';

const browser = useBrowser();

const MAX_BYTES = 68 * 1024;

it('the page loads at most 68 KiB of scripts, and the library of charts with the first chart', async () => {
  const page = await (await browser.newContext()).newPage();
  const scripts: Response[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response);
  });
  const demo = new DemoPage(page);
  await page.goto(inject('pageUrl'));
  await demo.loadMovies();

  const bodies = await Promise.all(scripts.map((script) => script.body()));
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
  expect(bytes).toBeGreaterThan(20 * 1024);
  expect(bytes).toBeLessThan(MAX_BYTES);

  const before = scripts.length;
  await demo.button('Chart').click();
  await page.locator('#plot canvas').waitFor();
  expect(scripts.length).toBeGreaterThan(before);
});
