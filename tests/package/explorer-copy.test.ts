// A copy of a table behind the REST API in the explorer: the page of `entitable serve --explorer`.

import type { Browser, Locator, Page, Route } from 'playwright-core';
import { TableClient } from '@azure/data-tables';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { isAccessible } from '../browser/support/axe.js';
import { grouped } from '../browser/support/data.js';
import { DemoPage } from '../browser/support/demo-page.js';
import { useAppPages } from './support/app-page.js';
import { openBrowser } from './support/browser.js';
import { startServer, type TableServer } from './support/built.js';
import { expectNoProblems } from './support/problems.js';

// The service answers with at most 1,000 entities.
const COUNT = 1500;
const COLOURS = ['black', 'red', 'white'];

// An app whose service has entities without an end, and never answers with the second 1,000.
const APP = `
  import { mountExplorer } from 'entitable/explorer';
  import { remoteAccount } from 'entitable/remote';

  const json = (value, headers) =>
    new Response(JSON.stringify({ value }), {
      headers: { 'content-type': 'application/json', ...headers },
    });
  const entity = (number) => ({
    'odata.etag': 'W/"1"', PartitionKey: 'a', RowKey: String(number).padStart(9, '0'),
    Timestamp: '2024-05-01T00:00:00Z', age: number,
  });
  const never = (signal) =>
    new Promise((_, reject) =>
      signal.addEventListener('abort', () => {
        test.aborted++;
        reject(signal.reason);
      }),
    );
  async function fetch(url, { signal }) {
    const { pathname, searchParams } = new URL(url);
    if (pathname.endsWith('/Tables')) return json([{ TableName: 'Cats' }]);
    // More partitions.
    if (searchParams.get('$filter')) return json([]);
    const from = Number(searchParams.get('NextRowKey') ?? 0);
    if (from === 1000) return never(signal);
    const count = Number(searchParams.get('$top'));
    return json(Array.from({ length: count }, (_, at) => entity(from + at)), {
      'x-ms-continuation-NextPartitionKey': 'a',
      'x-ms-continuation-NextRowKey': String(from + count),
    });
  }
  const account = remoteAccount({ url: 'https://cats.example', sas: 'sig=1', fetch });
  window.test = {
    aborted: 0,
    mount: () => (test.explorer = mountExplorer(document.querySelector('#place'), account)),
  };
  test.mount();`;

declare const test: {
  readonly aborted: number;
  readonly explorer: { unmount(): void };
  mount(): void;
};

const apps = useAppPages();
let browser: Browser;
// For tests that change nothing.
let shared: Place;
beforeAll(async () => {
  [browser, shared] = await Promise.all([openBrowser(), makePlace()]);
});
afterAll(async () => {
  await browser.close();
  await shared.server.close();
});

/** A server with the page, and its table. */
interface Place {
  readonly server: TableServer;
  readonly cats: TableClient;
}

async function makePlace(): Promise<Place> {
  const server = await startServer({ explorer: true });
  return { server, cats: await catsOf(server) };
}

async function placeOfTest(): Promise<Place> {
  const place = await makePlace();
  onTestFinished(() => place.server.close());
  return place;
}

/** The table Cats: their weights are 0 to 1499 grams, from the last one to the first. */
async function catsOf({ connectionString }: TableServer): Promise<TableClient> {
  const cats = TableClient.fromConnectionString(connectionString, 'Cats', {
    allowInsecureConnection: true,
  });
  await cats.createTable();
  const all = Array.from({ length: COUNT }, (_, weight) => ({
    partitionKey: 'cats',
    rowKey: String(COUNT - 1 - weight).padStart(4, '0'),
    weight,
    colour: COLOURS[weight % 3]!,
    note: weight === 700 ? 'likes warm bread' : 'likes fish',
    born: { type: 'DateTime', value: '2024-05-01T00:00:00.1234567Z' } as const,
  }));
  for (let at = 0; at < COUNT; at += 100) {
    await cats.submitTransaction(all.slice(at, at + 100).map((cat) => ['create', cat]));
  }
  return cats;
}

interface Visit {
  readonly demo: DemoPage;
  readonly page: Page;
  readonly cats: TableClient;
}

interface VisitOptions {
  readonly width?: number;
  /** Takes over the request for the second page of entities. */
  readonly answer?: (route: Route) => Promise<void>;
}

