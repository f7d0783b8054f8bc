import { describe, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { importCsv } from './support/grid.js';

const browser = useBrowser();

const SALES = [
  'Id,Kind,Color,Price,Sold',
  '1,tea,red,4.5,2024-01-15',
  '2,cup,blue,12,2024-03-01',
  '3,tea,green,5,2024-03-02',
];

describe('the choices of a chart', () => {
  it('stay for each kind, and begin with no sum of identifiers', async () => {
    const demo = await browser.visit();
    await importCsv(demo, 'Sales.csv', SALES);
    const choice = (label: string) =>
      demo.page.locator('#chart-choices').getByLabel(label, { exact: true });
    const isDrawn = (name: string) => demo.page.getByRole('img', { name }).waitFor();
    await demo.button('Chart').click();
    await isDrawn('Sum of Price by Kind');
    await choice('By').selectOption('Color');
    await choice('Of').selectOption('Greatest of Price');
    await isDrawn('Greatest Price by Color');

    await choice('Chart').selectOption('Time line');
    await isDrawn('Sum of Price by Sold');
    await choice('Chart').selectOption('Bars of groups');
    await isDrawn('Greatest Price by Color');
  });
});
