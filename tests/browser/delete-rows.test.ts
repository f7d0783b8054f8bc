import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { MOVIES } from './support/data.js';
import { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { gridRow, importCsv, isLoaded, scrollToShare } from './support/grid.js';

const browser = useBrowser();

const confirmText = (demo: DemoPage) => demo.page.locator('#confirm-text');
const confirm = (demo: DemoPage) => demo.page.locator('#confirm-yes').click();

async function visitRows(count: number): Promise<DemoPage> {
  const demo = await browser.visit();
  const lines = Array.from(
    { length: count },
    (_, row) => `r${String(row).padStart(6, '0')},${row}`,
  );
  await importCsv(demo, 'rows.csv', ['RowKey,Number', ...lines]);
  return demo;
}

const select = (demo: DemoPage, row: number) =>
  demo.page.getByRole('checkbox', { name: `Select r${String(row).padStart(6, '0')}` });

/** The numbers of the first rows. */
const numbers = async (demo: DemoPage) => (await demo.column('Number')).slice(0, 4);

describe('selected rows', () => {
  it('are deleted after a question that says how many, and brought back', async () => {
    const demo = await visitRows(500);

    await select(demo, 1).click();
    await select(demo, 3).click({ modifiers: ['Shift'] });
    await select(demo, 0).click();
    await select(demo, 2).click();
    await demo.button('Delete 3').click();
    await demo.heading('Delete 3 entities?').waitFor();
    expect(await confirmText(demo).innerText()).toContain('You can undo it');
    await demo.button('Keep it').click();
    expect(await numbers(demo)).toEqual(['0', '1', '2', '3']);

    await demo.button('Delete 3').click();
    await confirm(demo);
    await demo.table('Rows', '497').waitFor();
    await eventually(() => numbers(demo)).toEqual(['2', '4', '5', '6']);
    await demo.page.getByText('3 entities were deleted.').first().waitFor();
    expect(await demo.button(/^Delete (\d|all)/).count()).toBe(0);

    await demo.button('Undo').click();
    await demo.table('Rows', '500').waitFor();
    await eventually(() => numbers(demo)).toEqual(['0', '1', '2', '3']);
    expect((await demo.grid()).columns).toContain('Number Int32');
  });

  it('are chosen with the keyboard', async () => {
    const demo = await visitRows(500);
    const { keyboard } = demo.page;

    await demo.button('Edit r000002').focus();
    await keyboard.press('Control+Space');
    await demo.button('Delete 1').waitFor();
    // In the column of the checkboxes, rows are selected instead of cells.
    await keyboard.press('ArrowLeft');
    await keyboard.press('ArrowLeft');
    await keyboard.press('Shift+ArrowDown');
    await keyboard.press('Shift+ArrowDown');
    await demo.button('Delete 3').waitFor();
    await keyboard.press('Control+End');
    await keyboard.press('Shift+Space');
    await demo.button('Delete 498').waitFor();
    await keyboard.press('Escape');
    await demo.button('Delete 498').waitFor({ state: 'hidden' });
    await keyboard.press('Control+Home');
    await keyboard.press('Control+Space');
    await keyboard.press('Delete');
    await demo.heading('Delete 1 entity?').waitFor();
    await confirm(demo);
    await demo.table('Rows', '499').waitFor();
    await eventually(() => numbers(demo)).toEqual(['1', '2', '3', '4']);
    // The focus is in the grid again.
    await eventually(() =>
      demo.page.evaluate(() => document.activeElement?.closest('[role=grid]') !== null),
    ).toBe(true);
  });

  it('stay selected while they are out of sight, and may be far from one another', async () => {
    const demo = await visitRows(2000);
    await select(demo, 5).click();
    await scrollToShare(demo, 1);
    await gridRow(demo, 1999).waitFor();
    await isLoaded(demo);
    await select(demo, 1999).click({ modifiers: ['Shift'] });
    await demo.button('Delete 1,995').waitFor();
    await scrollToShare(demo, 0);
    await isLoaded(demo);
    expect(await select(demo, 4).isChecked()).toBe(false);
    expect(await select(demo, 5).isChecked()).toBe(true);
  });

  it('may be all that match the filter, but for one', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();
    const musicals = MOVIES.filter((movie) => movie['Major Genre'] === 'Musical').length;
    const others = String((MOVIES.length - musicals).toLocaleString('en'));
    await demo.runFilter("PartitionKey eq 'Musical'");
    await demo.page.getByText(new RegExp(`^${musicals} entities · `)).waitFor();

    await demo.page.getByRole('checkbox', { name: 'Select all that match' }).check();
    await demo.button('Delete all that match').click();
    await demo.heading(`Delete ${musicals} entities?`).waitFor();
    expect(await confirmText(demo).innerText()).toContain('all entities that match the filter');
    await confirm(demo);
    await demo.table('Movies', others).waitFor();
    await demo.page.getByText('No entity matches.').waitFor();
    await demo.button('Undo').click();
    await demo.table('Movies', '3,201').waitFor();
    await demo.page.getByText(new RegExp(`^${musicals} entities · `)).waitFor();

    await demo.page.getByRole('checkbox', { name: 'Select all that match' }).check();
    await demo.page
      .getByRole('checkbox', { name: /^Select \d/ })
      .first()
      .uncheck();
    await demo.button(`Delete ${musicals - 1}`).waitFor();
  });

  it('stay if somebody changes them meanwhile', async () => {
    const demo = await visitRows(20);
    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());
    await select(demo, 0).click();
    await select(demo, 1).click();
    await demo.button('Delete 2').click();
    await confirm(demo);
    await demo.table('Rows', '18').waitFor();

    // An undo leaves alone what exists again.
    await other.button('Add an entity').click();
    await other.dialog.getByLabel('PartitionKey').fill('rows');
    await other.dialog.getByLabel('RowKey').fill('r000000');
    await other.button('Add').click();
    await other.dialog.waitFor({ state: 'hidden' });
    await demo.page.getByText(/^19 entities · /).waitFor();
    await demo.button('Undo').click();
    const alert = demo.page
      .getByRole('alert')
      .filter({ hasText: 'Somebody else has changed the entity r000000' });
    await alert.waitFor();
    await demo.page.getByText(/^20 entities · /).waitFor();
    expect(await numbers(demo)).toEqual(['', '1', '2', '3']);
  });

  it(
    'beyond 10,000 are deleted for good, with a progress that can be cancelled',
    { timeout: 90_000 },
    async () => {
      const demo = await visitRows(12_000);

      await demo.page.getByRole('checkbox', { name: 'Select all that match' }).check();
      await demo.button('Delete all that match').click();
      await demo.heading('Delete 12,000 entities?').waitFor();
      expect(await confirmText(demo).innerText()).toContain(
        'It cannot be undone, because there are more than 10,000.',
      );
      // Cancels it as soon as it has begun.
      await demo.page.evaluate(() => {
        const stop = document.getElementById('load-stop')!;
        new MutationObserver((_, observer) => {
          if (stop.textContent !== 'Cancel') return;
          observer.disconnect();
          stop.click();
        }).observe(document.getElementById('load')!, { attributes: true });
      });
      await confirm(demo);
      const stopped = demo.heading(/^Stopped after [\d,]+ entities$/);
      await stopped.waitFor();
      const deleted = Number((await stopped.innerText()).replace(/\D/g, ''));
      expect(deleted).toBeLessThan(12_000);
      await demo.table('Rows', (12_000 - deleted).toLocaleString('en')).waitFor();
      expect(await demo.button('Undo').isVisible()).toBe(false);
      await demo.button('Dismiss').click();

      await demo.page.getByRole('checkbox', { name: 'Select all that match' }).check();
      await demo.button('Delete all that match').click();
      await confirm(demo);
      await demo.heading(/^Deleted [\d,]+ entities$/).waitFor();
      await demo.page.getByText('No entity matches.').waitFor();
      await demo.table('Rows', '0').waitFor();
    },
  );
});
