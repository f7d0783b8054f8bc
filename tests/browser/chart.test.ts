import { describe, expect, it } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { useBrowser } from './support/browser.js';
import { grouped } from './support/data.js';
import type { DemoPage } from './support/demo-page.js';
import { bytesOf, chooseFile, dropFile, textOf } from './support/files.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

/** The figures beside the chart: the text of each value, by the text of its group. */
async function figures(demo: DemoPage): Promise<Record<string, string>> {
  const rows = await demo.page
    .locator('#chart-table tbody tr')
    .evaluateAll((all) =>
      all.map((row) => Array.from((row as HTMLTableRowElement).cells, (cell) => cell.textContent)),
    );
  return Object.fromEntries(rows) as Record<string, string>;
}

/** A choice of the chart. */
function choice(demo: DemoPage, label: 'Chart' | 'By' | 'Of') {
  return demo.page.locator('#chart-choices').getByLabel(label, { exact: true });
}

async function importText(demo: DemoPage, text: string): Promise<void> {
  await chooseFile(demo, { name: 'sales.csv', text });
  await demo.button(/^Import \d+ rows$/).click();
  await demo.heading(/^Loaded \d+ rows?$/).waitFor();
  await demo.button('Dismiss').click();
}

const SALES = [
  'Kind,Price,Sold,Stock',
  'tea,4.5,2024-01-15,3',
  'tea,5,2024-01-20,1',
  'cup,12,2024-03-01,8',
  'pot,30,2024-03-31T23:59:59.9Z,-2',
].join('\n');

// The table of flights is larger in each run (grid.test.ts).
const ROWS = isWhole() ? 200_000 : 50_000;

describe('a newcomer', () => {
  it(
    `drops a CSV of ${ROWS} rows, and has a chart of its sums by group within a minute`,
    { timeout: 90_000 },
    async () => {
      const regions = ['north', 'south', 'east', 'west'];
      const sums = new Map<string, number>();
      const lines = ['Region,Units,Price'];
      for (let row = 0; row < ROWS; row++) {
        const region = regions[(row * 7) % 3]!;
        const units = (row * 7919) % 1000;
        lines.push(`${region},${units},${units / 4}`);
        sums.set(region, (sums.get(region) ?? 0) + units);
      }
      const demo = await browser.visit();
      await demo.button('Open a file').waitFor();
      await watchTurns(demo);

      const start = performance.now();
      await dropFile(demo, { name: 'sales.csv', text: lines.join('\n') });
      await demo.button(`Import ${grouped(ROWS)} rows`).click({ timeout: 60_000 });
      await demo.heading(`Loaded ${grouped(ROWS)} rows`).waitFor({ timeout: 60_000 });
      await demo.button('Chart').click();
      await choice(demo, 'Of').selectOption('Sum of Units');
      await demo.page.getByRole('img', { name: 'Sum of Units by Region' }).waitFor();
      expect(performance.now() - start).toBeLessThan(60_000);

      expect(await figures(demo)).toEqual(
        Object.fromEntries([...sums].map(([region, sum]) => [region, grouped(sum)])),
      );
      expect(await longestTurn(demo)).toBeLessThan(1500);
    },
  );
});

