import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { denyAccess, useBrowser, visitIn } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import {
  focusPlace,
  gridCell,
  header,
  importCsv,
  isLoaded,
  scrollToShare,
} from './support/grid.js';

const browser = useBrowser();

describe('columns', () => {
  const order = async (demo: DemoPage) =>
    (await demo.grid()).columns.map((column) => column.split(' ')[0]);
  const widthOf = async (demo: DemoPage, name: string) =>
    Math.round((await header(demo, name).boundingBox())!.width);
  const visitPets = async (demo: DemoPage) =>
    importCsv(demo, 'pets.csv', ['Age,Name', '7,Rex', '4,Tom']);

  it('get another width and place with the mouse, which a reload keeps', async () => {
    const demo = await browser.visit();
    await visitPets(demo);
    const { mouse } = demo.page;
    const drag = async (from: { x: number; y: number }, by: number) => {
      await mouse.move(from.x, from.y);
      await mouse.down();
      await mouse.move(from.x + by / 2, from.y);
      await mouse.move(from.x + by, from.y);
      await mouse.up();
    };
    const before = await widthOf(demo, 'Name');
    const box = (await header(demo, 'Name').boundingBox())!;
    await drag({ x: box.x + box.width - 2, y: box.y + 10 }, 60);
    await eventually(() => widthOf(demo, 'Name')).toBe(before + 60);

    const name = (await header(demo, 'Name').boundingBox())!;
    const age = (await header(demo, 'Age').boundingBox())!;
    await drag({ x: name.x + 20, y: name.y + 10 }, age.x - name.x);
    const moved = ['PartitionKey', 'RowKey', 'Name', 'Age', 'Timestamp'];
    await eventually(() => order(demo)).toEqual(moved);
    // A drag is no click, which would sort.
    expect(await header(demo, 'Name').getAttribute('aria-sort')).toBe('none');

    await demo.page.reload();
    await isLoaded(demo);
    expect(await order(demo)).toEqual(moved);
    expect(await widthOf(demo, 'Name')).toBe(before + 60);
    expect(await demo.column('Age')).toEqual(['7', '4']);
  });

  it('come in the order of the file, until the user moves them', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'b.csv', ['Zip,Name,Age', '1,,', '2,Rex,7']);
    const ofFile = ['PartitionKey', 'RowKey', 'Zip', 'Name', 'Age', 'Timestamp'];
    await eventually(() => order(demo)).toEqual(ofFile);

    await demo.page.reload();
    await isLoaded(demo);
    expect(await order(demo)).toEqual(ofFile);
    await demo.button('Zip').focus();
    await demo.page.keyboard.press('Control+Shift+ArrowRight');
    await eventually(() => order(demo)).not.toEqual(ofFile);
    await demo.button('Columns').click();
    await demo.button('As at first').click();
    await eventually(() => order(demo)).toEqual(ofFile);
  });

  it('are those of all entities, also of those that are not loaded or not selected', async () => {
    const demo = await browser.visit();
    const rows = Array.from({ length: 2000 }, (_, row) => (row === 1500 ? `${row},x` : `${row},`));
    await importCsv(demo, 'Rare.csv', ['N,Scarce', ...rows]);
    const all = ['PartitionKey', 'RowKey', 'N', 'Scarce', 'Timestamp'];
    await eventually(() => order(demo)).toEqual(all);

    await demo.page.reload();
    await eventually(() => order(demo)).toEqual(all);
    await demo.runFilter('N lt 10');
    await demo.page.getByText(/^10 entities · /).waitFor();
    await eventually(() => order(demo)).toEqual(all);
    await demo.filter.fill('N lt 10 and Sc');
    await demo.page.getByRole('option', { name: 'Scarce String' }).waitFor();
    await demo.button('Search for words').click();
    await demo.page.getByLabel('In the property').selectOption('Scarce');
  });

  it('do so with the keyboard', async () => {
    const demo = await browser.visit();
    await visitPets(demo);
    const { keyboard } = demo.page;
    const before = await widthOf(demo, 'Name');

    await demo.button('Name').focus();
    await keyboard.press('Shift+ArrowRight');
    await eventually(() => widthOf(demo, 'Name')).toBe(before + 16);
    await keyboard.press('Control+Shift+ArrowLeft');
    await eventually(() => order(demo)).toEqual([
      ...['PartitionKey', 'RowKey', 'Name', 'Age', 'Timestamp'],
    ]);
    expect(await focusPlace(demo)).toEqual({ row: -1, column: 'Name' });
  });

  it('grow with the numbers that come into sight, and never cut one', async () => {
    const demo = await browser.visit();
    const rows = Array.from({ length: 2000 }, (_, row) =>
      row < 1990 ? '1' : '1234567890123456789',
    );
    await importCsv(demo, 'counts.csv', ['N', ...rows]);
    const isCut = async (row: number) =>
      (await gridCell(demo, row, 'N')).evaluate((cell) => cell.scrollWidth > cell.clientWidth);

    await scrollToShare(demo, 1);
    await isLoaded(demo);
    const last = await gridCell(demo, 1999, 'N');
    expect(await last.textContent()).toBe('1,234,567,890,123,456,789');
    await eventually(() => isCut(1999)).toBe(false);

    await demo.button('N').focus();
    for (let press = 0; press < 8; press++) await demo.page.keyboard.press('Shift+ArrowLeft');
    expect(await isCut(1999)).toBe(false);
  });

  it('are hidden and moved in a list', async () => {
    const demo = await browser.visit();
    await visitPets(demo);

    await demo.button('Columns').click();
    await demo.page.getByRole('checkbox', { name: 'PartitionKey' }).uncheck();
    await demo.button('Move Name up').click();
    await eventually(() => order(demo)).toEqual(['RowKey', 'Name', 'Age', 'Timestamp']);
    await isAccessible(demo.page);
    await demo.button('As at first').click();
    await eventually(() => order(demo)).toEqual([
      ...['PartitionKey', 'RowKey', 'Age', 'Name', 'Timestamp'],
    ]);
    await demo.page.keyboard.press('Escape');
    await demo.button('Move Name up').waitFor({ state: 'hidden' });
  });

  it('change, too, if the browser refuses to remember it', async () => {
    const context = await browser.newContext();
    await denyAccess(context, 'localStorage');
    const demo = await visitIn(context);
    await visitPets(demo);
    const before = await widthOf(demo, 'Name');
    await demo.button('Name').focus();
    await demo.page.keyboard.press('Shift+ArrowRight');
    await eventually(() => widthOf(demo, 'Name')).toBe(before + 16);
  });
});
