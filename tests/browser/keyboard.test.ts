import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { hasFocus, type DemoPage } from './support/demo-page.js';

const browser = useBrowser();

describe('the keyboard alone', () => {
  // It presses Tab some 150 times.
  it('loads, filters, and opens and leaves the form', { timeout: 60_000 }, async () => {
    const demo = await browser.visit();
    const { keyboard } = demo.page;

    await tabTo(demo, demo.button('Load 3,201 movies'));
    await keyboard.press('Enter');
    await demo.heading('Loaded 3,201 movies').waitFor();
    expect(await hasFocus(demo.button('Dismiss'))).toBe(true);
    await keyboard.press('Enter');

    await tabTo(demo, demo.filter);
    await keyboard.type("Title eq 'Avatar'");
    await keyboard.press('Enter');
    await demo.page.getByText(/^1 entity · /).waitFor();

    const row = demo.button(/^Edit \d+-avatar$/);
    await tabTo(demo, row);
    await keyboard.press('Enter');
    await demo.dialog.waitFor();
    await staysIn(demo, demo.dialog);
    await keyboard.press('Escape');
    await demo.dialog.waitFor({ state: 'hidden' });
    expect(await hasFocus(row)).toBe(true);
  });

  it(
    'keeps the focus when an entity is saved, and moves it when one is deleted',
    {
      timeout: 60_000,
    },
    async () => {
      const demo = await browser.visit();
      const { keyboard } = demo.page;
      await demo.loadMovies();
      await demo.runFilter("Title eq 'Avatar'");
      await demo.page.getByText(/^1 entity · /).waitFor();
      const row = demo.button(/^Edit \d+-avatar$/);

      await row.focus();
      await keyboard.press('Enter');
      await demo.dialog.waitFor();
      await tabTo(demo, demo.button('Save'));
      await keyboard.press('Enter');
      await demo.dialog.waitFor({ state: 'hidden' });
      await expect.poll(() => hasFocus(row)).toBe(true);

      await keyboard.press('Enter');
      await tabTo(demo, demo.button('Delete'));
      await keyboard.press('Enter');
      await demo.heading('Delete this entity?').waitFor();
      expect(await hasFocus(demo.button('Keep it'))).toBe(true);
      await keyboard.press('Tab');
      await keyboard.press('Enter');
      await demo.page.getByText('No entity matches.').waitFor();
      await expect.poll(() => hasFocus(demo.heading('Movies'))).toBe(true);
    },
  );

  it('skips to the content', async () => {
    const demo = await browser.visit();
    const { keyboard } = demo.page;
    await demo.button('Load 3,201 movies').waitFor();

    await keyboard.press('Tab');
    expect(await hasFocus(demo.page.getByRole('link', { name: 'Skip to the content' }))).toBe(true);
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    expect(await hasFocus(demo.button('Open a file'))).toBe(true);
  });
});

// More steps than the page has elements that take the focus.
const MOST_STEPS = 120;

async function tabTo(demo: DemoPage, target: Locator): Promise<void> {
  await target.waitFor();
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    if (await hasFocus(target)) return;
    await demo.page.keyboard.press('Tab');
  }
  throw new Error(`The focus does not come to ${target}.`);
}

// After the last element come the buttons of the browser, where the page has no focus.
async function staysIn(demo: DemoPage, dialog: Locator): Promise<void> {
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    await demo.page.keyboard.press('Tab');
    const isInside = await dialog.evaluate(
      (element) =>
        element.contains(document.activeElement) || document.activeElement === document.body,
    );
    expect(isInside).toBe(true);
  }
}
