import { expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';

const browser = useBrowser();

it('runs its account in a worker, if the address says so', { timeout: 60_000 }, async () => {
  const demo = await browser.visit();

  await demo.button('Store').click();
  await demo.page.getByRole('link', { name: 'In a worker' }).click();
  await demo.page.getByText(/ · opened in [\d.,]+ ms in a worker$/).waitFor();
  await demo.button('Load 3,201 movies').click();
  await demo.heading('Loaded 3,201 movies').waitFor();
  await demo.runFilter("Title eq 'Avatar'");
  await demo.page.getByText(/^1 entity · /).waitFor();

  expect(demo.page.workers()).toHaveLength(1);
});
