// The page of the demo that opens an account by a signature, and a server of another origin.

import { TableServiceClient } from '@azure/data-tables';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type * as Http from '../../js/src/http.js';
import type * as Remote from '../../js/src/remote.js';
import { serveDemo } from '../../scripts/lib/server.mjs';
import { isAccessible } from '../browser/support/axe.js';
import { openBrowser } from './support/browser.js';
import { CORS_RULE } from '../js/support/cors-rule.js';
import { built, startServer, type TableServer } from './support/built.js';

const { DEVELOPMENT_ACCOUNT, generateAccountSas, generateTableSas } =
  await built<typeof Http>('http');
const { remoteAccount } = await built<typeof Remote>('remote');

const { account, key } = DEVELOPMENT_ACCOUNT;
const INSECURE = { allowInsecureConnection: true };
const RULE = { ...CORS_RULE, maxAgeInSeconds: 60 };

let browser: Browser;
let site: Awaited<ReturnType<typeof serveDemo>>;
let server: TableServer;

beforeAll(async () => {
  browser = await openBrowser();
  site = await serveDemo({ port: 0 });
  server = await startServer();
  const service = TableServiceClient.fromConnectionString(server.connectionString, INSECURE);
  await service.setProperties({ cors: [{ ...RULE, allowedOrigins: new URL(site.url).origin }] });
  const pets = remoteAccount({ url: server.url, key }).tableClient('Pets');
  await pets.createTable();
  for (const [rowKey, age] of [
    ['ann', 3],
    ['bob', 5],
  ] as const) {
    await pets.createEntity({ partitionKey: 'dogs', rowKey, age });
  }
});

afterAll(async () => {
  await browser.close();
  await site.close();
  await server.close();
});

const expiresOn = new Date(Date.now() + 3_600_000);
const signature = (permissions: string) =>
  generateAccountSas({ account, key, permissions, resourceTypes: 'sco', expiresOn });

async function visit(width = 1280): Promise<Page> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(25_000);
  const page = await context.newPage();
  await page.goto(`${site.url}remote.html`);
  return page;
}

async function connect(page: Page, sas: string, url = server.url): Promise<void> {
  await page.getByLabel('Address').fill(url);
  await page.getByLabel('Shared access signature').fill(sas);
  await page.getByRole('button', { name: 'Connect' }).click();
}

async function openPets(page: Page, permissions = 'rwdlau'): Promise<void> {
  await connect(page, await signature(permissions));
  const list = page.getByRole('button', { name: 'Tables and partitions' });
  await list.waitFor();
  // On a phone, the list is a drawer.
  if ((await list.getAttribute('aria-expanded')) === 'false') await list.click();
  await page.getByRole('link', { name: 'Pets' }).click();
  await page.getByText('bob', { exact: true }).first().waitFor();
}

