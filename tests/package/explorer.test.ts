import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { isAccessible } from '../browser/support/axe.js';
import { exampleNamed } from '../../scripts/lib/documents.mjs';
import { useAppPages, type AppPage } from './support/app-page.js';

const pages = useAppPages();

// Its names and styles collide with those of the explorer.
const APP: AppPage = {
  html: `
    <main>
      <h1 id="table-title">An app</h1>
      <button id="toggle" type="button">Show or hide the tables</button>
      <p id="grid">The grid of the app</p>
      <div id="place"></div>
    </main>`,
  css: '* { font-size: 40px; } button { text-transform: uppercase; } table { display: none; }',
  js: `
    import { openAccount } from 'entitable';
    import { mountExplorer } from 'entitable/explorer';
    import { memoryStorage } from 'entitable/storage/memory';

    const account = await openAccount({ storage: memoryStorage() });
    await account.createTable('Empty');
    const pets = account.tableClient('Pets');
    await pets.createTable();
    for (const [rowKey, age] of [['ann', 3], ['bob', 5], ['cleo', 5]])
      await pets.createEntity({ partitionKey: 'dogs', rowKey, age });

    const place = document.querySelector('#place');
    let explorer;
    document.querySelector('#toggle').addEventListener('click', () => {
      explorer?.unmount();
      explorer = explorer ? undefined : mountExplorer(place, account);
    });
    window.test = {
      mount: () => mountExplorer(place, account),
      ageOf: async (rowKey) => (await pets.getEntity('dogs', rowKey)).age,
    };
    document.querySelector('#toggle').click();`,
};

declare const test: {
  mount(): void;
  release(): void;
  ageOf(rowKey: string): Promise<number>;
};

async function openPets(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'Pets' });
  const list = page.getByRole('button', { name: 'Tables and partitions' });
  await list.waitFor();
  // Without room beside the table, the list is a drawer.
  if ((await list.getAttribute('aria-expanded')) === 'false') await list.click();
  await link.click();
  await page.getByText(/^3 entities/).waitFor();
}

/** Sets the width of the explorer. */
const setWidth = (page: Page, width: string) =>
  page.evaluate((text) => {
    document.querySelector<HTMLElement>('#place')!.style.width = text;
  }, width);

// The first query of its table never ends.
const WAITING: AppPage = {
  html: '<div id="place"></div>',
  css: '',
  js: `
    import { openAccount } from 'entitable';
    import { mountExplorer } from 'entitable/explorer';
    import { memoryStorage } from 'entitable/storage/memory';

    const account = await openAccount({ storage: memoryStorage() });
    await account.createTable('Pets');
    const pets = account.tableClient('Pets');
    const next = () => new Promise(() => {});
    const pages = { next, [Symbol.asyncIterator]: () => pages, byPage: () => pages };
    pets.listEntities = () => pages;
    account.tableClient = () => pets;
    mountExplorer(document.querySelector('#place'), account);`,
};

// A query that skips rows has no answer before `release` is called.
const LATE: AppPage = {
  html: '<div id="place"></div>',
  css: '',
  js: `
    import { openAccount } from 'entitable';
    import { mountExplorer } from 'entitable/explorer';
    import { memoryStorage } from 'entitable/storage/memory';

    const account = await openAccount({ storage: memoryStorage() });
    const pets = account.tableClient('Pets');
    await pets.createTable();
    const rows = Array.from({ length: 3000 }, (_, age) => ({
      partitionKey: 'dogs', rowKey: String(9999 - age), age,
    }));
    await pets.importEntities(rows);

    window.test = {};
    const released = new Promise((resolve) => (test.release = resolve));
    const list = pets.listEntities.bind(pets);
    pets.listEntities = (options) => {
      const entities = list(options);
      const isLate = options.skip > 0;
      return {
        byPage(settings) {
          const pages = entities.byPage(settings);
          return { next: async () => (isLate && (await released), pages.next()) };
        },
      };
    };
    account.tableClient = () => pets;
    mountExplorer(document.querySelector('#place'), account);`,
};

