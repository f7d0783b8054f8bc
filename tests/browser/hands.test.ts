import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { gridCell, header, importCsv } from './support/grid.js';

const browser = useBrowser();

const LINES = [
  'RowKey,Kind,Price,Note',
  'a,tea,4500,"two\nlines"',
  'b,cup,12,',
  'c,tea,7,"a ""b"""',
];

async function visitSales(): Promise<DemoPage> {
  const demo = await browser.visit();
  await demo.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await importCsv(demo, 'Sales.csv', LINES);
  for (const name of ['PartitionKey', 'Timestamp']) {
    if (name === 'PartitionKey') await demo.button('Columns').click();
    await demo.page.getByRole('checkbox', { name }).uncheck();
  }
  await demo.page.keyboard.press('Escape');
  return demo;
}

const clipboard = (demo: DemoPage) => demo.page.evaluate(() => navigator.clipboard.readText());

async function choose(demo: DemoPage, [row, column]: [number, string], item: string) {
  await (await gridCell(demo, row, column)).click({ button: 'right' });
  await demo.page.getByRole('group', { name: 'Cell' }).getByRole('button', { name: item }).click();
}

describe('Ctrl+C', () => {
  it('copies the value of the current cell, as it is stored', async () => {
    const demo = await visitSales();
    await (await gridCell(demo, 0, 'Price')).click();
    await demo.page.keyboard.press('Control+c');

    await eventually(() => clipboard(demo)).toBe('4500');
    await demo.page.getByText('The value is in the clipboard.').first().waitFor();
  });

  it('copies the selected rows as a spreadsheet takes them', async () => {
    const demo = await visitSales();
    await demo.page.getByLabel('Select a', { exact: true }).check();
    await demo.page.getByLabel('Select c', { exact: true }).check();
    await (await gridCell(demo, 0, 'Price')).focus();
    await demo.page.keyboard.press('Control+c');
    await eventually(() => clipboard(demo)).toBe(
      'a\ttea\t4500\t"two\nlines"\nc\ttea\t7\t"a ""b"""',
    );

    await demo.page.getByLabel('Select all that match').check();
    await (await gridCell(demo, 0, 'Price')).focus();
    await demo.page.keyboard.press('Control+c');
    await eventually(async () => (await clipboard(demo)).split('\n').at(-2)).toBe('b\tcup\t12\t');
  });
});

describe('the menu of a cell', () => {
  it('copies the row as JSON, or all that are selected', async () => {
    const demo = await visitSales();
    await choose(demo, [1, 'Kind'], 'Copy row as JSON');
    await eventually(async () => JSON.parse((await clipboard(demo)) || '[]') as unknown).toEqual([
      expect.objectContaining({ RowKey: 'b', Kind: 'cup', Price: 12 }),
    ]);

    await demo.page.getByLabel('Select a', { exact: true }).check();
    await demo.page.getByLabel('Select b', { exact: true }).check();
    await choose(demo, [1, 'Kind'], 'Copy 2 rows as JSON');
    await eventually(async () => (JSON.parse(await clipboard(demo)) as object[]).length).toBe(2);
  });

  it('filters by the value, and excludes it', async () => {
    const demo = await visitSales();
    await choose(demo, [0, 'Kind'], 'Filter by this value');
    await eventually(() => demo.column('RowKey')).toEqual(['a', 'c']);
    expect(await demo.filter.inputValue()).toBe("Kind eq 'tea'");

    await choose(demo, [0, 'Price'], 'Exclude this value');
    await eventually(() => demo.column('RowKey')).toEqual(['c']);
    expect(await demo.filter.inputValue()).toBe("Kind eq 'tea' and Price ne 4500");
  });

  it('sorts, and deletes the row after a question', async () => {
    const demo = await visitSales();
    await choose(demo, [0, 'Price'], 'Sort descending');
    await eventually(() => demo.column('RowKey')).toEqual(['a', 'b', 'c']);
    expect(await header(demo, 'Price').getAttribute('aria-sort')).toBe('descending');

    await choose(demo, [1, 'Kind'], 'Delete row');
    await demo.heading('Delete 1 entity?').waitFor();
    await demo.dialog.getByRole('button', { name: 'Delete' }).click();
    await eventually(() => demo.column('RowKey')).toEqual(['a', 'c']);
  });

  it('opens with a key, moves with arrows, and closes with Escape to the cell', async () => {
    const demo = await visitSales();
    const cell = await gridCell(demo, 1, 'Kind');
    await cell.focus();
    await demo.page.keyboard.press('Shift+F10');
    const menu = demo.page.getByRole('group', { name: 'Cell' });
    await menu.waitFor();
    await isAccessible(demo.page);
    await demo.page.keyboard.press('ArrowDown');
    await eventually(() => menu.locator(':focus').innerText()).toBe('Copy row');
    await demo.page.keyboard.press('Escape');
    await menu.waitFor({ state: 'hidden' });
    expect(await cell.evaluate((element) => element.matches(':focus'))).toBe(true);
  });
});

it('typing in a cell opens its editor with what is typed', async () => {
  const demo = await visitSales();
  await (await gridCell(demo, 1, 'Price')).focus();
  await demo.page.keyboard.press('9');
  const value = demo.page.getByRole('textbox', { name: 'Price of b' });
  await eventually(() => value.inputValue()).toBe('9');
  await value.pressSequentially('9');
  await demo.page.keyboard.press('Enter');

  await eventually(() => demo.column('Price')).toEqual(['4,500', '99', '7']);
});