async function visit(
  { server, cats }: Place,
  { width = 1280, answer }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(25_000);
  const page = await context.newPage();
  const isOfAnswer = (text: string) => text.startsWith('Failed to load resource');
  expectNoProblems(page, answer && isOfAnswer);
  if (answer) await page.route(/\/Cats\(\).*(?=.*NextRowKey)(?=.*top=1000)/i, answer);
  await page.goto(new URL('/-/explorer', server.url).href);
  await page.getByRole('heading', { name: 'Cats' }).waitFor();
  await page.getByText('At least 101 entities').waitFor();
  return { demo: new DemoPage(page), page, cats };
}

const limits = (page: Page) => page.locator('#limits-text');

async function copy(demo: DemoPage): Promise<void> {
  await demo.button('Sort and chart a copy').click();
  await limits(demo.page).filter({ hasText: 'A copy in the memory of this page' }).waitFor();
}

/** What the screen shows at an eighth of the element's width, and in its middle. */
async function colours(element: Locator): Promise<number[][]> {
  const image = (await element.screenshot()).toString('base64');
  const page = await element.page().context().newPage();
  const found = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const { width, height } = bitmap;
    const context = new OffscreenCanvas(width, height).getContext('2d')!;
    context.drawImage(bitmap, 0, 0);
    return [width / 8, width / 2].map((x) => [...context.getImageData(x, height / 2, 1, 1).data]);
  }, image);
  await page.close();
  return found;
}