describe('an explorer in the page of an app', () => {
  it('says while a jump sorts entities, until their rows are there', async () => {
    const page = await pages.open(LATE);
    await page.getByText(/^3,000 entities · /).waitFor();
    await page.getByRole('button', { name: 'age', exact: true }).click();
    await page.locator('[role=columnheader][aria-sort=ascending]').waitFor();
    await page.getByRole('gridcell', { name: '0', exact: true }).waitFor();
    await page.locator('#grid').evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight / 2;
    });

    const status = page.getByRole('status');
    const wait = /^Sorting 3,000 entities, for row 1,[45]\d\d and on…$/;
    await status.filter({ hasText: wait }).waitFor();
    expect(await page.getByRole('gridcell', { name: '1,500', exact: true }).count()).toBe(0);
    await page.evaluate(() => test.release());
    await page.getByRole('gridcell', { name: '1,500', exact: true }).waitFor();
    await status.filter({ hasText: /^3,000 entities · / }).waitFor();
  });

  it('does not call a query refused that has no answer yet', async () => {
    const page = await pages.open(WAITING);
    await page.getByRole('heading', { name: 'Pets' }).waitFor();
    await page.getByRole('button', { name: 'Chart' }).click();
    await page.getByRole('region', { name: 'Chart', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Properties' }).click();
    await page.getByRole('region', { name: 'Properties', exact: true }).waitFor();

    expect(await page.getByText('refused').count()).toBe(0);
  });

  it('shows and changes the account of the app, and leaves the address to the app', async () => {
    const page = await pages.open(APP);
    const address = page.url();
    await page.getByRole('heading', { name: 'Empty' }).waitFor();
    await openPets(page);

    await page.getByRole('button', { name: 'Edit bob' }).click();
    await page.getByRole('dialog').getByLabel('Value', { exact: true }).fill('6');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('bob was saved.').first().waitFor();

    expect(await page.evaluate(() => test.ageOf('bob'))).toBe(6);
    expect(page.url()).toBe(address);
  });

  it('draws a chart with its own styles', async () => {
    const page = await pages.open(APP);
    await openPets(page);
    await page.getByRole('button', { name: 'Chart' }).click();
    await page.getByRole('img', { name: /^Sum of age|^Number of entities/ }).waitFor();

    const canvas = page.locator('.plot canvas');
    await canvas.waitFor();
    expect((await canvas.boundingBox())!.width).toBeGreaterThan(300);
  });

  it('neither takes styles and ids from the page, nor gives it any', async () => {
    const page = await pages.open(APP);
    await openPets(page);
    const styleOf = (name: string) =>
      page
        .getByRole('button', { name, exact: true })
        .evaluate((button) => getComputedStyle(button).textTransform);

    expect(await styleOf('Chart')).toBe('none');
    expect(await styleOf('Show or hide the tables')).toBe('uppercase');
    expect(await page.evaluate(() => document.getElementById('grid')!.textContent)).toBe(
      'The grid of the app',
    );
  });

  it('has the layout of its width, not of the window', async () => {
    const page = await pages.open({ ...APP, css: '' });
    await openPets(page);
    const places = () =>
      page.evaluate(() => {
        const root = document.querySelector('#place > *')!.shadowRoot!;
        const boxOf = (name: string) => root.querySelector(name)!.getBoundingClientRect();
        const [side, view, grid] = ['.side', '.table-view', '#grid'].map(boxOf);
        const { right } = document.querySelector('#place')!.getBoundingClientRect();
        const isShown = side!.width > 0;
        // All of the grid can be in sight at once.
        const isInside = grid!.right <= right && grid!.height > 150 && grid!.height < innerHeight;
        return { isBeside: isShown && side!.right <= view!.left, isInside };
      });

    expect(await places()).toEqual({ isBeside: true, isInside: true });
    await setWidth(page, '390px');
    expect(await places()).toEqual({ isBeside: false, isInside: true });
    await page.setViewportSize({ width: 700, height: 800 });
    await setWidth(page, '1100px');
    expect(await places()).toEqual({ isBeside: true, isInside: true });
  });

  it('goes with unmount(), and may come again; a page has one at a time', async () => {
    const page = await pages.open(APP);
    const toggle = page.getByRole('button', { name: 'Show or hide the tables' });
    await openPets(page);
    const refusal = await page.evaluate(() => {
      try {
        return test.mount();
      } catch (error) {
        return String(error);
      }
    });
    expect(refusal).toContain('The page has an explorer already. Call its unmount() first.');

    await toggle.click();
    await expect.poll(() => page.locator('#place > *').count()).toBe(0);
    expect(await page.evaluate(() => test.ageOf('ann'))).toBe(3);
    await toggle.click();
    await openPets(page);
  });

  it('may be unmounted while it is loading', async () => {
    const page = await pages.open(APP);
    const toggle = page.getByRole('button', { name: 'Show or hide the tables' });
    await openPets(page);
    await toggle.dblclick();
    await toggle.dblclick();
    await openPets(page);

    expect(await page.locator('#place > *').count()).toBe(1);
  });

  it('passes the rules of axe, on a phone, on a desktop, and in a narrow place', async () => {
    const page = await pages.open({ ...APP, css: '' }, 390);
    await openPets(page);
    await isAccessible(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await isAccessible(page);
    await setWidth(page, '360px');
    await isAccessible(page);
  });

  it('says so if the account has no tables', async () => {
    const js = exampleNamed('docs/guides/explorer.md', 'mount.js');
    const page = await pages.open({ html: '', css: '', js });
    await page.getByRole('heading', { name: 'This account has no tables' }).waitFor();
    expect(await page.getByRole('button', { name: 'Open CSV or JSON' }).count()).toBe(1);
  });
});