/** Keeps each request to the server back until the end of its path is released. */
async function holdRequests(page: Page): Promise<{ release(path: string): void }> {
  const released = new Set<string>();
  const waiting: (() => void)[] = [];
  await page.route(`${server.url}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    while (![...released].some((path) => pathname.endsWith(path))) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    await route.continue();
  });
  const release = (path: string) => {
    released.add(path);
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { release };
}

async function tableNames(): Promise<(string | undefined)[]> {
  const names = [];
  for await (const { name } of remoteAccount({ url: server.url, key }).listTables()) {
    names.push(name);
  }
  return names;
}

describe('the explorer of a remote account', () => {
  it('lists, filters and edits what the service has, and says that it waits for it', async () => {
    const page = await visit();
    const requests = await holdRequests(page);
    await connect(page, await signature('rwdlau'));
    await page.getByRole('button', { name: 'Connecting…' }).waitFor();
    requests.release('/Tables');
    await page.getByRole('heading', { name: 'Pets' }).waitFor();
    await page.getByRole('status').filter({ hasText: 'Reading…' }).waitFor();
    requests.release('');
    await page.getByText('bob', { exact: true }).first().waitFor();
    await page.getByLabel('$filter').fill('age gt 4');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText(/^1 entity/).waitFor();

    await page.getByRole('button', { name: 'Edit bob' }).click();
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('7');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('bob was saved.').first().waitFor();

    const stored = remoteAccount({ url: server.url, key }).tableClient<{ age: number }>('Pets');
    expect((await stored.getEntity('dogs', 'bob')).age).toBe(7);
  });

  it('says that it waits, also if the user scrolls meanwhile', async () => {
    const long = remoteAccount({ url: server.url, key }).tableClient('Long');
    await long.createTable();
    onTestFinished(() => long.deleteTable());
    for (let row = 100; row < 200; row++) {
      await long.createEntity({ partitionKey: 'p', rowKey: `${row}` });
    }
    const page = await visit();
    await openPets(page);
    await page.getByRole('link', { name: 'Long' }).click();
    await page.getByText('100', { exact: true }).waitFor();
    await page.getByLabel('$filter').fill("RowKey gt '101'");
    const requests = await holdRequests(page);
    await page.evaluate(() => {
      document.querySelector<HTMLElement>('#query [type=submit]')!.click();
      document.getElementById('grid')!.scrollTop = 100;
    });

    await page.getByRole('status').filter({ hasText: 'Reading…' }).waitFor();
    requests.release('');
    await page
      .getByRole('status')
      .filter({ hasText: /^98 entities/ })
      .waitFor();
  });

  it('says what the service cannot do', async () => {
    const page = await visit();
    await openPets(page);

    expect(await page.locator('#limits').innerText()).toContain('no order, no sums, no counts');
    const chart = page.getByRole('button', { name: 'Chart', exact: true });
    expect(await chart.isDisabled()).toBe(true);
    expect(await chart.getAttribute('title')).toContain('choose “Sort and chart a copy”');
    expect(await page.getByText('Search for words').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'age', exact: true }).click();
    await page.locator('#notice').filter({ hasText: 'has no order' }).waitFor();
    expect(await page.getByText('ann', { exact: true }).count()).toBeGreaterThan(0);
  });

  it('creates and deletes a table', async () => {
    const page = await visit();
    await openPets(page);
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await button('New table').click();
    await page.getByLabel('Name', { exact: true }).fill('Boats');
    await button('Create').click();
    await page.getByRole('heading', { name: 'Boats' }).waitFor();
    expect(await tableNames()).toContain('Boats');

    await button('More').click();
    await button('Delete this table').click();
    await page.getByText('It has no entities. An undo brings back').waitFor();
    await button('Delete the table').click();
    await page.getByRole('heading', { name: 'Boats' }).waitFor({ state: 'hidden' });
    expect(await tableNames()).not.toContain('Boats');
  });

  it('imports a file in transactions', async () => {
    const page = await visit();
    await openPets(page);
    await page.locator('#file-input').setInputFiles({
      name: 'cats.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('RowKey,Age\nmia,2\nleo,4\n'),
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByRole('heading', { name: 'Loaded 2 rows' }).waitFor();

    const cats = remoteAccount({ url: server.url, key }).tableClient<{ Age: number }>('cats');
    const ages = [];
    for await (const { Age } of cats.listEntities()) ages.push(Age);
    expect(ages).toEqual([4, 2]);
  });

  it('keeps the signature in its memory alone', async () => {
    const page = await visit();
    const printed: string[] = [];
    page.on('console', (message) => printed.push(message.text()));
    const sas = await signature('rwdlau');
    const secret = new URLSearchParams(sas).get('sig')!;
    // As portals show it: the signature leaves the field for the address.
    await page.getByLabel('Address').fill(`${server.url}?${sas}`);
    expect(await page.getByLabel('Address').inputValue()).toBe(server.url);
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByRole('link', { name: 'Pets' }).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('button', { name: 'The same in your code' }).click();

    const shown = await page.evaluate(async () => {
      const fields = [...document.querySelectorAll('input')].map(({ value }) => value);
      const databases = (await indexedDB.databases()).map(({ name }) => name);
      const stored = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), ...databases];
      return [document.documentElement.outerHTML, location.href, document.title]
        .concat(fields, stored as string[])
        .join('\n');
    });
    for (const form of [secret, encodeURIComponent(secret)]) {
      expect(shown).not.toContain(form);
      expect(printed.join('\n')).not.toContain(form);
    }
  });

  it('opens the one table of a signature for a table', async () => {
    const page = await visit();
    const sas = await generateTableSas({
      ...{ account, key, table: 'Pets', permissions: 'r', expiresOn },
    });
    await connect(page, sas);
    await page.getByText('ann', { exact: true }).first().waitFor();

    await page.getByRole('button', { name: 'Edit ann' }).click();
    for (const [name, permission] of [
      ['Save', 'u'],
      ['Delete', 'd'],
    ] as const) {
      const button = page.getByRole('dialog').getByRole('button', { name, exact: true });
      expect(await button.isDisabled()).toBe(true);
      expect(await button.getAttribute('title')).toContain(
        `it lacks the permission ${permission}.`,
      );
    }
  });

  it('offers no change that the signature does not permit, and says why', async () => {
    const page = await visit();
    await openPets(page, 'rl');
    for (const [name, permission] of [
      ['New table', 'c'],
      ['Delete this table', 'd'],
      ['Add an entity', 'a'],
      ['Open CSV or JSON', 'a'],
    ] as const) {
      // It is in a menu.
      const includeHidden = name === 'Delete this table';
      const button = page.getByRole('button', { name, exact: true, includeHidden });
      expect(await button.isDisabled(), name).toBe(true);
      expect(await button.getAttribute('title')).toBe(
        `The signature does not permit this: it lacks the permission ${permission}.`,
      );
    }
    await page.getByRole('gridcell', { name: '3', exact: true }).dblclick();
    await page.locator('#notice').filter({ hasText: 'it lacks the permission u.' }).waitFor();

    await page.getByRole('gridcell', { name: '3', exact: true }).click({ button: 'right' });
    const menu = page.getByRole('group', { name: 'Cell' });
    await menu.getByRole('button', { name: 'Copy', exact: true }).waitFor();
    const writes = menu.getByRole('button', {
      name: /^(?:Edit|Paste|Remove|Duplicate|Change|Del)/,
    });
    expect(await writes.count()).toBe(0);
  });

  it('changes several entities by one request, and undoes that', async () => {
    const page = await visit();
    await openPets(page);
    const ages = async () => {
      const stored = remoteAccount({ url: server.url, key }).tableClient<{ age: number }>('Pets');
      const list = [];
      for await (const { age } of stored.listEntities()) list.push(age);
      return list;
    };
    const before = await ages();
    const batches: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('$batch')) batches.push(request.method());
    });
    await page.getByRole('gridcell', { name: String(before[0]), exact: true }).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Delete');
    await page.getByText('2 values were removed.').first().waitFor();
    expect(await ages()).toEqual([undefined, undefined]);
    await page.keyboard.press('Control+z');
    await page.getByText('Undone: 2 values were removed.').first().waitFor();
    expect(await ages()).toEqual(before);
    expect(batches).toEqual(['POST', 'POST']);
  });

  it('explains a refused signature, and an account without CORS', async () => {
    const page = await visit();
    const text = page.locator('#trouble');
    await connect(page, (await signature('rwdlau')).replace(/sig=.{6}/, 'sig=AAAAAA'));
    await text.getByText('The signature is wrong, has expired, or has no permission').waitFor();

    const other = await startServer();
    onTestFinished(() => other.close());
    await connect(page, await signature('rwdlau'), other.url);
    await text.getByText(`no CORS for ${new URL(site.url).origin}`).waitFor();
    await isAccessible(page);
  });

  // The test of a refused signature looks at the form on a desktop.
  it('passes the rules of axe, on a phone and on a desktop', async () => {
    const page = await visit(360);
    await isAccessible(page);
    await openPets(page);
    await isAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await isAccessible(page);
  });
});
