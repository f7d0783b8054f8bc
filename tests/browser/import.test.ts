import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
import { chooseFile, dropFile } from './support/files.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

const ALL_GOOD = 'No row breaks a rule of the service.';

async function storeRows(demo: DemoPage, count: string): Promise<void> {
  await demo.button(`Import ${count}`).click();
  await demo.heading(`Loaded ${count}`).waitFor();
  await demo.button('Dismiss').click();
}

/** The types that the preview shows, by the names of the columns. */
async function typesIn(demo: DemoPage): Promise<Record<string, string>> {
  const selects = await demo.dialog
    .getByLabel(/^Type of /)
    .evaluateAll((all) =>
      (all as HTMLSelectElement[]).map(({ ariaLabel, value }) => [ariaLabel!.slice(8), value]),
    );
  return Object.fromEntries(selects) as Record<string, string>;
}

describe('an import', () => {
  it('of a dropped CSV shows the inferred types, and stores what it shows', async () => {
    const demo = await browser.visit();

    await dropFile(demo, {
      name: 'pets of 2024.csv',
      text: [
        'Name,Age (years),Weight,Chip,Vaccinated,Born,Code',
        'Rex,7,31.5,9007199254740993,TRUE,2017-03-01,007',
        '"Bella, the cat",3,4,12,false,2021-11-30 08:15,x',
        'Tom,,5.25,,true,,',
      ].join('\n'),
    });
    await demo.dialog.getByText(ALL_GOOD).waitFor();
    expect(await typesIn(demo)).toEqual({
      Name: 'String',
      'Age (years)': 'Int32',
      Weight: 'Double',
      Chip: 'Int64',
      Vaccinated: 'Boolean',
      Born: 'DateTime',
      Code: 'String',
    });
    await storeRows(demo, '3 rows');

    await demo.table('PetsOf2024', '3').waitFor();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Bella, the cat', 'Tom']);
    const { columns, rows } = await demo.grid();
    expect(columns.slice(2, -1).sort()).toEqual([
      'Age_years Int32',
      'Born DateTime',
      'Chip Int64',
      'Code String',
      'Name String',
      'Vaccinated Boolean',
      'Weight Double',
    ]);
    expect(rows[0]).toMatchObject({
      ...{ PartitionKey: 'rows', RowKey: '000001', Age_years: '7', Weight: '31.5' },
      ...{ Chip: '9,007,199,254,740,993', Vaccinated: 'true', Born: '2017-03-01', Code: '007' },
    });
    expect(rows[1]).toMatchObject({ RowKey: '000002', Weight: '4.0', Born: '2021-11-30 08:15:00' });
    expect(rows[2]).toMatchObject({ RowKey: '000003', Age_years: '', Chip: '', Code: '' });
  });

  it('takes keys and types of Storage Explorer, and leaves out what breaks a rule', async () => {
    const demo = await browser.visit();

    await chooseFile(demo, {
      name: 'Dogs.csv',
      text: [
        'PartitionKey,RowKey,Timestamp,Age,Age@type,Name,Name@type',
        'dogs,rex,2024-05-01T00:00:00Z,7,Edm.Int64,Rex,Edm.String',
        'dogs,a/b,2024-05-01T00:00:00Z,8,Edm.Int64,,Edm.String',
        'dogs,old,2024-05-01T00:00:00Z,many,Edm.Int64,,',
        'dogs,rex,2024-05-01T00:00:00Z,9,Edm.Int64,Rex II,Edm.String',
      ].join('\r\n'),
    });
    await demo.dialog
      .getByText(
        '1 of 4 rows; 3 are left out: 1 with OutOfRangeInput, 1 with InvalidInput, ' +
          '1 with the keys of an earlier row.',
      )
      .waitFor();
    const status = (await demo.dialog.getByRole('status').boundingBox())!;
    const start = (await demo.button('Import 1 row').boundingBox())!;
    expect(Math.abs(status.y + status.height / 2 - start.y - start.height / 2)).toBeLessThan(3);
    const faults = await demo.dialog.getByRole('listitem').allInnerTexts();
    expect(faults.map((fault) => fault.split(' ').slice(0, 3).join(' '))).toEqual([
      'Row 2: OutOfRangeInput',
      'Row 3: InvalidInput',
      'Row 4: EntityAlreadyExists',
    ]);
    expect(faults[1]).toContain('Age');
    await storeRows(demo, '1 row');

    await eventually(() => demo.column('RowKey')).toEqual(['rex']);
    const { columns, rows } = await demo.grid();
    expect(columns).toContain('Age Int64');
    expect(rows).toMatchObject([{ PartitionKey: 'dogs', Age: '7', Name: 'Rex' }]);
  });

  it('keeps the types of JSON, and leaves out a row without a key', async () => {
    const demo = await browser.visit();

    await chooseFile(demo, {
      name: 'codes.jsonl',
      text: [
        '{"PartitionKey":"p","RowKey":"1","code":7}',
        '{"PartitionKey":"p","code":8}',
        '{"PartitionKey":"p","RowKey":"3","code":"x7"}',
      ].join('\n'),
    });
    await demo.dialog
      .getByText('2 of 3 rows; 1 is left out: 1 with PropertiesNeedValue.')
      .waitFor();
    expect(await demo.dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Row 2: PropertiesNeedValue .* RowKey/),
    ]);
    expect(await typesIn(demo)).toMatchObject({ code: 'As in the file' });
    await storeRows(demo, '2 rows');

    await eventually(() => demo.column('code')).toEqual(['7', 'x7']);
    expect((await demo.grid()).columns).toContain('code String');
  });

  it('checks again with other choices', async () => {
    const demo = await browser.visit();
    await chooseFile(demo, {
      name: 'cities.jsonl',
      text: '{"id":"ams","land":"nl","pop":931298}\n{"id":"rtm","land":"nl","pop":664311.5}\n',
    });
    await demo.dialog.getByText(ALL_GOOD).waitFor();

    await demo.dialog.getByLabel('RowKey', { exact: true }).selectOption('land');
    await demo.dialog.getByText('Row 1 has the same keys.').waitFor();
    await demo.dialog.getByLabel('RowKey', { exact: true }).selectOption('id');
    await demo.dialog.getByLabel('PartitionKey', { exact: true }).selectOption('land');
    await demo.dialog.getByText(ALL_GOOD).waitFor();
    await demo.dialog.getByLabel('Property for pop').fill('a b');
    await demo.dialog.getByLabel('Table', { exact: true }).fill('Towns');
    await demo.dialog
      .getByText('0 of 2 rows; 2 are left out: 2 with PropertyNameInvalid.')
      .waitFor();
    await demo.dialog.getByText('PropertyNameInvalid').first().waitFor();
    await demo.dialog.getByLabel('Property for pop').fill('People');
    await demo.dialog.getByLabel('Type of id').selectOption('Leave out');
    await demo.dialog.getByText(ALL_GOOD).waitFor();
    await storeRows(demo, '2 rows');

    await demo.table('Towns', '2').waitFor();
    await eventually(() => demo.column('People')).toEqual(['931,298.0', '664,311.5']);
    expect((await demo.grid()).columns).toEqual([
      ...['PartitionKey String', 'RowKey String', 'People Double', 'land String'],
      'Timestamp DateTime',
    ]);
  });

  it('shows the types of all columns on a phone', async () => {
    const viewport = { width: 390, height: 800 };
    const demo = await browser.visit({ viewport, hasTouch: true, isMobile: true });
    await chooseFile(demo, {
      name: 'sales.csv',
      text: 'Production_Country,Units,Units@type,Sold\nNorth,5,Edm.Int64,2024-05-01\n',
    });
    await demo.dialog.getByText('CSV · utf-8 · 70 bytes · 1 row · 3 columns').waitFor();

    const right = (box: { x: number; width: number } | null) => box!.x + box!.width;
    const table = right(await demo.dialog.locator('.import-columns').boundingBox());
    for (const column of ['Production_Country', 'Units', 'Sold']) {
      const type = demo.dialog.getByLabel(`Type of ${column}`);
      expect(right(await type.boundingBox())).toBeLessThan(table);
    }
  });

  it('says why a file or a table name cannot be used, and takes another', async () => {
    const demo = await browser.visit();

    await chooseFile(demo, { name: 'broken.csv', text: 'a,b\n1,"2\n' });
    await demo.dialog.getByRole('alert').filter({ hasText: 'a quote without an end' }).waitFor();
    expect(await demo.button('Import').isDisabled()).toBe(true);
    await demo.dialog.getByText('Nothing can be imported: see the error above.').waitFor();
    await demo.button('Cancel').click();
    await demo.heading('The Azure Table service runs inside this page.').waitFor();

    await chooseFile(demo, { name: 'good.csv', text: 'a,b\n1,2\n' });
    await demo.dialog.getByText(ALL_GOOD).waitFor();
    await demo.dialog.getByLabel('Table', { exact: true }).fill('1st');
    await demo.page.keyboard.press('Tab');
    await demo.dialog.getByText('The table needs another name.').waitFor();
    expect(await demo.fieldError('Table')).toMatch(/^InvalidResourceName /);
    expect(await demo.button('Import 1 row').isDisabled()).toBe(true);
    // The click ends the change of the name, which begins another check.
    await demo.dialog.getByLabel('Table', { exact: true }).fill('First');
    await demo.page.keyboard.press('Tab');
    await demo.dialog.getByText(ALL_GOOD).waitFor();
    await demo.dialog.getByLabel('Table', { exact: true }).fill('Second');
    await demo.button('Import 1 row').click();
    await demo.table('Second', '1').waitFor();
  });
});
