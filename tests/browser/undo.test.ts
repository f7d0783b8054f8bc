import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { DemoPage } from './support/demo-page.js';
import { chooseFile } from './support/files.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

async function visitPets(): Promise<DemoPage> {
  const demo = await browser.visit();
  await chooseFile(demo, { name: 'pets.csv', text: 'Name,Chip\nRex,9007199254740993\nTom,\n' });
  await demo.button('Import 2 rows').click();
  await demo.table('Pets', '2').waitFor();
  await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
  await demo.button('Dismiss').click();
  return demo;
}

describe('the last change', () => {
  it('of an entity is undone, with the types of all values', async () => {
    const demo = await visitPets();

    await demo.button('Edit 000001').click();
    await demo.setProperty('Name', 'Max');
    await demo.button('Save').click();
    await demo.page.getByText('000001 was saved.').first().waitFor();
    await eventually(() => demo.column('Name')).toEqual(['Max', 'Tom']);
    await isAccessible(demo.page);

    await demo.button('Undo').click();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
    expect((await demo.grid()).columns).toContain('Chip Int64');
    expect((await demo.column('Chip'))[0]).toBe('9,007,199,254,740,993');
    await demo.page.getByText('Undone: 000001 was saved.').first().waitFor();
    await demo.button('Redo').click();
    await eventually(() => demo.column('Name')).toEqual(['Max', 'Tom']);
  });

  it('brings back a deleted entity, and takes away an added one', async () => {
    const demo = await visitPets();

    await demo.button('Edit 000002').click();
    await demo.button('Delete').click();
    await demo.page.locator('#confirm-yes').click();
    await demo.table('Pets', '1').waitFor();
    await demo.button('Undo').click();
    await demo.table('Pets', '2').waitFor();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);

    await demo.button('Add an entity').click();
    await demo.dialog.getByLabel('RowKey').fill('new');
    await demo.button('Add').click();
    await demo.table('Pets', '3').waitFor();
    await demo.button('Undo').click();
    await demo.table('Pets', '2').waitFor();
    await eventually(() => demo.column('RowKey')).toEqual(['000001', '000002']);
  });

  it('of a table is undone there, if another table is opened meanwhile', async () => {
    const demo = await visitPets();
    await chooseFile(demo, { name: 'cats.csv', text: 'Name\nMia\n' });
    await demo.button('Import 1 row').click();
    await demo.table('Cats', '1').waitFor();
    await demo.table('Pets', '2').click();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
    await demo.button('Edit 000002').click();
    await demo.button('Delete').click();
    await demo.page.locator('#confirm-yes').click();
    await demo.table('Pets', '1').waitFor();

    await demo.page.evaluate(() => {
      document.getElementById('undo-change')!.click();
      location.hash = '#/Cats';
    });
    await demo.table('Pets', '2').waitFor();
    await eventually(() => demo.column('Name')).toEqual(['Mia']);
    await demo.table('Cats', '1').waitFor();
  });

  it('stays if somebody has changed the entity since', async () => {
    const demo = await visitPets();
    await demo.button('Edit 000001').click();
    await demo.setProperty('Name', 'Max');
    await demo.button('Save').click();
    await eventually(() => demo.column('Name')).toEqual(['Max', 'Tom']);

    const other = await demo.page.context().newPage();
    await other.goto(demo.page.url());
    await other.getByRole('button', { name: 'Edit 000001' }).click();
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('000001 was saved.').first().waitFor();
    await demo.button('Undo').click();
    await demo.page
      .getByRole('alert')
      .filter({
        hasText:
          'Somebody else has changed the entity 000001 since “000001 was saved”, ' +
          'so it stays as it is.',
      })
      .waitFor();
    expect(await demo.column('Name')).toEqual(['Max', 'Tom']);
  });
});

