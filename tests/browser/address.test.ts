import { describe, expect, inject, it } from 'vitest';

import { useBrowser } from './support/browser.js';

const browser = useBrowser();

describe('an address with a malformed percent escape', () => {
  it('opens the first table, and then the one of a new address', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();

    await demo.page.goto('about:blank');
    await demo.page.goto(`${inject('pageUrl')}#/%`);
    await demo.heading('Movies').waitFor();
    expect(new URL(demo.page.url()).hash).toBe('#/Movies');

    // Without a new load of the page.
    await demo.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          addEventListener('hashchange', () => resolve(), { once: true });
          location.hash = '#/%';
        }),
    );
    await demo.results.waitFor();
    expect(await demo.heading('Movies').isVisible()).toBe(true);
    expect(await demo.page.locator('#notice').isVisible()).toBe(false);
  });
});
