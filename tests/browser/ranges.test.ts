import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { focusPlace, gridCell, importCsv } from './support/grid.js';

const browser = useBrowser();

const LINES = [
  'RowKey,Kind,Price,Weight,Note',
  'a,tea,4500,1.5,"two\nlines"',
  'b,cup,12,0.25,plain',
  'c,tea,7,2.5,',
  'd,pot,30,4.0,last',
];

async function visitSales(): Promise<DemoPage> {
  const demo = await browser.visit();
  await demo.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await importCsv(demo, 'Sales.csv', LINES);
  return demo;
}

const clipboard = (demo: DemoPage) => demo.page.evaluate(() => navigator.clipboard.readText());
const setClipboard = (demo: DemoPage, text: string) =>
  demo.page.evaluate((it) => navigator.clipboard.writeText(it), text);
const status = (demo: DemoPage, text: string) =>
  demo.page.getByRole('status').filter({ hasText: text }).waitFor();
const alert = (demo: DemoPage, text: string) =>
  demo.page.getByRole('alert').filter({ hasText: text }).waitFor();
const column = (demo: DemoPage, name: string) => eventually(() => demo.column(name));

async function focus(demo: DemoPage, row: number, name: string): Promise<void> {
  await (await gridCell(demo, row, name)).focus();
}

async function press(demo: DemoPage, ...keys: string[]): Promise<void> {
  for (const key of keys) await demo.page.keyboard.press(key);
}

