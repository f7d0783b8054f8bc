import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { DemoPage } from './support/demo-page.js';
import { chooseFile, dropFile, textOf } from './support/files.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

const ARCHIVE = [
  '{"entitable":"archive","version":1}',
  '{"TableName":"Birds"}',
  '{"PartitionKey":"owls","RowKey":"ulla","Timestamp":"2024-05-01T00:00:00Z"}',
  '{"TableName":"Pets"}',
  '{"tables":2,"entities":1}',
  '',
].join('\n');

// A table for each. An import sends the file in parts that are about as long as one.
function archiveOfLongEntities(count: number): string {
  const texts = Object.fromEntries([...'abcdef'].map((name) => [name, name.repeat(30_000)]));
  const keys = { PartitionKey: '', RowKey: '', Timestamp: '2024-05-01T00:00:00Z' };
  const tables = Array.from(
    { length: count },
    (_, at) =>
      `${JSON.stringify({ TableName: `Tab${at}` })}\n${JSON.stringify({ ...keys, ...texts })}\n`,
  );
  return `{"entitable":"archive","version":1}\n${tables.join('')}${JSON.stringify({ tables: count, entities: count })}\n`;
}

async function emptyStore(demo: DemoPage): Promise<void> {
  await demo.emptyStore();
  await demo.button('Delete everything').click();
  await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
}

async function saveAll(demo: DemoPage): Promise<string> {
  const downloading = demo.page.waitForEvent('download');
  await demo.button('Save all tables').click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('tables.jsonl');
  return textOf(download);
}

async function importPets(demo: DemoPage): Promise<void> {
  await chooseFile(demo, { name: 'pets.csv', text: 'Name,Age\nRex,7\nTom,3\n' });
  await demo.button('Import 2 rows').click();
  await demo.heading('Loaded 2 rows').waitFor();
  await demo.button('Dismiss').click();
}

describe('an archive', () => {
  it('is saved, and brings back all tables with their timestamps', async () => {
    const demo = await browser.visit();
    await importPets(demo);
    await demo.loadMovies();
    await demo.table('Pets', '2').click();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
    const timestamps = await demo.column('Timestamp');
    const text = await saveAll(demo);
    await emptyStore(demo);

    await dropFile(demo, { name: 'tables.jsonl', text });
    await demo.dialog
      .getByText('It has 2 tables with 3,203 entities: Movies (3,201), Pets (2).')
      .waitFor();
    await isAccessible(demo.page);
    await demo.button('Import 2 tables').click();
    await demo.heading('Loaded 3,203 entities').waitFor();
    await demo.table('Movies', '3,201').waitFor();
    await demo.table('Pets', '2').click();
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
    expect(await demo.column('Timestamp')).toEqual(timestamps);
  });

  it('is refused if a table exists already', async () => {
    const demo = await browser.visit();
    await importPets(demo);
    const text = await saveAll(demo);

    await dropFile(demo, { name: 'tables.jsonl', text });
    const alert = demo.page.getByRole('alert').filter({ hasText: 'these tables exist: Pets.' });
    await alert.waitFor();
  });

  it.each([
    ['at the table of another tab', ARCHIVE, 'TableAlreadyExists'],
    ['before it', ARCHIVE.replace('2024-05-01', '2024-05-99'), 'InvalidInput'],
  ])('that fails %s takes back its own tables alone', async (_, text, code) => {
    const demo = await browser.visit();
    await dropFile(demo, { name: 'tables.jsonl', text });
    await demo.dialog.getByText('Birds (1), Pets (0).').waitFor();
    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());
    await importPets(other);

    await demo.button('Import 2 tables').click();
    await demo.page.getByRole('alert').filter({ hasText: code }).waitFor();
    await demo.table('Pets', '2').waitFor();
    expect(await demo.page.locator('#tables').innerText()).not.toContain('Birds');
    await eventually(() => demo.column('Name')).toEqual(['Rex', 'Tom']);
  });

  it('shows no more entities than it has while it is imported', async () => {
    const demo = await browser.visit();
    const figures = await demo.page.evaluateHandle(() => {
      const place = document.getElementById('load-figures')!;
      const texts: string[] = [];
      new MutationObserver(() => texts.push(place.textContent)).observe(place, { childList: true });
      return texts;
    });
    await dropFile(demo, { name: 'tables.jsonl', text: archiveOfLongEntities(10) });
    await demo.button('Import 10 tables').click();
    await demo.heading('Loaded 10 entities').waitFor();

    const counts = (await figures.jsonValue()).map((text) => /^(\d+) of 10 /.exec(text)?.[1]);
    expect(counts.map(Number).filter((count) => count > 10)).toEqual([]);
  });

  it('that is not complete leaves no table', async () => {
    const demo = await browser.visit();
    await importPets(demo);
    const text = await saveAll(demo);
    await emptyStore(demo);

    await dropFile(demo, { name: 'cut.jsonl', text: text.slice(0, text.lastIndexOf('{')) });
    await demo.dialog.getByText('Its end is missing').waitFor();
    await demo.button('Import 1 table').click();
    const alert = demo.page.getByRole('alert');
    await alert.filter({ hasText: /^cut\.jsonl: InvalidInput/ }).waitFor();
    expect(await demo.page.locator('body').innerText()).not.toContain('Loading');
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
  });
});

it.each([
  [
    'of a later version',
    ARCHIVE.replace('"version":1', '"version":2'),
    'tables.jsonl: It is an archive of version 2, which a newer program has written.',
  ],
  [
    'of the emulator that is cut',
    '{"filename":"/__azurite_db_table__.json","coll',
    'tables.jsonl: ',
  ],
])('a file %s is refused by its name', async (_, text, message) => {
  const demo = await browser.visit();
  await dropFile(demo, { name: 'tables.jsonl', text });
  await demo.page.getByRole('alert').filter({ hasText: message }).waitFor();
});

it("the emulator's file is imported with its types and times", async () => {
  const demo = await browser.visit();
  const account = 'devstoreaccount1';
  const entity = {
    ...{ PartitionKey: 'dogs', RowKey: 'rex', lastModifiedTime: '2024-05-01T10:20:30.1234567Z' },
    properties: { Age: '7', 'Age@odata.type': 'Edm.Int64', Name: 'Rex' },
  };
  const text = JSON.stringify({
    filename: '/data/__azurite_db_table__.json',
    collections: [
      { name: '$TABLES_COLLECTION$', data: [{ account, table: 'Dogs' }] },
      { name: `${account}$Dogs`, data: [entity] },
    ],
  });

  await dropFile(demo, { name: '__azurite_db_table__.json', text });
  await demo.dialog.getByText('It has 1 table with 1 entity: Dogs (1).').waitFor();
  await demo.button('Import 1 table').click();
  await demo.table('Dogs', '1').waitFor();
  await eventually(() => demo.column('Age')).toEqual(['7']);
  const { columns, rows } = await demo.grid();
  expect(columns).toContain('Age Int64');
  expect(rows[0]).toMatchObject({ RowKey: 'rex', Timestamp: '2024-05-01 10:20:30.1234567' });
});
