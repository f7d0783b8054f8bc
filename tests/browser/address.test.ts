import { describe, expect, inject, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { header, importCsv, isLoaded } from './support/grid.js';

const browser = useBrowser();

const hashOf = (demo: DemoPage) => new URL(demo.page.url()).hash;
const sees = (demo: DemoPage, text: RegExp) => demo.page.getByText(text).waitFor();

describe('an address with a malformed percent escape', () => {
  it('opens the first table, and then the one of a new address', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();

    await demo.page.goto('about:blank');
    await demo.page.goto(`${inject('pageUrl')}#/%`);
    await demo.heading('Movies').waitFor();
    await eventually(() => hashOf(demo)).toBe('#/Movies');

    // Without a new load of the page.
    await demo.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          addEventListener('hashchange', () => resolve(), { once: true });
          location.hash = '#/%';
        }),
    );
    await demo.results.waitFor();
    expect(await demo.heading('Movies').isVisible()).toBe(true);
    expect(await demo.page.locator('#notice').isVisible()).toBe(false);
  });
});

describe('the address', () => {
  it('has the filter and the order, which Back and Forward take back and bring again', async () => {
    const demo = await browser.visitMovies();
    const { page } = demo;
    await demo.runFilter('UsGross gt 400000000L');
    await sees(demo, /^11 entities · /);
    await demo.button('ImdbRating').click();
    await eventually(() => header(demo, 'ImdbRating').getAttribute('aria-sort')).toBe('ascending');
    const ratings = await demo.column('ImdbRating');

    await page.goBack();
    await eventually(() => header(demo, 'ImdbRating').getAttribute('aria-sort')).toBe('none');
    expect(await demo.filter.inputValue()).toBe('UsGross gt 400000000L');
    await page.goBack();
    await sees(demo, /^3,201 entities · /);
    expect(await demo.filter.inputValue()).toBe('');
    expect(hashOf(demo)).toBe('#/Movies');

    await page.goForward();
    await page.goForward();
    await sees(demo, /^11 entities · /);
    await eventually(() => demo.column('ImdbRating')).toEqual(ratings);
  });

  it('keeps everything that is on the screen over a reload', async () => {
    const demo = await browser.visitMovies();
    const { page } = demo;
    const choice = (label: string) =>
      page.locator('#chart-choices').getByLabel(label, { exact: true });
    await demo.runFilter("Director eq 'Stanley Kubrick'");
    await demo.button('Chart').click();
    await choice('By').selectOption('MpaaRating');
    await choice('Of').selectOption('Average of ImdbRating');
    await demo.button('Search for words').click();
    await page.getByLabel('Words', { exact: true }).fill('shining odyssey');
    await page.getByLabel('Texts with').selectOption('any of the words');
    await page.keyboard.press('Enter');
    await page.getByLabel('Words', { exact: true }).press('Enter');
    await sees(demo, /^2 entities, best first · /);
    const [titles, address] = [await demo.column('Title'), page.url()];

    await page.reload();
    await sees(demo, /^2 entities, best first · /);
    expect(await demo.column('Title')).toEqual(titles);
    expect(await demo.filter.inputValue()).toBe("Director eq 'Stanley Kubrick'");
    const name = /^Average of ImdbRating by MpaaRating/;
    await page.getByRole('img', { name }).waitFor();
    expect(page.url()).toBe(address);
  });

  it('is a link that shows the same to somebody else, with its columns', async () => {
    const demo = await browser.visitMovies();
    await demo.runFilter('UsGross gt 500000000L');
    await demo.button('Columns').click();
    for (const name of ['PartitionKey', 'Timestamp']) {
      await demo.page.getByRole('checkbox', { name }).uncheck();
    }
    await demo.page.keyboard.press('Escape');
    const { columns } = await demo.grid();
    await demo.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await demo.choose('Copy a link to this view');
    await eventually(() => demo.page.evaluate(() => navigator.clipboard.readText())).toBe(
      demo.page.url(),
    );

    const other = await browser.visit();
    await other.loadMovies();
    await other.page.goto(demo.page.url());
    await sees(other, /^3 entities · /);
    expect((await other.grid()).columns).toEqual(columns);
    // They are the other's own, once changed.
    await other.button('Columns').click();
    await other.button('As at first').click();
    await eventually(async () => (await other.grid()).columns.length).toBe(columns.length + 2);
  });

  it('goes from table to table, and not to one that is gone', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Boats.csv', ['RowKey', 'a', 'b']);
    await importCsv(demo, 'Pets.csv', ['RowKey', 'rex']);
    await demo.runFilter("RowKey eq 'rex'");
    await demo.page.getByRole('link', { name: /^Boats/ }).click();
    await eventually(() => demo.column('RowKey')).toEqual(['a', 'b']);

    await demo.page.goBack();
    await demo.heading('Pets').waitFor();
    await eventually(() => demo.filter.inputValue()).toBe("RowKey eq 'rex'");
    await demo.page.evaluate(() => (location.hash = '#/Gone'));
    await demo.page.getByRole('alert').filter({ hasText: 'There is no table Gone' }).waitFor();
    await demo.heading('Pets').waitFor();
    await eventually(() => hashOf(demo)).toMatch(/^#\/Pets/);
  });
});

describe('the queries of a table', () => {
  it('that were asked last are offered, also after a reload', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Pets.csv', ['Age,Name', '7,Rex', '4,Tom']);
    for (let age = 1; age <= 12; age++) await demo.runFilter(`Age gt ${age}`);
    await demo.button('Clear').click();
    await demo.page.reload();
    await isLoaded(demo);

    await demo.filter.focus();
    const options = demo.page.getByRole('option').locator('code');
    expect((await options.allInnerTexts())[0]).toMatch(/^Age gt \d+$/);
    await demo.page.keyboard.press('ArrowDown');
    await demo.page.keyboard.press('Enter');
    await eventually(() => demo.filter.inputValue()).toMatch(/^Age gt \d+$/);
  });

  it('have names, by which they are found again, and are forgotten', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Pets.csv', ['Age,Name', '7,Rex', '4,Tom']);
    await demo.runFilter('Age gt 5');
    await sees(demo, /^1 entity · /);
    await demo.button('Name').click();
    await demo.choose('Queries');
    await demo.dialog.getByLabel('Name').fill('The old ones');
    await demo.dialog.getByRole('button', { name: 'Save' }).click();
    await demo.dialog.getByRole('button', { name: 'Close' }).click();

    await demo.button('Clear').click();
    await demo.button('Name').click();
    await demo.page.reload();
    await sees(demo, /^2 entities · /);
    await demo.choose('Queries');
    await demo.dialog.getByRole('button', { name: /^The old ones/ }).click();
    await sees(demo, /^1 entity · /);
    expect(await demo.filter.inputValue()).toBe('Age gt 5');
    expect(await header(demo, 'Name').getAttribute('aria-sort')).toBe('ascending');

    await demo.choose('Queries');
    await demo.button('Forget The old ones').click();
    await demo.page.reload();
    await demo.choose('Queries');
    await demo.dialog.getByText('No query has a name yet.').waitFor();
  });
});