describe('cells', () => {
  it('are selected with Shift and arrows, counted, summed up and copied', async () => {
    const demo = await visitSales();
    await focus(demo, 0, 'Kind');
    await press(demo, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight');
    await status(demo, '3 × 2 cells · sum 4,519 · average 1,506.333333');
    const selected = demo.page.locator('[role=gridcell][aria-selected=true]');
    expect(await selected.allInnerTexts()).toEqual(['tea', '4,500', 'cup', '12', 'tea', '7']);
    await isAccessible(demo.page);

    await press(demo, 'Control+c');
    await eventually(() => clipboard(demo)).toBe('tea\t4500\ncup\t12\ntea\t7');

    await press(demo, 'Escape');
    expect(await selected.count()).toBe(0);
    await demo.results.waitFor();
  });

  it('are selected with Shift and a click, and by a drag, and copied as JSON', async () => {
    const demo = await visitSales();
    await (await gridCell(demo, 0, 'Price')).click();
    await (await gridCell(demo, 1, 'Weight')).click({ modifiers: ['Shift'] });
    await status(demo, '2 × 2 cells');

    await (await gridCell(demo, 3, 'Kind')).hover();
    await demo.page.mouse.down();
    await (await gridCell(demo, 2, 'Price')).hover();
    await (await gridCell(demo, 1, 'Price')).hover();
    await demo.page.mouse.up();
    await status(demo, '3 × 2 cells · sum 49');

    await (await gridCell(demo, 2, 'Kind')).click({ button: 'right' });
    await demo.button('Copy 3 × 2 cells as JSON').click();
    await eventually(async () => JSON.parse((await clipboard(demo)) || '[]') as unknown).toEqual([
      { Kind: 'cup', Price: 12 },
      { Kind: 'tea', Price: 7 },
      { Kind: 'pot', Price: 30 },
    ]);
    await demo.page.getByText('3 × 2 cells are in the clipboard.').first().waitFor();

    await (await gridCell(demo, 0, 'Kind')).click();
    expect(await demo.page.locator('[role=gridcell][aria-selected=true]').count()).toBe(0);
  });

  it('lose their values by Delete, but no key', async () => {
    const demo = await visitSales();
    await demo.button('Edit a').focus();
    await press(demo, 'Shift+ArrowDown', 'Shift+ArrowRight', 'Shift+ArrowRight', 'Delete');
    await column(demo, 'Kind').toEqual(['', '', 'tea', 'pot']);
    await column(demo, 'Price').toEqual(['', '', '7', '30']);
    expect(await demo.column('RowKey')).toEqual(['a', 'b', 'c', 'd']);
    await demo.page.getByText('4 values were removed.').first().waitFor();

    await press(demo, 'Control+z');
    await column(demo, 'Price').toEqual(['4,500', '12', '7', '30']);
    await column(demo, 'Kind').toEqual(['tea', 'cup', 'tea', 'pot']);
  });

  it('get the values of the first row by Ctrl+D, and those of the row above in one row', async () => {
    const demo = await visitSales();
    await focus(demo, 0, 'Kind');
    await press(demo, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowRight', 'Control+d');
    await column(demo, 'Kind').toEqual(['tea', 'tea', 'tea', 'pot']);
    await column(demo, 'Price').toEqual(['4,500', '4,500', '4,500', '30']);
    await press(demo, 'Control+z');
    await column(demo, 'Price').toEqual(['4,500', '12', '7', '30']);

    await focus(demo, 3, 'Kind');
    await press(demo, 'Control+d');
    await column(demo, 'Kind').toEqual(['tea', 'cup', 'tea', 'tea']);
  });
});

describe('a text of a spreadsheet', () => {
  it('is pasted from a cell on, with the types of the cells, as one change', async () => {
    const demo = await visitSales();
    await setClipboard(demo, 'jug\t8\t1,5\r\n"a ""b"""\t9\t2,25\r\n');
    await focus(demo, 1, 'Kind');
    await press(demo, 'Control+v');
    await column(demo, 'Kind').toEqual(['tea', 'jug', 'a "b"', 'pot']);
    await column(demo, 'Price').toEqual(['4,500', '8', '9', '30']);
    await column(demo, 'Weight').toEqual(['1.5', '1.5', '2.25', '4.0']);
    const { columns } = await demo.grid();
    expect(columns).toEqual(expect.arrayContaining(['Price Int32', 'Weight Double']));
    await status(demo, '2 × 3 cells · sum 20.75');

    await press(demo, 'Control+z');
    await column(demo, 'Kind').toEqual(['tea', 'cup', 'tea', 'pot']);
    await column(demo, 'Weight').toEqual(['1.5', '0.25', '2.5', '4.0']);
  });

  it('with one value fills all selected cells', async () => {
    const demo = await visitSales();
    await setClipboard(demo, '99');
    await focus(demo, 1, 'Price');
    await press(demo, 'Shift+ArrowDown', 'Shift+ArrowDown', 'Control+v');
    await column(demo, 'Price').toEqual(['4,500', '99', '99', '99']);
  });

  it('is refused whole, with the place of the first value that does not fit', async () => {
    const demo = await visitSales();
    await focus(demo, 0, 'Kind');
    await setClipboard(demo, 'jug\t8\nmug\tmany\n');
    await press(demo, 'Control+v');
    await alert(demo, 'Nothing was pasted. In the row b, the column Price has Int32s, and “many”');
    await setClipboard(demo, '1\n2\n3\n4\n5\n');
    await press(demo, 'Control+v');
    await alert(demo, 'It has 5 rows, and from this cell on there are 4.');
    await demo.button('Edit b').focus();
    await setClipboard(demo, 'z\ttea');
    await press(demo, 'Control+v');
    await alert(demo, 'In the row b, the column RowKey is a key, which stays.');
    expect(await demo.column('Kind')).toEqual(['tea', 'cup', 'tea', 'pot']);
    expect(await demo.column('Price')).toEqual(['4,500', '12', '7', '30']);
  });

  it('with keys is shown as rows to import, also from the command', async () => {
    const demo = await visitSales();
    await setClipboard(demo, 'RowKey\tKind\tPrice\ne\tmug\t5\nb\tjug\t6\n');
    await demo.heading('Sales').focus();
    await press(demo, 'Control+v');
    await demo.heading('Import Sales.tsv').waitFor();
    expect(await demo.dialog.getByLabel('Table', { exact: true }).inputValue()).toBe('Sales');
    await press(demo, 'Escape');

    await demo.button('Paste rows').click();
    await demo.button('Import 2 rows').click();
    await column(demo, 'Kind').toEqual(['tea', 'jug', 'tea', 'pot', 'mug']);
    await demo.button('Undo').click();
    await column(demo, 'Kind').toEqual(['tea', 'cup', 'tea', 'pot']);
    await column(demo, 'Note').toEqual(['two lines', 'plain', '', 'last']);
  });
});

describe('selected rows', () => {
  it('get one value, or lose it, as one change', async () => {
    const demo = await visitSales();
    await demo.page.getByLabel('Select a', { exact: true }).check();
    await demo.page.getByLabel('Select c', { exact: true }).check();
    await focus(demo, 0, 'Price');
    await demo.button('Change').click();
    await demo.heading('Change 2 entities').waitFor();
    await isAccessible(demo.page);
    expect(await demo.dialog.getByLabel('Property').inputValue()).toBe('Price');
    expect(await demo.dialog.getByLabel('Type').inputValue()).toBe('Int32');
    await demo.dialog.getByLabel('Value').fill('many');
    await demo.dialog.getByRole('button', { name: 'Change' }).click();
    await demo.dialog.getByText('InvalidInput').waitFor();
    await demo.dialog.getByLabel('Value').fill('1');
    await demo.dialog.getByRole('button', { name: 'Change' }).click();
    await column(demo, 'Price').toEqual(['1', '12', '1', '30']);
    await demo.button('Undo').click();
    await column(demo, 'Price').toEqual(['4,500', '12', '7', '30']);

    await (await gridCell(demo, 2, 'Kind')).click({ button: 'right' });
    await demo.button('Change a property of 2 rows').click();
    await demo.dialog.getByLabel('Type').selectOption('No value: remove it');
    await demo.dialog.getByRole('button', { name: 'Change' }).click();
    await column(demo, 'Kind').toEqual(['', 'cup', '', 'pot']);
  });
});

describe('a new row', () => {
  it('has the properties of the table, and leaves out what stays empty', async () => {
    const demo = await visitSales();
    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('RowKey').fill('e');
    const names = demo.dialog.getByLabel('Name', { exact: true });
    await eventually(() =>
      names.evaluateAll((all) => all.map((it) => (it as HTMLInputElement).value)),
    ).toEqual(['Kind', 'Price', 'Weight', 'Note']);
    await demo.setProperty('Price', '5');
    await isAccessible(demo.page);
    await demo.button('Add').click();
    await column(demo, 'Price').toEqual(['4,500', '12', '7', '30', '5']);
    const cell = await gridCell(demo, 4, 'Kind');
    expect(await cell.getAttribute('class')).toContain('absent');
  });

  it('may begin as another one, with another key', async () => {
    const demo = await visitSales();
    await (await gridCell(demo, 3, 'Kind')).click({ button: 'right' });
    await demo.button('Duplicate row').click();
    await demo.dialog.waitFor();
    expect(await demo.dialog.getByLabel('RowKey').inputValue()).toBe('d');
    await press(demo, 'e');
    await demo.button('Add').click();
    await column(demo, 'Kind').toEqual(['tea', 'cup', 'tea', 'pot', 'pot']);
    await column(demo, 'Weight').toEqual(['1.5', '0.25', '2.5', '4.0', '4.0']);
    await eventually(() => focusPlace(demo)).toMatchObject({ row: 4 });
  });
});
