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
    expect(columns.slice(2, -1)).toEqual([
      ...['Name String', 'Age_years Int32', 'Weight Double', 'Chip Int64'],
      ...['Vaccinated Boolean', 'Born DateTime', 'Code String'],
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
    await demo.dialog.getByText('left out, because the service sets it: Timestamp').waitFor();
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

  it('says each fault that rows have, and refuses a page of HTML', async () => {
    const demo = await browser.visit();
    const rows = ['PartitionKey,RowKey', 'p,4/', 'p/,5', 'p,6'];
    await chooseFile(demo, { name: 'keys.csv', text: rows.join('\n') });
    await demo.button('Import 1 row').waitFor();
    const faults = await demo.dialog.getByRole('listitem').allInnerTexts();
    expect(faults).toEqual([
      expect.stringMatching(/^Row 1: .*"4\/"/),
      expect.stringMatching(/^Row 2: .*"p\/"/),
    ]);

    await demo.button('Cancel').click();
    await chooseFile(demo, { name: 'sales.csv', text: '<!doctype html>\n<p>Sign in</p>\n' });
    await demo.dialog.getByText('sales.csv is an HTML page, and has no rows.').waitFor();
  });

  it('shows how the file was read, and reads it again as the user chooses', async () => {
    const demo = await browser.visit();
    const field = (label: string) => demo.dialog.getByLabel(label, { exact: true });
    await chooseFile(demo, {
      name: 'sales.csv',
      text: "id;price;sold;note\n1;1,50;02/03/2024;NULL\n2;2,75;05/06/2024;'=1+1\n",
    });
    const title = 'How the file is read: utf-8, semicolons between values, numbers as 1234,5';
    await demo.dialog.getByText(title, { exact: true }).click();
    const guessed = { id: 'Int32', price: 'Double', sold: 'String', note: 'String' };
    expect(await typesIn(demo)).toEqual(guessed);
    const shown = (label: string) =>
      field(label).evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]!.text);
    expect(await Promise.all(['Encoding', 'Between values', 'Numbers', 'Days'].map(shown))).toEqual(
      ['Guessed: utf-8', 'Guessed: semicolons', 'Guessed: 1234,5', 'Guessed: 2024-12-31'],
    );
    expect(await Promise.all(['Around values', 'First line', 'Formulas'].map(shown))).toEqual([
      '"',
      'Names of the columns',
      'As they are',
    ]);

    await field('Days').selectOption('31/12/2024');
    await demo.dialog.getByText(`${title}, days as 31/12/2024`, { exact: true }).waitFor();
    await eventually(() => typesIn(demo)).toEqual({ ...guessed, sold: 'DateTime' });
    await field('Numbers').selectOption('1,234.5');
    await eventually(() => typesIn(demo)).toMatchObject({ price: 'String' });
    await field('Numbers').selectOption('Guessed: 1234,5');
    await eventually(() => typesIn(demo)).toMatchObject({ price: 'Double' });
    await field('Between values').selectOption('commas');
    await demo.dialog.getByText(/^Rows 1, 2: InvalidInput .* has 2 values/).waitFor();
    await field('Between values').selectOption('semicolons');
    await field('First line').selectOption('Values');
    await eventually(() => typesIn(demo)).toMatchObject({ Column2: 'String' });
    await field('First line').selectOption('Names of the columns');
    await demo.dialog.getByText("NULL · '=1+1", { exact: true }).waitFor();
    await field('Missing values').fill('NULL, NA');
    await field('Formulas').selectOption('Without the apostrophe before them');
    await demo.dialog.getByText('=1+1', { exact: true }).waitFor();
    await field('Table').fill('Sold');
    await field('Encoding').selectOption('windows-1252');
    await demo.dialog.getByText(/^How the file is read: windows-1252, /).waitFor();
    await demo.dialog.getByText(ALL_GOOD).waitFor();
    await storeRows(demo, '2 rows');

    await eventually(() => demo.column('note')).toEqual(['', '=1+1']);
    expect((await demo.grid()).rows).toMatchObject([
      { price: '1.5', sold: '2024-03-02' },
      { price: '2.75', sold: '2024-06-05' },
    ]);
    await demo.table('Sold', '2').waitFor();
  });

  it('leaves out a row that cannot be read, and stores the others', async () => {
    const demo = await browser.visit();
    await chooseFile(demo, { name: 'pairs.csv', text: 'RowKey,n\na,1\nb,2,3\nc,4\n' });

    await demo.dialog.getByText('2 of 3 rows; 1 is left out: 1 with InvalidInput.').waitFor();
    expect(await demo.dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Row 2: InvalidInput .* has 3 values, and its header has 2 names/),
    ]);
    await storeRows(demo, '2 rows');
    await eventually(() => demo.column('RowKey')).toEqual(['a', 'c']);
  });

  it('groups the rows with the same fault', async () => {
    const demo = await browser.visit();
    const bad = Array.from({ length: 50 }, (_, at) => `a/${at},1`);
    await chooseFile(demo, {
      name: 'bad.csv',
      text: ['RowKey,n', 'x,1', ...bad, 'x,2'].join('\n'),
    });

    await demo.dialog.getByText(/^1 of 52 rows; 51 are left out/).waitFor();
    expect(await demo.dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Rows 2, 3, 4, 5, 6 and 45 more: OutOfRangeInput .*a\/0/),
      'Row 52: EntityAlreadyExists Row 1 has the same keys.',
    ]);
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
      ...['PartitionKey String', 'RowKey String', 'land String', 'People Double'],
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
    await demo.dialog.getByText('CSV · 70 bytes · 1 row · 3 columns').waitFor();

    const right = (box: { x: number; width: number } | null) => box!.x + box!.width;
    const table = right(await demo.dialog.locator('.import-columns').boundingBox());
    for (const column of ['Production_Country', 'Units', 'Sold']) {
      const type = demo.dialog.getByLabel(`Type of ${column}`);
      expect(right(await type.boundingBox())).toBeLessThan(table);
    }
  });

  it('says why a file or a table name cannot be used, and takes another', async () => {
    const demo = await browser.visit();

    await chooseFile(demo, { name: 'header.csv', text: 'a,b\n' });
    await demo.dialog.getByText('CSV · 4 bytes · 0 rows · 2 columns').waitFor();
    await demo.dialog.getByRole('alert').filter({ hasText: 'The file has no rows.' }).waitFor();
    await demo.button('Cancel').click();

    await chooseFile(demo, { name: 'broken.csv', text: 'a,b\n1,"2\n' });
    await demo.dialog.getByRole('alert').filter({ hasText: 'a quote without an end' }).waitFor();
    expect(await demo.button('Import').isDisabled()).toBe(true);
    await demo.dialog.getByText('Nothing can be imported: see the error above.').waitFor();
    await demo.button('Cancel').click();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();

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
