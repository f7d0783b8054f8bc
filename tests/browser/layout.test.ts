import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { gridCell, gridRow, header, importCsv, isLoaded } from './support/grid.js';

const browser = useBrowser();

/** What a user sees of the page, in CSS pixels. */
function measure(demo: DemoPage) {
  return demo.page.evaluate(() => {
    const grid = document.getElementById('grid')!;
    const { top, bottom } = grid.getBoundingClientRect();
    const head = document.querySelector('.grid-head')!.getBoundingClientRect().bottom;
    const rows = Array.from(document.querySelectorAll('.grid-row'), (row) =>
      row.getBoundingClientRect(),
    ).filter((row) => row.top >= head - 1 && row.bottom <= Math.min(bottom, innerHeight));
    const { scrollHeight, scrollWidth } = document.documentElement;
    return {
      firstRow: Math.min(...rows.map((row) => row.top)),
      rows: rows.length,
      gridTop: top,
      header: document.querySelector<HTMLElement>('.top')!.offsetHeight,
      brand: document.querySelector('.logo')!.getBoundingClientRect().left,
      content: document.querySelector('main h2, main button')!.getBoundingClientRect().left,
      isScrolled: scrollHeight > innerHeight || scrollWidth > innerWidth,
    };
  });
}

const visitMovies = async (width: number, height: number) => {
  const demo = await browser.visitMovies();
  await demo.page.setViewportSize({ width, height });
  await isLoaded(demo);
  return demo;
};

describe('the grid is the screen', () => {
  it.each([
    [1440, 900, 200, 20],
    [1024, 768, 260, 16],
    [390, 844, 300, 10],
  ])('at %d × %d: its first row is at %d px or above', async (width, height, y, least) => {
    const demo = await visitMovies(width, height);

    await eventually(async () => (await measure(demo)).rows).toBeGreaterThanOrEqual(least);
    const { firstRow, header, isScrolled } = await measure(demo);
    expect(firstRow).toBeLessThanOrEqual(y);
    // The header has one row.
    expect(header).toBeLessThan(60);
    expect(isScrolled).toBe(false);
  });

  it('stays, with a panel beside it, and one panel at a time', async () => {
    const demo = await visitMovies(1440, 900);
    const before = await measure(demo);

    await demo.button('Chart').click();
    await demo.page.getByRole('img', { name: / by / }).waitFor();
    expect((await measure(demo)).gridTop).toBe(before.gridTop);
    const panel = await demo.page.locator('#panel').boundingBox();
    const grid = await demo.page.locator('#grid').boundingBox();
    expect(panel!.x).toBeGreaterThanOrEqual(grid!.x + grid!.width);

    await demo.choose('The same in your code');
    await demo.page.getByText('table.listEntities();').waitFor();
    expect(await demo.page.getByRole('region', { name: 'Chart' }).isVisible()).toBe(false);
    expect(await demo.button('Chart').getAttribute('aria-expanded')).toBe('false');
    await demo.button('Close the panel').click();
    await eventually(async () => (await demo.page.locator('#grid').boundingBox())!.width).toBe(
      grid!.width + panel!.width + 12,
    );
  });

  it('has a panel over it on a phone', async () => {
    const demo = await visitMovies(390, 844);

    await demo.button('Properties').click();
    await demo.page.locator('#properties-rows tr').first().waitFor();
    const panel = (await demo.page.locator('#panel').boundingBox())!;
    expect(panel.width).toBeGreaterThan(350);
    expect(panel.y + panel.height).toBeLessThanOrEqual(844);
    expect((await measure(demo)).isScrolled).toBe(false);
  });
});

describe('the list of tables', () => {
  const list = (demo: DemoPage) => demo.page.getByRole('list', { name: 'Partitions' });
  const fold = (demo: DemoPage) => demo.button('Tables and partitions');

  it('folds, which a reload keeps', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'pets.csv', ['Age,Name', '7,Rex']);
    await list(demo).waitFor();

    await fold(demo).click();
    await list(demo).waitFor({ state: 'hidden' });
    expect(await fold(demo).getAttribute('aria-expanded')).toBe('false');
    await demo.page.reload();
    await isLoaded(demo);
    expect(await list(demo).isVisible()).toBe(false);
    await fold(demo).click();
    await list(demo).waitFor();
  });

  it('is a drawer on a phone, which a choice or Escape closes', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'boats.csv', ['Name', 'Ada']);
    await importCsv(demo, 'pets.csv', ['Name', 'Rex']);
    await demo.page.setViewportSize({ width: 390, height: 844 });
    const link = demo.page.getByRole('link', { name: /^Boats/i });
    expect(await link.isVisible()).toBe(false);

    await fold(demo).click();
    await link.waitFor();
    await demo.page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await fold(demo).click();
    await link.click();
    await link.waitFor({ state: 'hidden' });
    await gridRow(demo, 0).getByText('Ada').waitFor();
  });
});

