import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
import { chooseFile, saveInPieces, textOf } from './support/files.js';
import { eventually } from './support/form-page.js';
import { importCsv } from './support/grid.js';

const browser = useBrowser();

const DOGS = 'PartitionKey,RowKey,Age,Nickname\ndogs,ann,3,"a, b"\ndogs,bob,5,\ndogs,cleo,7,Cleo\n';

async function visitDogs(): Promise<DemoPage> {
  const demo = await browser.visit();
  await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
  await saveInPieces(demo.page);
  await chooseFile(demo, { name: 'Dogs.csv', text: DOGS });
  await demo.button('Import 3 rows').click();
  await demo.heading('Loaded 3 rows').waitFor();
  return demo;
}

async function exported(page: Page, form: string): Promise<{ name: string; text: string }> {
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Form').selectOption(form);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Export' }).click();
  const download = await downloading;
  return { name: download.suggestedFilename(), text: await textOf(download) };
}

describe('an export', () => {
  it('has the entities of the query, in each form', async () => {
    const demo = await visitDogs();
    const { page } = demo;
    await demo.runFilter('Age gt 4');
    await page.getByText(/^2 entities · /).waitFor();

    const array = await exported(page, 'JSON array');
    expect(array.name).toBe('Dogs.json');
    expect(JSON.parse(array.text)).toMatchObject([
      { PartitionKey: 'dogs', RowKey: 'bob', Age: 5 },
      { RowKey: 'cleo', Nickname: 'Cleo' },
    ]);

    const lines = await exported(page, 'JSON Lines');
    expect(lines.text.trim().split('\n')).toHaveLength(2);

    const typed = await exported(page, 'CSV of Storage Explorer, with types');
    const [head, first] = typed.text.split('\r\n');
    expect(head).toBe('PartitionKey,RowKey,Timestamp,Age,Age@type,Nickname,Nickname@type');
    expect(first).toMatch(/^dogs,bob,\d{4}-\d\d-\d\dT[\d:.]+Z,5,Edm.Int32,,/);

    await demo.runFilter('');
    await page.getByText(/^3 entities · /).waitFor();
    const plain = await exported(page, 'CSV, without types');
    await page.getByText('Dogs.csv has 3 entities.').waitFor({ state: 'attached' });
    expect(plain.text.split('\r\n')[0]).toBe('PartitionKey,RowKey,Timestamp,Age,Nickname');
    expect(plain.text).toContain(',3,"a, b"\r\n');
  });

  it('for spreadsheets begins with a byte order mark, and has no formula', async () => {
    const demo = await browser.visit();
    await saveInPieces(demo.page);
    await importCsv(demo, 'Names.csv', ['RowKey,Name,Number', 'a,=1+1,-5']);

    const { name, text } = await exported(demo.page, 'CSV for Excel and other spreadsheets');
    expect(name).toBe('Names.csv');
    expect(text).toMatch(
      /^\uFEFFPartitionKey,RowKey,Timestamp,Name,Number\r\nrows,a,.*Z,'=1\+1,-5\r\n$/,
    );
  });

  it('has the order of the columns, for all pages of a long result', async () => {
    const demo = await browser.visit();
    await saveInPieces(demo.page);
    const numbers = Array.from({ length: 2500 }, (_, row) => (row * 7919) % 2500);
    const lines = numbers.map((number, row) => `r${row},${number}`);
    await importCsv(demo, 'Numbers.csv', ['RowKey,Number', ...lines]);
    const order = async (form: string) => {
      const { text } = await exported(demo.page, form);
      return [...text.matchAll(/"Number":(\d+)|Z,(\d+)\r/g)].map(([, a, b]) => Number(a ?? b));
    };
    const sorted = numbers.sort((a, b) => b - a);

    await demo.button('Number').click();
    await demo.button('Number').click();
    await eventually(async () => (await demo.column('Number'))[0]).toBe('2,499');
    expect(await order('JSON Lines')).toEqual(sorted);
    expect(await order('CSV, without types')).toEqual(sorted);
    await demo.runFilter('Number lt 10');
    await demo.page.getByText(/^10 entities · /).waitFor();
    expect(await order('JSON array')).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);

    // A third click brings back the order of the keys.
    await demo.button('Number').click();
    await eventually(async () => (await demo.column('Number'))[0]).not.toBe('9');
    const rows = Array.from({ length: 2500 }, (_, row) => (row * 7919) % 2500).entries();
    const keys = [...rows].map(([row, number]) => ({ key: `r${row}`, number }));
    const byKeys = keys
      .filter(({ number }) => number < 10)
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    expect(await order('JSON Lines')).toEqual(byKeys.map(({ number }) => number));
  });

  it('is written to the file that the user chooses, where the browser can', async () => {
    const { page } = await visitDogs();
    await page.evaluate(() => {
      Object.assign(window, {
        showSaveFilePicker: async ({ suggestedName }: { suggestedName: string }) =>
          (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true }),
      });
    });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    await isAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });

    const text = await page.evaluate(async () => {
      const file = await (await navigator.storage.getDirectory()).getFileHandle('Dogs.jsonl');
      return (await file.getFile()).text();
    });
    expect(text.trim().split('\n')).toHaveLength(3);
  });

  it('that is cancelled leaves no file', async () => {
    const { page } = await visitDogs();
    await page.evaluate(() => {
      const calls: string[] = [];
      const stream = {
        write: () => new Promise(() => {}),
        close: () => void calls.push('close'),
        abort: () => void calls.push('abort'),
      };
      // The disk is slow, so the export goes on until it is cancelled.
      const file = { createWritable: () => stream };
      Object.assign(window, { calls, showSaveFilePicker: () => Promise.resolve(file) });
    });
    await page.getByRole('button', { name: 'Export', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog.getByText(/entities read|Reading/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'hidden' });

    await expect
      .poll(() => page.evaluate(() => (window as unknown as { calls: string[] }).calls))
      .toEqual(['abort']);
  });
});
