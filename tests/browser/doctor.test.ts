import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { openIn, useBrowser } from './support/browser.js';
import { textOf } from './support/files.js';

const browser = useBrowser();

describe('the page of the doctor', () => {
  let page: Page;
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const result = (text: string): Locator =>
    page.getByRole('list', { name: 'What was found' }).getByText(text);

  /** Damages the value with this key. */
  async function damage(key: string): Promise<void> {
    await button(new RegExp(`^${key} `)).click();
    await button(new RegExp(`^${key} `))
      .locator('.damage')
      .waitFor();
  }

  beforeEach(async () => {
    page = await openIn(await browser.newContext(), `${inject('pageUrl')}doctor.html`);
    await result('It has 20,006 entities, and no fault.').waitFor();
  });

  it('finds no fault in an intact store', async () => {
    await button('Verify').click();
    await result('No fault, after').waitFor();
    await button('Read everything').click();

    await result('The app gets all 20,006 entities.').waitFor();
  });

  it('names the damaged value to the app and to its owner', async () => {
    await damage('pages/3');
    await button('Read everything').click();
    await result('StorageDamaged').waitFor();
    await button('Verify').click();
    await result('Found in').waitFor();

    const faults = await page.locator('.findings li').allTextContents();
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^pages\/3 \(leaf page\) is damaged\. These entities may be lost/);
    await isAccessible(page);
  });

  it('brings back everything but the entities of the damaged page, as a file', async () => {
    await damage('pages/3');
    await button('Repair').click();
    const found = await result('of 20,006 entities can be read').textContent();
    const count = Number(/^([\d,]+) of/.exec(found!)![1]!.replace(',', ''));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      button('Download them').click(),
    ]);

    // A page has some thousands of these entities.
    expect(count).toBeGreaterThan(16_000);
    expect(count).toBeLessThan(19_000);
    const lines = (await textOf(download)).trim().split('\n');
    // The head, the table and the end are lines, too.
    expect(lines).toHaveLength(count + 3);
  });

  it('loses the change of the last log record, and nothing else', async () => {
    await page
      .getByText(/^log\/\d+$/)
      .last()
      .click();
    await page.locator('.is-log .damage').waitFor();
    await button('Repair').click();

    await result('20,005 of 20,006 entities can be read').waitFor();
  });

  it('begins again with a new store', async () => {
    await button('Damage a page').click();
    await page.locator('.damage').waitFor();
    await button('New store').click();
    await page.locator('.damage').waitFor({ state: 'detached' });
    await button('Read everything').click();

    await result('The app gets all 20,006 entities.').waitFor();
  });
});