describe('a copy of a table of the service', () => {
  it('can be sorted, charted and searched, and has all that the entities have', async () => {
    const { demo, page, cats } = await visit(shared);
    await copy(demo);
    await page.getByText(/^1,500 entities · /).waitFor();
    expect(await limits(page).innerText()).toMatch(
      /^A copy in the memory of this page: 1,500 entities, read at \d\d:\d\d\. It can be sorted, /,
    );

    await demo.button('weight').click();
    await expect
      .poll(async () => (await demo.column('weight')).slice(0, 3))
      .toEqual(['0', '1', '2']);

    await demo.button('Chart').click();
    const choice = (name: string) =>
      page.locator('#chart-choices').getByLabel(name, { exact: true });
    await choice('By').selectOption('colour');
    await choice('Of').selectOption('Sum of weight');
    // 500 weights each: 0, 3, 6 … of black cats, and each red one weighs a gram more.
    const sumOfBlack = (3 * (499 * 500)) / 2;
    const rows = page.locator('#chart-table tbody tr');
    const figures = () =>
      rows.evaluateAll((all) => all.map((row) => [...row.children].map((it) => it.textContent)));
    await expect.poll(figures).toEqual([
      ['white', grouped(sumOfBlack + 1000)],
      ['red', grouped(sumOfBlack + 500)],
      ['black', grouped(sumOfBlack)],
    ]);

    await demo.button('Search for words').click();
    await page.getByRole('searchbox', { name: 'Words' }).fill('bread');
    await page.getByLabel('In the property').selectOption('note');
    await page.getByRole('searchbox', { name: 'Words' }).press('Enter');
    await page.getByText(/^1 entity · /).waitFor();
    const { timestamp } = await cats.getEntity('cats', '0799');
    const [row] = (await demo.grid()).rows;
    expect(row).toMatchObject({
      RowKey: '0799',
      weight: '700',
      born: '2024-05-01 00:00:00.1234567',
    });
    // Without zeros at its end.
    const [, digits] = /^(.*?)0*Z$/.exec(timestamp!.replace('T', ' '))!;
    expect(row!['Timestamp']).toBe(digits);
  });

  it('is only read: changes are for the account, where they work again', async () => {
    const { demo, page, cats } = await visit(await placeOfTest());
    await copy(demo);
    for (const [name, reason] of [
      ['Add an entity', 'a copy in the memory'],
      ['Delete this table', 'a copy in the memory'],
      // A copy has no such limit, but has only one table.
      ['Save all tables', 'The service of this account cannot give all tables'],
    ] as const) {
      const button = page.getByRole('button', { name, exact: true, includeHidden: true });
      expect(await button.getAttribute('title')).toContain(reason);
    }
    const notice = page.locator('#notice');
    const isRefused = async () => {
      await notice.filter({ hasText: 'To change entities, go back to the account.' }).waitFor();
      await notice.evaluate((element: HTMLElement) => (element.hidden = true));
    };
    await demo.button('Edit 0001').click();
    await isRefused();
    await page.getByRole('gridcell', { name: '1,499', exact: true }).dblclick();
    await isRefused();
    await page.getByLabel('Select 0001').check();
    await demo.button('Delete 1').click();
    await isRefused();
    expect(await page.getByRole('dialog').count()).toBe(0);

    await demo.button('Chart').click();
    await demo.button('Back to the account').click();
    await limits(page).filter({ hasText: 'no order, no sums' }).waitFor();
    await page.getByText('At least 101 entities').waitFor();
    await page.getByRole('region', { name: 'Chart' }).waitFor({ state: 'hidden' });
    await demo.button('Edit 0001').click();
    await demo.dialog.getByLabel('Value', { exact: true }).first().fill('7777');
    await demo.dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('0001 was saved.').first().waitFor();
    expect((await cats.getEntity<{ weight: number }>('cats', '0001')).weight).toBe(7777);
  });

  it('has what the filter selects, follows other filters, and is read again by a click', async () => {
    const { demo, page, cats } = await visit(await placeOfTest());
    await demo.runFilter('weight lt 3');
    await page.getByText(/^3 entities · /).waitFor();
    await copy(demo);
    await limits(page).filter({ hasText: '3 entities that match weight lt 3, read at' }).waitFor();
    expect(await demo.filter.inputValue()).toBe('');
    await demo.runFilter('weight gt 0');
    await page.getByText(/^2 entities · /).waitFor();

    await cats.createEntity({ partitionKey: 'cats', rowKey: 'new', weight: 2 });
    await demo.button('Read again').click();
    await limits(page).filter({ hasText: '4 entities that match weight lt 3' }).waitFor();
    await page.getByText(/^4 entities · /).waitFor();

    await demo.button('Back to the account').click();
    await expect.poll(() => demo.filter.inputValue()).toBe('weight lt 3');
    await page.getByText(/^4 entities · /).waitFor();
  });

  it('does not come after Cancel, or if another table is chosen', async () => {
    let arrived = () => {};
    const answer = () => new Promise<void>(() => arrived());
    const { demo, page } = await visit(await placeOfTest(), { answer });
    const isHeldUp = () => new Promise<void>((resolve) => (arrived = resolve));
    const begin = async () => {
      const held = isHeldUp();
      await demo.button('Sort and chart a copy').click();
      await held;
      await demo.heading('Reading 1,000 entities').waitFor();
    };
    const isOver = async () => {
      await demo.heading('Reading 1,000 entities').waitFor({ state: 'hidden' });
      await limits(page).filter({ hasText: 'no order, no sums' }).waitFor();
      expect(await page.locator('#notice').isVisible()).toBe(false);
    };
    await begin();
    const bar = page.getByRole('progressbar');
    expect(await bar.getAttribute('value')).toBe(null);
    // Without motion, the light rests in the middle.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const [edge, middle] = await colours(bar);
    expect(middle).not.toEqual(edge);
    await demo.button('Cancel').click();
    await isOver();
    await page.getByText('At least 101 entities').waitFor();

    await begin();
    await demo.button('New table').click();
    await demo.dialog.getByLabel('Name', { exact: true }).fill('Boats');
    await demo.button('Create').click();
    await demo.heading('Boats').waitFor();
    await isOver();
  });

  it('does not come if the service refuses a part of it', async () => {
    const body = JSON.stringify({
      'odata.error': { code: 'AuthorizationFailure', message: { lang: 'en', value: 'No.' } },
    });
    const { demo, page } = await visit(shared, {
      answer: (route) => route.fulfill({ status: 403, contentType: 'application/json', body }),
    });
    await demo.button('Sort and chart a copy').click();
    await page
      .locator('#notice')
      .filter({ hasText: /^AuthorizationFailure .*does not permit this, or has expired/ })
      .waitFor();
    await page.getByText('At least 101 entities').waitFor();
    expect(await demo.button('Sort and chart a copy').isEnabled()).toBe(true);
    expect(await demo.button('Add an entity').isEnabled()).toBe(true);
  });

  it('is not read to its end, if the app takes the explorer away', async () => {
    const page = await apps.open({ html: '<div id="place"></div>', css: '', js: APP });
    const copyButton = page.getByRole('button', { name: 'Sort and chart a copy' });
    await copyButton.click();
    await page.getByRole('heading', { name: 'Reading 1,000 entities' }).waitFor();
    await page.evaluate(() => test.explorer.unmount());

    await expect.poll(() => page.evaluate(() => test.aborted)).toBe(1);
    expect(await page.locator('#place > *').count()).toBe(0);
    await page.evaluate(() => test.mount());
    await copyButton.waitFor();
  });

  it('is offered where the service has no order', async () => {
    const { demo, page } = await visit(shared);
    await demo.button('weight').click();
    await page.locator('#notice').filter({ hasText: 'choose “Sort and chart a copy”' }).waitFor();
  });

  it('passes the rules of axe, on a phone and on a desktop', async () => {
    const { demo, page } = await visit(shared, { width: 390 });
    await copy(demo);
    await page.getByText(/^1,500 entities · /).waitFor();
    await isAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await isAccessible(page);
  });
});
