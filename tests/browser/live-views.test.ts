import type { Locator, Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { openIn, useBrowser } from './support/browser.js';

const browser = useBrowser();

const FRUIT = ['Apple', 'Banana', 'Cherry', 'Pear', 'Plum'];

describe('the page of live views', () => {
  let page: Page;
  const pane = (name: string): Locator => page.getByRole('region', { name });
  const button = (name: string, text: string) =>
    pane(name).getByRole('button', { name: text, exact: true });
  const names = (name: string) => pane(name).locator('li strong').allTextContents();
  const price = (name: string, product: string) =>
    pane(name).locator('li').filter({ hasText: product }).locator('.price');

  beforeEach(async () => {
    page = await openIn(await browser.newContext(), `${inject('pageUrl')}live.html`);
    await pane('Left').getByText('10 products').waitFor();
    await pane('Right').getByText('5 products').waitFor();
  });

  it('shows a filter and an order of one table', async () => {
    expect(await names('Right')).toEqual(FRUIT);
    expect((await names('Left')).slice(0, 3)).toEqual(['Cherry', 'Tomato', 'Plum']);
    await isAccessible(page);
  });

  it('shows on one side what the other side writes', async () => {
    await button('Right', 'Raise Apple').click();
    await price('Left', 'Apple').getByText('2.50').waitFor();

    await button('Left', 'Delete Apple').click();
    await pane('Right').getByText('4 products').waitFor();
    expect(await names('Right')).not.toContain('Apple');
  });

  it('keeps the order while prices change, and the focus with its product', async () => {
    const raise = button('Left', 'Raise Plum');
    await raise.focus();
    // 3.20 to 4.00: Plum passes Tomato, which costs 3.90.
    for (let press = 0; press < 8; press++) {
      await page.keyboard.press('Enter');
      await price('Right', 'Plum')
        .getByText(`${((33 + press) / 10).toFixed(2)}`)
        .waitFor();
    }

    await expect
      .poll(async () => (await names('Left')).slice(0, 3))
      .toEqual(['Cherry', 'Plum', 'Tomato']);
    expect(await raise.evaluate((it) => it === document.activeElement)).toBe(true);
  });

  it('takes another filter and order, and shows them as code', async () => {
    await pane('Right').getByLabel('Show').selectOption('vegetable');
    await pane('Right').getByLabel('In the order of').selectOption('price up');

    await expect
      .poll(() => names('Right'))
      .toEqual(['Cucumber', 'Onion', 'Carrot', 'Leek', 'Tomato']);
    const code = await pane('Right').locator('pre').textContent();
    expect(code).toContain('PartitionKey eq ');
    expect(code).toContain("'vegetable'");
    expect(code).toContain("orderBy: ['price']");
  });

  it('follows a second tab', async () => {
    const second = await openIn(page.context(), page.url());
    const theirs = second.getByRole('region', { name: 'Left' });
    await theirs.getByText('10 products').waitFor();
    await theirs.getByRole('button', { name: 'Raise Leek' }).click();

    await price('Left', 'Leek').getByText('2.70').waitFor();
  });

  it('follows prices that change by themselves', async () => {
    const changed = pane('Right').locator('li.is-up, li.is-down');
    await pane('Right').getByLabel('Show').selectOption('all');
    await page.getByLabel('Change prices automatically').check();

    await changed.first().waitFor();
  });
});
