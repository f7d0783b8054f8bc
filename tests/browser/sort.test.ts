import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { grouped, MOVIES } from './support/data.js';
import { DemoPage, hasFocus } from './support/demo-page.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

const GROSSES = MOVIES.map((movie) => movie['US Gross'])
  .filter((gross) => gross !== null)
  .sort((a, b) => b - a);

describe('the name of a column', () => {
  it('sorts all entities by it, then the other way round, then by their keys again', async () => {
    const demo = await browser.visitMovies();
    const byKeys = await demo.column('RowKey');
    const head = demo.button('UsGross');
    const sorting = () => demo.page.getByRole('columnheader', { name: /^UsGross/ });

    await head.click();
    // An entity without the property comes first.
    await eventually(() => sorting().getAttribute('aria-sort')).toBe('ascending');
    expect(new Set(await demo.column('UsGross'))).not.toContain(grouped(GROSSES[0]!));

    await head.click();
    await seesFirst(demo, GROSSES.map(grouped));
    expect(await sorting().getAttribute('aria-sort')).toBe('descending');
    expect(await hasFocus(head)).toBe(true);

    await head.click();
    await eventually(() => demo.column('RowKey')).toEqual(byKeys);
    expect(await sorting().getAttribute('aria-sort')).toBe('none');
  });

  it('keeps the filter, and is shown as code', async () => {
    const demo = await browser.visitMovies();

    await demo.runFilter('ImdbRating ge 9.0');
    await demo.page.getByText(/^\d+ entities · /).waitFor();
    await demo.button('Title').click();
    const titles = MOVIES.filter((movie) => (movie['IMDB Rating'] ?? 0) >= 9).map(({ Title }) =>
      String(Title),
    );
    await eventually(() => demo.column('Title')).toEqual(titles.sort());
    await demo.choose('The same in your code');
    const call = 'table.listEntities({ filter: "ImdbRating ge 9.0", orderBy: ["Title"] });';
    await demo.page.getByText(call).waitFor();
  });

  it('shows an entity of another tab at its place in the order', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();
    await demo.button('UsGross').click();
    await demo.button('UsGross').click();
    await seesFirst(demo, GROSSES.map(grouped));

    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());
    await other.button('Add an entity').click();
    await other.dialog.getByLabel('RowKey').fill('first');
    await other.fillProperty(0, 'UsGross', 'Int64', '9000000000');
    await other.button('Add').click();
    await eventually(async () => (await demo.column('UsGross'))[0]).toBe('9,000,000,000');
  });
});

/** The grid shows these values of UsGross, as far as it has room for them. */
async function seesFirst(demo: DemoPage, values: readonly string[]): Promise<void> {
  await eventually(async () => (await demo.column('UsGross'))[0]).toBe(values[0]);
  const shown = await demo.column('UsGross');
  expect(shown.length).toBeGreaterThan(10);
  expect(shown).toEqual(values.slice(0, shown.length));
}