it('rows are more dense on demand, which a reload keeps', async () => {
  const demo = await browser.visit();
  const lines = Array.from({ length: 200 }, (_, row) => `${row}`);
  await importCsv(demo, 'numbers.csv', ['N', ...lines]);
  const height = async () => (await gridRow(demo, 1).boundingBox())!.height;
  const before = await height();

  await demo.choose('Compact rows');
  await eventually(height).toBeLessThan(before - 4);
  const rows = await demo.page.evaluate(() => {
    const tops = Array.from(document.querySelectorAll('.grid-row'), (row) =>
      Math.round(row.getBoundingClientRect().top),
    ).sort((a, b) => a - b);
    return tops.slice(1).map((top, at) => top - tops[at]!);
  });
  expect(new Set(rows)).toEqual(new Set([await height()]));
  const compact = await height();
  await demo.page.reload();
  await isLoaded(demo);
  expect(await height()).toBe(compact);
});

describe('what is finished', () => {
  it('is a toast that moves nothing', async () => {
    const demo = await browser.visit();
    await demo.button('Load 3,201 movies').click();
    await demo.heading('Loaded 3,201 movies').waitFor();
    await isLoaded(demo);
    const before = await measure(demo);

    await demo.button('Dismiss').click();
    expect((await measure(demo)).gridTop).toBe(before.gridTop);
  });
});

describe('a column', () => {
  it('of numbers is never cut, and aligns what is missing', async () => {
    const demo = await browser.visit();
    const lines = Array.from(
      { length: 400 },
      (_, row) => `${row},${row === 390 ? '' : 10 ** (row / 40)}`,
    );
    await importCsv(demo, 'big.csv', ['N,Size', '399,', ...lines]);
    await header(demo, 'N').waitFor();
    await demo.page.locator('#grid').evaluate((grid) => (grid.scrollTop = grid.scrollHeight));
    await isLoaded(demo);

    const cut = () =>
      demo.page
        .locator('.grid-row .number')
        .evaluateAll((cells) => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length);
    await eventually(cut).toBe(0);
    const absent = demo.page.locator('.grid-row .absent').first();
    await absent.waitFor();
    expect(await absent.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('end');
  });

  it('fits its values after a double click on its edge', async () => {
    const demo = await browser.visit();
    const long = 'a text that is longer than the width that a column has at first';
    await importCsv(demo, 'texts.csv', ['Note,Word', `${long},a`, 'short,b']);
    const widthOf = async (name: string) => (await header(demo, name).boundingBox())!.width;
    const cell = await gridCell(demo, 0, 'Note');
    const isCut = () => cell.evaluate((one) => one.scrollWidth > one.clientWidth);
    expect(await isCut()).toBe(true);

    await header(demo, 'Note').locator('.resizer').dblclick();
    await eventually(isCut).toBe(false);
    const before = await widthOf('Note');
    expect(before).toBeLessThan(8 * long.length + 60);
  });

  it('of two types names both apart', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'mixed.csv', ['RowKey,N', 'a,1']);
    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('RowKey').fill('b');
    await demo.fillProperty(0, 'N', 'Int64', '2');
    await demo.button('Add').click();

    const types = header(demo, 'N').locator('.type');
    await eventually(() => types.count()).toBe(2);
    const [first, second] = await types.evaluateAll((all) =>
      all.map((type) => type.getBoundingClientRect()),
    );
    expect(second!.left - first!.right).toBeGreaterThanOrEqual(4);
    const isCut = await header(demo, 'N')
      .locator('.types')
      .evaluate((line) => line.scrollWidth > line.clientWidth);
    expect(isCut).toBe(false);
  });
});

describe('every page', () => {
  it.each(['', 'remote.html', 'form.html', 'live.html', 'sync.html', 'doctor.html', 'vault.html'])(
    'has a header of one row that begins where the content does: %s',
    async (path) => {
      const demo = await browser.visit();
      await demo.page.goto(`${demo.page.url()}${path}`);
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [390, 844],
      ]) {
        await demo.page.setViewportSize({ width: width!, height: height! });
        await demo.page.locator('main :is(h1, h2)').filter({ visible: true }).first().waitFor();
        const { header, brand, content } = await demo.page.evaluate(() => ({
          header: document.querySelector<HTMLElement>('.top')!.offsetHeight,
          brand: document.querySelector('.logo')!.getBoundingClientRect().left,
          content: Array.from(document.querySelectorAll('main > *'))
            .filter((part) => part.checkVisibility())
            .at(0)!
            .getBoundingClientRect().left,
        }));
        expect(header).toBeLessThan(60);
        expect(content).toBe(brand);
      }
    },
  );
});