describe('earlier changes', () => {
  const save = async (demo: DemoPage, name: string) => {
    await demo.button('Edit 000001').click();
    await demo.setProperty('Name', name);
    await demo.button('Save').click();
    await eventually(async () => (await demo.column('Name'))[0]).toBe(name);
  };
  const names = (demo: DemoPage) => eventually(() => demo.column('Name'));

  it('are undone one after another by Ctrl+Z, and done again', async () => {
    const demo = await visitPets();
    const { keyboard } = demo.page;
    await save(demo, 'Max');
    await save(demo, 'Ben');
    await demo.button('Edit 000001').focus();
    await keyboard.press('Delete');
    await demo.page.getByLabel('Select 000001').check();
    await keyboard.press('Delete');
    await demo.page.locator('#confirm-yes').click();
    await names(demo).toEqual(['Tom']);

    await keyboard.press('Control+z');
    await names(demo).toEqual(['Ben', 'Tom']);
    await keyboard.press('Control+z');
    await names(demo).toEqual(['Max', 'Tom']);
    await keyboard.press('Control+z');
    await names(demo).toEqual(['Rex', 'Tom']);
    await keyboard.press('Control+Shift+z');
    await keyboard.press('Control+y');
    await names(demo).toEqual(['Ben', 'Tom']);
    await keyboard.press('Control+y');
    await names(demo).toEqual(['Tom']);
    await keyboard.press('Control+z');
    await names(demo).toEqual(['Ben', 'Tom']);

    // The menu says what is next.
    await demo.button('More').click();
    await demo.button('Redo: 1 entity was deleted').waitFor();
    await demo.button('Undo: 000001 was saved').click();
    await names(demo).toEqual(['Max', 'Tom']);

    // Another change has no redo.
    await save(demo, 'Kim');
    await demo.button('More').click();
    expect(await demo.button('Redo').isDisabled()).toBe(true);
  });

  it('never write over what somebody else has written between two of them', async () => {
    const demo = await visitPets();
    await save(demo, 'Max');
    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());
    await save(other, 'Theirs');
    await names(demo).toEqual(['Theirs', 'Tom']);
    await save(demo, 'Ben');

    await demo.button('Edit 000001').focus();
    await demo.page.keyboard.press('Control+z');
    await names(demo).toEqual(['Theirs', 'Tom']);
    await demo.button('Edit 000001').focus();
    await demo.page.keyboard.press('Control+z');
    await demo.page
      .getByRole('alert')
      .filter({ hasText: 'Somebody else has changed the entity 000001' })
      .waitFor();
    await names(demo).toEqual(['Theirs', 'Tom']);
  });
});

describe('an import', () => {
  it('is undone: rows that it has added go, and those that it has replaced come back', async () => {
    const demo = await visitPets();
    const text = 'RowKey,Name,Age\n000002,Kit,3\nnew,Neo,1\n';
    await chooseFile(demo, { name: 'pets.csv', text });
    // The partition of the table's rows.
    await demo.button('Import 2 rows').click();
    await names(demo).toEqual(['Rex', 'Kit', 'Neo']);
    await demo.heading('Pets').focus();
    await demo.page.keyboard.press('Control+z');
    await names(demo).toEqual(['Rex', 'Tom']);
    await demo.table('Pets', '2').waitFor();

    // The first import has made the table.
    await demo.page.keyboard.press('Control+z');
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
    await demo.page.keyboard.press('Control+y');
    await names(demo).toEqual(['Rex', 'Tom']);
    await demo.table('Pets', '2').waitFor();
  });

  const names = (demo: DemoPage) => eventually(() => demo.column('Name'));
});

describe('a deleted table', () => {
  it('comes back with its entities', async () => {
    const demo = await visitPets();
    await demo.choose('Delete this table');
    await demo.page.getByText('Its 2 entities are deleted with it. An undo brings back').waitFor();
    await demo.button('Delete the table').click();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
    await demo.page.getByText('The table Pets was deleted.').first().waitFor();

    await demo.button('Undo').click();
    await demo.table('Pets', '2').waitFor();
    await eventually(() => demo.column('Chip')).toEqual(['9,007,199,254,740,993', '']);
    await demo.page.keyboard.press('Control+Shift+z');
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
  });
});
