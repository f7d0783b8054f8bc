import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';
import { chooseFile } from './support/files.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

const ROWS = [
  'Kind,Price,Sold,Note',
  'tea,4.5,2020-01-15,a',
  'tea,5,2024-01-20,b',
  'cup,12,2024-03-01,',
  'pot,30,2024-03-31,c',
].join('\n');

/** What the panel says of each property, by its name; the last text is that of the picture. */
async function properties(demo: DemoPage): Promise<Record<string, string[]>> {
  const rows = await demo.page.locator('#properties-rows tr').evaluateAll((all) =>
    all.map((row) => {
      const texts = Array.from((row as HTMLTableRowElement).cells, (cell) => cell.textContent);
      return [...texts, row.querySelector('svg')?.getAttribute('aria-label') ?? ''];
    }),
  );
  return Object.fromEntries(rows.map(([name, ...facts]) => [name, facts]));
}

async function open(text: string): Promise<DemoPage> {
  const demo = await browser.visit();
  await chooseFile(demo, { name: 'sales.csv', text });
  await demo.button(/^Import \d+ rows$/).click();
  await demo.heading(/^Loaded \d+ rows?$/).waitFor();
  await demo.button('Dismiss').click();
  await demo.button('Properties').click();
  return demo;
}

describe('the properties of a query', () => {
  it('have their types, counts, ends and values', async () => {
    const demo = await open(ROWS);

    const found = async (name: string) => (await properties(demo))[name];
    await eventually(() => found('Kind')).toEqual([
      ...['String', '100 %', '3', 'cup', 'tea', '3', 'tea 2, cup 1, pot 1'],
      'tea: 2, cup: 1, pot: 1',
    ]);
    const price = (await found('Price'))!;
    expect(price.slice(0, 5)).toEqual(['Double', '100 %', '4', '4.5', '30']);
    expect(price.at(-1)).toMatch(/^4.5 – 6.09375: 2, .* 28.40625 – 30: 1$/);
    expect(await found('Sold')).toEqual([
      ...['DateTime', '100 %', '4', '2020-01-15', '2024-03-31', '20', '2020 to 2024'],
      '2020: 1, 2021: 0, 2022: 0, 2023: 0, 2024: 3',
    ]);
  });

  it('follow the filter, and say what is missing', async () => {
    const demo = await open(ROWS);
    await demo.runFilter("Kind eq 'cup' or Note eq 'c'");

    const title = demo.page.locator('#properties-title');
    await eventually(() => title.textContent()).toMatch(/^2 entities of /);
    const found = await properties(demo);
    expect(Object.keys(found)).toEqual(['Kind', 'Price', 'Sold', 'Note']);
    expect(found['Note']!.slice(1, 5)).toEqual(['50.0 %', '1', 'c', 'c']);
  });

  it('are a table that a keyboard and a screen reader find', async () => {
    const demo = await open(ROWS);
    await demo.page.locator('#properties-rows tr').first().waitFor();

    await isAccessible(demo.page);
  });
});
