import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { chooseFile } from './support/files.js';
import { visitForm } from './support/form-page.js';

const browser = useBrowser();

describe.each([
  { colorScheme: 'light', width: 1280 },
  { colorScheme: 'light', width: 360 },
  { colorScheme: 'dark', width: 1280 },
  { colorScheme: 'dark', width: 360 },
] as const)('in $colorScheme, $width px wide', ({ colorScheme, width }) => {
  const visit = () => browser.visit({ colorScheme, viewport: { width, height: 760 } });

  it('the page passes the rules of axe, and does not scroll sideways', async () => {
    const demo = await visit();
    await demo.heading('The Azure Table service runs inside this page.').waitFor();
    await isAccessible(demo.page);

    await demo.button('Load 3,201 movies').click();
    await demo.heading('Loaded 3,201 movies').waitFor();
    await demo.table('Movies', '3,201').waitFor();
    await demo.results.waitFor();
    await isAccessible(demo.page);

    await demo.runFilter('UsGross gt');
    await demo.page.getByRole('alert').filter({ hasText: 'InvalidInput' }).waitFor();
    await isAccessible(demo.page);
  });

  it('its dialogs do, too', async () => {
    const demo = await visit();
    await demo.loadMovies();

    await demo
      .button(/^Edit /)
      .first()
      .click();
    await demo.dialog.waitFor();
    await isAccessible(demo.page);

    await demo.button('Delete').click();
    await demo.heading('Delete this entity?').waitFor();
    await isAccessible(demo.page);
    await demo.button('Keep it').click();

    await demo.fillProperty(0, 'not legal', 'Int64', 'many');
    await demo.button('Save').click();
    await demo.dialog.getByRole('alert').filter({ hasText: 'PropertyNameInvalid' }).waitFor();
    await isAccessible(demo.page);
  });

  it('the preview of a file does, too', async () => {
    const demo = await visit();
    await chooseFile(demo, {
      name: 'dogs.csv',
      text: 'RowKey,Age,Born\nrex,7,2017-03-01\na/b,8,\n',
    });
    await demo.dialog.getByText('1 of 2 rows cannot be stored.').waitFor();
    await isAccessible(demo.page);
  });

  it('suggestions for a filter, and its code do, too', async () => {
    const demo = await visit();
    await demo.loadMovies();
    await demo.page.getByText('The same in your code').click();
    await demo.filter.pressSequentially('UsGross ');
    await demo.page.getByRole('option', { name: 'gt greater', exact: true }).waitFor();
    await demo.page.keyboard.press('ArrowDown');
    await isAccessible(demo.page);
  });

  it('a chart does, too', async () => {
    const demo = await visit();
    await demo.loadMovies();
    await demo.button('Chart').click();
    await demo.page.getByRole('img', { name: / by / }).waitFor();
    await demo.page.getByText('The figures as a table').click();
    await isAccessible(demo.page);
  });

  it('a form with mistakes does, too', async () => {
    const form = await visitForm(browser, { colorScheme, viewport: { width, height: 760 } });
    await isAccessible(form.page);

    await form.button('Fill in mistakes').click();
    await form.summary.waitFor();
    await isAccessible(form.page);
  });

  it('a filled form and its list do, too', async () => {
    const form = await visitForm(browser, { colorScheme, viewport: { width, height: 760 } });
    await form.button('Fill in an example').click();
    await form.page.getByText('Ready to store').waitFor();
    await form.field('Name').focus();
    await isAccessible(form.page);

    await form.button('Register the pet').click();
    await form.button('Delete bella').waitFor();
    await isAccessible(form.page);
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
