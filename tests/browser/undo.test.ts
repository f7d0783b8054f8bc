import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
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
    await demo.fillProperty(1, 'Name', 'String', 'Max');
    await demo.button('Save').click();
    await demo.page.getByText('000001 was saved.').first().waitFor();
    await eventually(() => demo.column('Name')).toEqual(['Max', 'Tom']);
    await isAccessible(demo.page);

    await demo.button('Undo').click();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
    expect((await demo.grid()).columns).toContain('Chip Int64');
    expect((await demo.column('Chip'))[0]).toBe('9,007,199,254,740,993');
    expect(await demo.button('Undo').isVisible()).toBe(false);
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
    await demo.fillProperty(1, 'Name', 'String', 'Max');
    await demo.button('Save').click();
    await eventually(() => demo.column('Name')).toEqual(['Max', 'Tom']);

    const other = await demo.page.context().newPage();
    await other.goto(demo.page.url());
    await other.getByRole('button', { name: 'Edit 000001' }).click();
    await other.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('000001 was saved.').first().waitFor();
    await demo.button('Undo').click();
    const alert = demo.page.getByRole('alert').filter({ hasText: 'UpdateConditionNotSatisfied' });
    await alert.waitFor();
    expect(await demo.column('Name')).toEqual(['Max', 'Tom']);
  });
});
