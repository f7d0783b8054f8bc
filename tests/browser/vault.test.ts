import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, inject, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { openIn, useBrowser } from './support/browser.js';

const browser = useBrowser();

describe('the page of encrypted notes', () => {
  let page: Page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const notes = () => page.getByRole('list', { name: 'With the passphrase' });
  const proof = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();

  async function unlock(passphrase: string): Promise<void> {
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await button('Open').click();
  }

  async function write(text: string): Promise<void> {
    await page.getByLabel('New note').fill(text);
    await button('Add').click();
    await notes().getByText(text).waitFor();
  }

  beforeEach(async () => {
    page = await openIn(await browser.newContext(), `${inject('pageUrl')}vault.html`);
    await proof('Nothing is stored yet.');
    await unlock('correct horse');
    await write('The key is under the mat');
  });

  it('shows notes, of which nothing can be read on the disk', async () => {
    await proof(/^0 of 1 notes can be read in these [\d,]+ bytes\.$/);
    await isAccessible(page);
  });

  it('opens with its passphrase alone, after a reload, too', async () => {
    await page.reload();
    await unlock('correct house');
    await page.getByText('The store has another passphrase. Nothing was changed.').waitFor();
    await unlock('correct horse');
    await notes().getByText('The key is under the mat').waitFor();

    await write('Buy milk');
    expect(await notes().getByRole('listitem').allTextContents()).toEqual([
      'Buy milkDelete',
      'The key is under the matDelete',
    ]);
  });

  it('shows no note while it is locked, and begins again after it was deleted', async () => {
    await button('Lock').click();
    await proof(/^[\d,]+ bytes are stored\.$/);
    expect(await notes().count()).toBe(0);
    await button('Delete the store').click();
    await proof('Nothing is stored yet.');
    await unlock('another one');
    await write('A new beginning');

    expect(await notes().getByRole('listitem').count()).toBe(1);
  });
});