describe('a chart', () => {
  it('has bars of groups, and follows the filter', async () => {
    const demo = await browser.visit();
    await importText(demo, SALES);

    await demo.button('Chart').click();
    await eventually(() => figures(demo)).toEqual({ pot: '30', cup: '12', tea: '9.5' });
    await choice(demo, 'Of').selectOption('Average of Stock');
    await eventually(() => figures(demo)).toEqual({ cup: '8', tea: '2', pot: '-2' });
    await demo.runFilter('Stock gt 0');
    await eventually(() => figures(demo)).toEqual({ cup: '8', tea: '2' });
    const name = 'Average of Stock by Kind, where Stock gt 0';
    await demo.page.getByRole('img', { name }).waitFor();
  });

  it('has ranges of numbers and times, and points of entities', async () => {
    const demo = await browser.visit();
    await importText(demo, SALES);

    await demo.button('Chart').click();
    await choice(demo, 'Chart').selectOption('Histogram');
    await choice(demo, 'By').selectOption('Stock');
    await eventually(async () =>
      Object.entries(await figures(demo)).filter(([, n]) => n !== '0'),
    ).toEqual([
      ['-2 – -1', '1'],
      ['1 – 2', '1'],
      ['3 – 4', '1'],
      ['8 – 9', '1'],
    ]);
    expect(Object.keys(await figures(demo))).toHaveLength(11);
    await choice(demo, 'By').selectOption('Price');
    await choice(demo, 'Of').selectOption('Sum of Stock');
    await eventually(async () => (await figures(demo))['4 – 6']).toBe('4');
    expect((await figures(demo))['30 – 32']).toBe('-2');

    await choice(demo, 'Chart').selectOption('Time line');
    await choice(demo, 'Of').selectOption('Number of entities');
    await eventually(async () =>
      Object.entries(await figures(demo)).filter(([, n]) => n !== '0'),
    ).toEqual([
      ['2024-01-15', '1'],
      ['2024-01-20', '1'],
      ['2024-03-01', '1'],
      ['2024-03-31', '1'],
    ]);

    await choice(demo, 'Chart').selectOption('Points of entities');
    await choice(demo, 'By').selectOption('Price');
    await choice(demo, 'Of').selectOption('Stock');
    await eventually(() => figures(demo)).toEqual({ '4.5': '3', 5: '1', 12: '8', 30: '-2' });
  });

  it('leaves out entities without numbers in both properties', async () => {
    const demo = await browser.visit();
    const entity = (RowKey: string, properties: object) =>
      JSON.stringify({
        PartitionKey: '',
        RowKey,
        Timestamp: '2024-05-01T00:00:00Z',
        ...properties,
      });
    const lines = [
      '{"entitable":"archive","version":1}',
      '{"TableName":"Sales"}',
      entity('1', { Price: 4.5, Stock: 3 }),
      entity('2', { Price: 12 }),
      entity('3', { Stock: 8 }),
      entity('4', { Price: 7.5, Stock: '9' }),
      entity('5', { Price: true, Stock: 1 }),
      '{"tables":1,"entities":5}',
    ];
    await dropFile(demo, { name: 'tables.jsonl', text: `${lines.join('\n')}\n` });
    await demo.button('Import 1 table').click();
    await demo.heading('Loaded 5 entities').waitFor();
    await eventually(() => demo.column('RowKey')).toHaveLength(5);

    await demo.button('Chart').click();
    await choice(demo, 'Chart').selectOption('Points of entities');
    await choice(demo, 'By').selectOption('Price');
    await choice(demo, 'Of').selectOption('Stock');
    const name = 'Stock by Price';
    await demo.page.getByRole('img', { name, exact: true }).waitFor();
    expect(await figures(demo)).toEqual({ '4.5': '3' });
  });

  it('is drawn with the first result, if it was opened before it', async () => {
    const demo = await browser.visit();
    // Clicks before the page has a turn to read the first result.
    const seen = await demo.page.evaluateHandle(clickChartAtOnce);
    await importText(demo, SALES);

    expect(await seen.jsonValue()).toEqual({ isSaveDisabled: true });
    await eventually(() => figures(demo)).toEqual({ pot: '30', cup: '12', tea: '9.5' });
    expect(await demo.page.getByRole('alert').count()).toBe(0);
    expect(await demo.button('Save as PNG').isEnabled()).toBe(true);
  });

  it('is saved as a PNG, and draws bars in the colour of the page', async () => {
    const demo = await browser.visit({ deviceScaleFactor: 1 });
    await importText(demo, SALES);
    await demo.button('Chart').click();
    await eventually(() => figures(demo)).toEqual({ pot: '30', cup: '12', tea: '9.5' });

    const downloading = demo.page.waitForEvent('download');
    await demo.button('Save as PNG').click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Sales.png');
    const png = (await bytesOf(download)).toString('base64');
    const share = await demo.page.evaluate(shareOfColour, { png, colour: [11, 107, 105] });
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.5);
  });

  it('is saved as an SVG with axes, whatever the names of the groups are', async () => {
    const demo = await browser.visit();
    await importText(demo, SALES.replaceAll('tea', '"<tea> & ""co"""'));
    await demo.button('Chart').click();
    await eventually(() => figures(demo)).toHaveProperty('pot', '30');

    const bars = await savedSvg(demo);
    expect(bars.name).toBe('Sales.svg');
    expect(bars.title).toBe('Sum of Price by Kind');
    expect(bars.texts).toEqual(
      expect.arrayContaining(['pot', 'cup', '<tea> & "co"', '0', '30', 'Kind', 'Sum of Price']),
    );
    expect(bars.tips).toEqual(['pot: 30', 'cup: 12', '<tea> & "co": 9.5']);
    const [pot, cup, tea] = bars.heights;
    expect(pot! / cup!).toBeCloseTo(30 / 12, 1);
    expect(pot! / tea!).toBeCloseTo(30 / 9.5, 1);
    expect(new Set(bars.bottoms.map(Math.round)).size).toBe(1);
  });

  it('is saved as an SVG of each kind, with values below zero', async () => {
    const demo = await browser.visit();
    await importText(demo, SALES);
    await demo.button('Chart').click();
    await choice(demo, 'Chart').selectOption('Histogram');
    await choice(demo, 'By').selectOption('Price');
    await choice(demo, 'Of').selectOption('Sum of Stock');
    await eventually(async () => (await figures(demo))['30 – 32']).toBe('-2');
    const ranges = await savedSvg(demo);
    const at = (range: string) => ranges.tips.findIndex((tip) => tip.startsWith(range));
    // It begins where a bar of a positive value ends.
    expect(ranges.bottoms[at('4 – 6')]).toBeCloseTo(ranges.tops[at('30 – 32')]!, 1);
    expect(ranges.heights[at('4 – 6')]! / ranges.heights[at('30 – 32')]!).toBeCloseTo(2, 1);

    await choice(demo, 'Chart').selectOption('Time line');
    await choice(demo, 'Of').selectOption('Average of Stock');
    await demo.page.getByRole('img', { name: 'Average of Stock by Sold' }).waitFor();
    // Days without entities interrupt the line.
    expect((await savedSvg(demo)).lines).toBe(4);

    await choice(demo, 'Chart').selectOption('Points of entities');
    await choice(demo, 'By').selectOption('Price');
    await choice(demo, 'Of').selectOption('Stock');
    await demo.page.getByRole('img', { name: 'Stock by Price' }).waitFor();
    const points = await savedSvg(demo);
    expect(points.tips).toEqual(['4.5: 3', '5: 1', '12: 8', '30: -2']);
  });

  it('says why there is none', async () => {
    const demo = await browser.visit();
    await importText(demo, SALES);
    await demo.button('Chart').click();
    await eventually(() => figures(demo)).toEqual({ pot: '30', cup: '12', tea: '9.5' });

    await demo.runFilter("Kind eq 'bag'");
    await demo.page.getByText('No entity has values for this chart.').waitFor();
    expect(await demo.button('Save as PNG').isDisabled()).toBe(true);
    expect(await demo.button('Save as SVG').isDisabled()).toBe(true);
  });

  it('is cleared when a filter is refused, and drawn again by the next answer', async () => {
    const demo = await browser.visit();
    await importText(demo, SALES);
    await demo.button('Chart').click();
    await eventually(() => figures(demo)).toEqual({ pot: '30', cup: '12', tea: '9.5' });

    await demo.runFilter('Stock gt');
    await demo.page.getByText('No chart: the query was refused.').waitFor();
    await demo.button('Properties').click();
    await demo.page.getByText('No figures: the query was refused.').waitFor();
    await demo.button('Chart').click();
    expect(await figures(demo)).toEqual({});
    expect(await demo.button('Save as PNG').isDisabled()).toBe(true);
    await demo.runFilter('Stock ge 3');
    await eventually(() => figures(demo)).toEqual({ cup: '12', tea: '4.5' });
  });
});

