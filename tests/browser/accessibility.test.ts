import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';

import { isWhole } from '../../scripts/test/tier.mjs';
import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { chooseFile } from './support/files.js';
import { visitForm } from './support/form-page.js';

const browser = useBrowser();

const PHONE = { width: 360, height: 760 };
const DESKTOP = { width: 1280, height: 760 };

// Each color scheme and each width once, or all pairs of them.
const LOOKS = [
  { colorScheme: 'dark', viewport: PHONE },
  ...(isWhole()
    ? ([
        { colorScheme: 'light', viewport: PHONE },
        { colorScheme: 'dark', viewport: DESKTOP },
      ] as const)
    : []),
  { colorScheme: 'light', viewport: DESKTOP },
] as const;

/** The page, as it is now, is accessible in both color schemes, on a phone and on a desktop. */
async function isAccessibleInAllLooks(page: Page): Promise<void> {
  for (const { colorScheme, viewport } of LOOKS) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize(viewport);
    // The page may draw other rows for the new size.
    await page.evaluate(() => new Promise(requestAnimationFrame));
    await isAccessible(page);
  }
}

// Axe looks at each of thousands of elements, twice or four times.
describe('axe finds nothing, and nothing scrolls sideways', { timeout: 120_000 }, () => {
  it('in the page', async () => {
    const demo = await browser.visit();
    await demo.heading('Open a table. Sort, chart and edit it.').waitFor();
    await isAccessibleInAllLooks(demo.page);

    await demo.button('Load 3,201 movies').click();
    await demo.heading('Loaded 3,201 movies').waitFor();
    await demo.table('Movies', '3,201').waitFor();
    await demo.results.waitFor();
    await isAccessibleInAllLooks(demo.page);

    await demo.runFilter('UsGross gt');
    await demo.page.getByRole('alert').filter({ hasText: 'InvalidInput' }).waitFor();
    await isAccessibleInAllLooks(demo.page);
  });

  it('in its dialogs', async () => {
    const demo = await browser.visitMovies();

    await demo
      .button(/^Edit /)
      .first()
      .click();
    await demo.dialog.waitFor();
    await isAccessibleInAllLooks(demo.page);

    await demo.button('Delete').click();
    await demo.heading('Delete this entity?').waitFor();
    await isAccessibleInAllLooks(demo.page);
    await demo.button('Keep it').click();

    await demo.fillProperty(0, 'not legal', 'Int64', 'many');
    await demo.button('Save').click();
    await demo.dialog.getByRole('alert').filter({ hasText: 'PropertyNameInvalid' }).waitFor();
    await isAccessibleInAllLooks(demo.page);
  });

  it('in the preview of a file', async () => {
    const demo = await browser.visit();
    await chooseFile(demo, {
      name: 'dogs.csv',
      text: 'RowKey,Age,Born\nrex,7,2017-03-01\na/b,8,\n',
    });
    await demo.dialog.getByText('1 of 2 rows; 1 is left out: ').waitFor();
    await isAccessibleInAllLooks(demo.page);
  });

  it('in suggestions for a filter, and its code', async () => {
    const demo = await browser.visitMovies();
    await demo.choose('The same in your code');
    await demo.filter.pressSequentially('UsGross ');
    await demo.page.getByRole('option', { name: 'gt greater', exact: true }).waitFor();
    await demo.page.keyboard.press('ArrowDown');
    await isAccessibleInAllLooks(demo.page);
  });

  it('in a chart', async () => {
    const demo = await browser.visitMovies();
    await demo.button('Chart').click();
    await demo.page.getByRole('img', { name: / by / }).waitFor();
    await demo.page.getByText('The figures as a table').click();
    await isAccessibleInAllLooks(demo.page);
  });

  it('in a form with mistakes', async () => {
    const form = await visitForm(browser);
    await isAccessibleInAllLooks(form.page);

    await form.button('Fill in mistakes').click();
    await form.summary.waitFor();
    await isAccessibleInAllLooks(form.page);
  });

  it('in a filled form and its list', async () => {
    const form = await visitForm(browser);
    await form.button('Fill in an example').click();
    await form.page.getByText('Ready to store').waitFor();
    await form.field('Name').focus();
    await isAccessibleInAllLooks(form.page);

    await form.button('Register the pet').click();
    await form.button('Delete bella').waitFor();
    await isAccessibleInAllLooks(form.page);
  });
});

it('the page moves nothing for users who prefer reduced motion', async () => {
  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    const demo = await browser.visit({ reducedMotion });
    const button = demo.button('Load 3,201 movies');
    const durations = await button.evaluate((it) => getComputedStyle(it).transitionDuration);

    expect(durations === '0s').toBe(reducedMotion === 'reduce');
  }
});
