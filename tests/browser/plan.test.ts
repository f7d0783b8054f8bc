import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

describe('how the entities were found', () => {
  it('is said in words, and drawn, for each query', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();
    const { page } = demo;
    await demo.choose('How the entities were found');
    const text = () => page.locator('#plan-text').textContent();
    const bars = () => page.locator('.plan-bar').allTextContents();

    await eventually(text).toMatch(/does not limit the keys/);
    await eventually(bars).toEqual([
      expect.stringMatching(/^Pages\d+ read, \d+ answered by their zone maps$/),
      'Entities3,201 fit, 0 were compared, and do not fit',
    ]);

    await demo.runFilter("PartitionKey eq 'Western' and ImdbRating gt 7.0");
    await eventually(text).toBe('The filter limits the keys to one partition.');
    await eventually(bars).toEqual([
      expect.stringMatching(/^Pages\d+ read, \d+ answered by their zone maps$/),
      expect.stringMatching(/^Entities\d+ fit, \d+ were compared, and do not fit$/),
    ]);

    // The sample has an index of its directors.
    await demo.runFilter("Director eq 'Stanley Kubrick' and ImdbRating ge 8.0");
    await eventually(text).toBe('The index Director has the entities that can match.');
    await eventually(bars).toContainEqual(
      expect.stringMatching(/^Entities\d+ fit, \d were compared, and do not fit$/),
    );
  });
});