/** Saves the chart as an SVG, and reads the file. */
async function savedSvg(demo: DemoPage) {
  const downloading = demo.page.waitForEvent('download');
  await demo.button('Save as SVG').click();
  const download = await downloading;
  const svg = await textOf(download);
  const content = await demo.page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml');
    const all = (selector: string) => [...root.querySelectorAll(selector)];
    const bars = all('g rect');
    const number = (element: Element, name: string) => Number(element.getAttribute(name));
    return {
      title: root.querySelector('title')!.textContent,
      texts: all('text').map(({ textContent }) => textContent),
      tips: all('g title').map(({ textContent }) => textContent),
      tops: bars.map((bar) => number(bar, 'y')),
      heights: bars.map((bar) => number(bar, 'height')),
      bottoms: bars.map((bar) => number(bar, 'y') + number(bar, 'height')),
      lines: all('g path').flatMap((path) => path.getAttribute('d')!.match(/M/g) ?? []).length,
    };
  }, svg);
  return { name: download.suggestedFilename(), ...content };
}

function clickChartAtOnce(): { isSaveDisabled?: boolean } {
  const seen: { isSaveDisabled?: boolean } = {};
  const workspace = document.getElementById('workspace')!;
  const observer = new MutationObserver(() => {
    if (workspace.hidden) return;
    observer.disconnect();
    document.getElementById('toggle-chart')!.click();
    seen.isSaveDisabled = (document.getElementById('chart-save') as HTMLButtonElement).disabled;
  });
  observer.observe(workspace, { attributes: true });
  return seen;
}

// The share of pixels that have the colour.
async function shareOfColour({ png, colour }: { png: string; colour: number[] }): Promise<number> {
  const bytes = Uint8Array.from(atob(png), (one) => one.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (colour.every((part, index) => data[at + index] === part)) count++;
  }
  return count / (image.width * image.height);
}

// How long the page gives no turn to anything else, in milliseconds.
async function watchTurns(demo: DemoPage): Promise<void> {
  await demo.page.evaluate(() => {
    let last = performance.now();
    const watched = globalThis as { longestTurn?: number };
    watched.longestTurn = 0;
    setInterval(() => {
      const now = performance.now();
      watched.longestTurn = Math.max(watched.longestTurn!, now - last);
      last = now;
    }, 10);
  });
}

function longestTurn(demo: DemoPage): Promise<number> {
  return demo.page.evaluate(() => (globalThis as { longestTurn?: number }).longestTurn!);
}
