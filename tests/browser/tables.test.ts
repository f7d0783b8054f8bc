import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { DemoPage, hasFocus } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { importCsv } from './support/grid.js';

const browser = useBrowser();

async function create(demo: DemoPage, name: string): Promise<void> {
  await demo.button('New table').click();
  await demo.dialog.getByLabel('Name').fill(name);
  await demo.button('Create').click();
}

const title = (demo: DemoPage) => demo.page.locator('#table-title');

describe('a new table', () => {
  it('is created by its name, and can be filled at once', async () => {
    const demo = await browser.visit();

    await create(demo, 'Pets');
    await demo.table('Pets', '0').waitFor();
    await eventually(() => hasFocus(title(demo))).toBe(true);
    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('RowKey').fill('rex');
    await demo.button('Add').click();
    await demo.table('Pets', '1').waitFor();

    await create(demo, 'Boats');
    await eventually(() => title(demo).innerText()).toBe('Boats');
    await demo.page.reload();
    await eventually(() => title(demo).innerText()).toBe('Boats');
    await demo.table('Pets', '1').waitFor();
  });

  it('has the error of the service below its name', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Pets.csv', ['RowKey', 'rex']);

    await create(demo, '1a');
    await eventually(() => demo.fieldError('Name')).toMatch(/^InvalidResourceName .*"1a"/);
    expect(await hasFocus(demo.dialog.getByLabel('Name'))).toBe(true);
    await demo.dialog.getByLabel('Name').fill('ab');
    await demo.page.keyboard.press('Enter');
    await eventually(() => demo.fieldError('Name')).toMatch(/^OutOfRangeInput /);
    // The service takes the names for the same.
    await demo.dialog.getByLabel('Name').fill('pets');
    await demo.page.keyboard.press('Enter');
    await eventually(() => demo.fieldError('Name')).toBe('The table Pets exists already.');

    await demo.button('Cancel').click();
    await demo.button('New table').click();
    expect(await demo.fieldError('Name')).toBe('');
    expect(await demo.dialog.getByLabel('Name').inputValue()).toBe('');
  });
});

describe('a table', () => {
  it('is deleted after a question that says how many entities it has', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Boats.csv', ['RowKey', 'a', 'b']);
    await importCsv(demo, 'Pets.csv', ['RowKey', 'rex']);

    await demo.choose('Delete this table');
    await demo.heading('Delete the table Pets?').waitFor();
    await demo.page.getByText('Its 1 entity is deleted with it. An undo brings back').waitFor();
    await demo.button('Keep it').click();
    await demo.table('Pets', '1').waitFor();

    await demo.choose('Delete this table');
    await demo.button('Delete the table').click();
    await eventually(() => title(demo).innerText()).toBe('Boats');
    expect(await demo.table('Pets', '1').count()).toBe(0);
    await eventually(() => demo.column('RowKey')).toEqual(['a', 'b']);

    await demo.choose('Delete this table');
    await demo.page.getByText('Its 2 entities are deleted with it.').waitFor();
    await demo.button('Delete the table').click();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
    await eventually(() => hasFocus(demo.page.locator('#welcome-table'))).toBe(true);
    expect(await demo.page.getByRole('alert').count()).toBe(0);

    // A table of the same name is another one.
    await create(demo, 'Pets');
    await demo.table('Pets', '0').waitFor();
  });

  it('has a count that follows the writes of another tab', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Boats.csv', ['RowKey', 'a', 'b']);
    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());
    await other.table('Boats', '2').waitFor();

    await importCsv(demo, 'Boats.csv', ['RowKey', 'a', 'c', 'd']);
    await other.table('Boats', '4').waitFor();
  });

  it('that another tab deletes is said to be gone, and another one is shown', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Boats.csv', ['RowKey', 'a', 'b']);
    await importCsv(demo, 'Pets.csv', ['RowKey', 'rex']);
    const other = await demo.page.context().newPage();
    await other.setViewportSize({ width: 800, height: 300 });
    await other.goto(demo.page.url());
    await other.getByRole('button', { name: 'Edit rex' }).waitFor();
    await other.evaluate(() => scrollTo(0, document.body.scrollHeight));

    await demo.choose('Delete this table');
    await demo.button('Delete the table').click();
    const alert = other.getByRole('alert').filter({ hasText: 'The table Pets was deleted' });
    await alert.waitFor();
    expect((await alert.boundingBox())!.y).toBeGreaterThan(-1);
    await other.getByRole('heading', { name: 'Boats' }).waitFor();
    await other.getByRole('button', { name: 'Edit a', exact: true }).waitFor();
    expect(await other.getByRole('link', { name: /^Pets/ }).count()).toBe(0);
  });
});

it.each([1280, 360])('the dialog of a new table passes the rules of axe, %d px', async (width) => {
  const demo = await browser.visit({ viewport: { width, height: 760 } });
  await create(demo, 'not legal');
  await eventually(() => demo.fieldError('Name')).toMatch(/^InvalidResourceName /);
  await isAccessible(demo.page);
});
