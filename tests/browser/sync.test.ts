import { beforeEach, describe, expect, inject, it } from 'vitest';
import type { Locator, Page } from 'playwright-core';

import { isAccessible } from './support/axe.js';
import { openIn, useBrowser } from './support/browser.js';

const browser = useBrowser();

describe('the page of sync', () => {
  let page: Page;
  let device: (name: string) => Locator;
  const texts = (name: string) =>
    device(name)
      .getByRole('textbox', { name: 'Text' })
      .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));

  beforeEach(async () => {
    page = await openIn(await browser.newContext(), `${inject('pageUrl')}sync.html`);
    device = (name) => page.getByRole('region', { name });
    await page.getByLabel('Each request takes').selectOption('0');
    for (const name of ['Phone', 'Laptop']) {
      await device(name).getByText('Everything is in the cloud.').waitFor();
    }
  });

  it('brings what one device adds to the cloud and to the other', async () => {
    await device('Phone').getByLabel('New on Phone').fill('Feed the cat');
    await device('Phone').getByRole('button', { name: 'Add' }).click();

    await device('Cloud').getByText('Feed the cat').waitFor();
    await device('Laptop').getByLabel('Feed the cat: done').waitFor();
    expect(await texts('Laptop')).toContain('Feed the cat');
  });

  it('keeps what a device writes offline, and sends it later', async () => {
    await device('Phone').getByLabel('Online').uncheck();
    await device('Phone').getByLabel('Call the vet: done').check();

    await device('Phone').getByText('Waits to be sent').waitFor();
    expect(await device('Laptop').getByLabel('Call the vet: done').isChecked()).toBe(false);
    await device('Phone').getByLabel('Online').check();

    await device('Cloud').locator('.is-done').waitFor();
    await device('Laptop').locator('input:checked[aria-label^="Call the vet"]').waitFor();
  });

  it('shows a conflict with its three values, and lets the user choose', async () => {
    await page.getByRole('button', { name: 'Make a conflict' }).click();

    const conflict = page.getByRole('region', { name: 'Both sides changed one entity' });
    await conflict.getByText('Buy milk').waitFor();
    await conflict.getByText('Buy oat milk').waitFor();
    await isAccessible(page);
    await conflict.getByRole('button', { name: 'Keep the laptop’s' }).click();

    await device('Cloud').getByText('Buy two litres of milk').waitFor();
    await device('Phone').getByLabel('Buy two litres of milk: done').waitFor();
    await conflict.waitFor({ state: 'hidden' });
  });
});
