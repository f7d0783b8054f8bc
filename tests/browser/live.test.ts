import { describe, expect, it } from 'vitest';

import { useBrowser, visitIn } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';

const browser = useBrowser();

describe('two tabs', () => {
  it('show and highlight the writes of the other one', async () => {
    const [one, other] = await twoTabs();

    await addNote(other, 'new', 'from the other tab');

    const row = one.page.getByRole('row', { name: /from the other tab/ });
    await row.waitFor();
    expect(await row.getAttribute('class')).toContain('changed');
    expect(await one.column('RowKey')).toEqual(['new']);

    await one.button('Edit new').click();
    await one.fillProperty(0, 'Note', 'String', 'and back');
    await one.button('Save').click();
    await other.page.getByRole('row', { name: /and back/ }).waitFor();

    await other.button('Edit new').click();
    await other.button('Delete').click();
    await other.heading('Delete this entity?').waitFor();
    await other.page
      .getByRole('dialog')
      .filter({ hasText: 'Delete this entity?' })
      .getByRole('button', { name: 'Delete', exact: true })
      .click();
    await one.page.getByText('No entity matches.').waitFor();
  });

  it('do not move the rows that the user reads', async () => {
    const [one, other] = await twoTabs();
    await one.runFilter('');
    await one.page.getByText(/^3,201 entities · /).waitFor();
    const opener = one.page
      .getByRole('grid')
      .getByRole('button', { name: /^Edit / })
      .nth(9);
    await opener.focus();
    const name = await opener.getAttribute('aria-label');
    const before = await opener.boundingBox();

    await addNote(other, 'a', 'above', '!');
    await one.page.getByRole('row', { name: /above/ }).waitFor({ state: 'attached' });

    const same = one.page.locator(':focus');
    expect(await same.getAttribute('aria-label')).toBe(name);
    expect((await same.boundingBox())!.y).toBeCloseTo(before!.y, 0);
  });
});

/** Both have the movies, and show an empty partition. */
async function twoTabs(): Promise<[DemoPage, DemoPage]> {
  const context = await browser.newContext();
  const one = await visitIn(context);
  await one.loadMovies();
  const other = await visitIn(context);
  await other.table('Movies', '3,201').waitFor();
  for (const demo of [one, other]) {
    await demo.runFilter("PartitionKey eq 'Mine'");
    await demo.page.getByText('No entity matches.').waitFor();
  }
  return [one, other];
}

async function addNote(demo: DemoPage, rowKey: string, note: string, partition = 'Mine') {
  await demo.button('Add an entity').click();
  await demo.dialog.getByLabel('PartitionKey').fill(partition);
  await demo.dialog.getByLabel('RowKey').fill(rowKey);
  await demo.fillProperty(0, 'Note', 'String', note);
  await demo.button('Add').click();
  await demo.dialog.waitFor({ state: 'hidden' });
}
