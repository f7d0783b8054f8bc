import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, inject, it, onTestFinished } from 'vitest';

import { openIn, useBrowser, visitIn } from './support/browser.js';

const browser = useBrowser();

/** Resolves when the page has its service worker, and so all files of the demo. */
const untilReady = (page: Page) =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    if (navigator.serviceWorker.controller) return;
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    );
  });

let context: Promise<BrowserContext> | undefined;

/** Opens a page without a network, in a browser that has visited the first page. */
async function openOffline(path: string): Promise<Page> {
  const page = await openIn(await (context ??= offlineAfterVisit()), inject('pageUrl') + path);
  onTestFinished(() => page.close());
  return page;
}

async function offlineAfterVisit(): Promise<BrowserContext> {
  const visited = await browser.contextOfFile();
  const { page } = await visitIn(visited);
  await untilReady(page);
  await page.close();
  await visited.setOffline(true);
  return visited;
}

describe('without a network, after one visit', () => {
  it.each([
    ['', 'Open a table. Sort, chart and edit it.'],
    ['?worker', 'Open a table. Sort, chart and edit it.'],
    ['form.html', 'A form that knows its table'],
    ['live.html', 'One table, two live views'],
    ['sync.html', 'Two devices, one cloud'],
    ['doctor.html', 'A store that knows its faults'],
    ['vault.html', 'A store that only you can read'],
  ])('the page "%s" opens', async (path, heading) => {
    const page = await openOffline(path);

    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  });

  it('the doctor fills, damages and repairs a store', async () => {
    const page = await openOffline('doctor.html');
    const results = page.getByRole('list', { name: 'What was found' });
    await results.getByText('and no fault').waitFor();
    await page.getByRole('button', { name: 'Repair' }).click();

    await results.getByText('20,006 of 20,006 entities can be read').waitFor();
  });

  it('a sample loads again that was loaded before', async () => {
    const context = await browser.newContextWithServiceWorkers();
    const first = await visitIn(context);
    await untilReady(first.page);
    await first.loadMovies();
    await first.page.close();
    await context.setOffline(true);
    const demo = await visitIn(context);
    await demo.table('Movies', '3,201').waitFor();
    await demo.emptyStore();
    await demo.button('Delete everything').click();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();

    await demo.loadMovies();
  });
});

it('can be installed', async () => {
  const { page } = await visitIn(await browser.newContextWithServiceWorkers());
  await untilReady(page);
  const session = await page.context().newCDPSession(page);
  const { errors } = await session.send('Page.getAppManifest');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');

  expect(errors).toEqual([]);
  // The tests use windows that keep nothing, where nothing can be installed.
  const others = installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito');
  expect(others).toEqual([]);
});
