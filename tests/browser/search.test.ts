import { describe, expect, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { MOVIES } from './support/data.js';
import { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { gridRow, header, importCsv, isLoaded, scrollToShare } from './support/grid.js';

const browser = useBrowser();

const NOTES = [
  'RowKey,Text,Owner',
  '1,Buy milk and bread,ann',
  '2,Bake bread. Bread needs yeast.,bob',
  '3,Crème brûlée for Ada,ann',
];

async function visitNotes(options = {}): Promise<DemoPage> {
  const demo = await browser.visit(options);
  await importCsv(demo, 'Notes.csv', NOTES);
  await demo.button('Search for words').click();
  return demo;
}

const words = ({ page }: DemoPage) => page.getByRole('searchbox', { name: 'Words' });

async function search(demo: DemoPage, text: string): Promise<void> {
  await words(demo).fill(text);
  await words(demo).press('Enter');
}

const sees = (demo: DemoPage) => eventually(() => demo.column('RowKey'));

describe('a search for words', () => {
  it('shows the best results first, in the property with most text', async () => {
    const demo = await visitNotes();

    await search(demo, 'bread');
    await sees(demo).toEqual(['2', '1']);
    await demo.page.getByText(/^2 entities, best first · [\d.]+ ms$/).waitFor();
    await search(demo, 'creme bru*');
    await sees(demo).toEqual(['3']);
    await search(demo, 'milk ada');
    await demo.page.getByText('No entity has these words in Text.').waitFor();
    await demo.page.getByLabel('Texts with').selectOption('any of the words');
    await sees(demo).toEqual(['1', '3']);
    await demo.page.getByLabel('In the property').selectOption('Owner');
    await demo.page.getByText('No entity has these words in Owner.').waitFor();
    await search(demo, 'ann');
    await sees(demo).toEqual(['1', '3']);
  });

  it('ends with its words, and when it is closed', async () => {
    const demo = await visitNotes();

    await search(demo, 'yeast');
    await sees(demo).toEqual(['2']);
    await words(demo).fill('');
    await sees(demo).toEqual(['1', '2', '3']);
    await search(demo, 'yeast');
    await sees(demo).toEqual(['2']);
    await demo.button('Search for words').click();
    await sees(demo).toEqual(['1', '2', '3']);
  });

  it('is combined with the filter', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();
    await demo.button('Search for words').click();
    const titles = (least: number) =>
      MOVIES.filter((movie) => (movie['IMDB Rating'] ?? 0) >= least)
        .map(({ Title }) => String(Title))
        .filter((title) => /\bstar\b/i.test(title))
        .sort();

    await search(demo, 'star');
    await eventually(async () => (await demo.column('Title')).sort()).toEqual(
      MOVIES.map(({ Title }) => String(Title))
        .filter((title) => /\bstar\b/i.test(title))
        .sort(),
    );
    expect(titles(7).length).toBeGreaterThan(1);
    await demo.runFilter('ImdbRating ge 7.0');
    await eventually(async () => (await demo.column('Title')).sort()).toEqual(titles(7));
  });

  it('is shown as code', async () => {
    const demo = await visitNotes();
    const code = demo.page.locator('#code');

    await search(demo, 'bread');
    await demo.choose('The same in your code');
    await eventually(() => code.innerText()).toContain(
      `await table.search('Text', "bread", { top: 1000 });`,
    );
    await demo.page.getByLabel('Texts with').selectOption('any of the words');
    await demo.runFilter("Owner eq 'ann'");
    await eventually(() => code.innerText()).toContain(
      `{ top: 1000, match: 'any', filter: "Owner eq 'ann'" }`,
    );
    await demo.button('curl').click();
    expect(await code.innerText()).toContain('# The service cannot search for words.');
    await demo.choose('How the entities were found');
    await demo.page.getByText(/^The search has compared words: /).waitFor();
  });

  it('has errors at their places', async () => {
    const demo = await visitNotes();
    const error = async () => {
      const id = await words(demo).getAttribute('aria-describedby');
      return id === null ? '' : demo.page.locator(`#${id}`).innerText();
    };

    await search(demo, Array.from({ length: 33 }, (_, at) => `w${at}`).join(' '));
    await eventually(error).toMatch(/^InvalidInput /);
    expect(await demo.filter.getAttribute('aria-invalid')).toBeNull();

    await words(demo).fill('bread');
    await demo.runFilter('Owner eq');
    await demo.page.locator('#filter-error').filter({ hasText: 'position 8' }).waitFor();
    expect(await error()).toBe('');
    await demo.runFilter('');
    await sees(demo).toEqual(['2', '1']);
    expect(await demo.filter.getAttribute('aria-invalid')).toBeNull();
  });

  it('has its own order', async () => {
    const demo = await visitNotes();
    await demo.button('Owner').click();
    await eventually(() => header(demo, 'Owner').getAttribute('aria-sort')).toBe('ascending');

    await search(demo, 'bread');
    await sees(demo).toEqual(['2', '1']);
    expect(await header(demo, 'Owner').getAttribute('aria-sort')).toBe('none');
    await demo.button('Text').click();
    await demo.page.getByRole('alert').filter({ hasText: 'the best results first' }).waitFor();
    await sees(demo).toEqual(['2', '1']);
  });

  it('deletes what it has found, and nothing else', async () => {
    const demo = await visitNotes();

    await search(demo, 'bread');
    await sees(demo).toEqual(['2', '1']);
    await demo.page.getByLabel('Select all that match').check();
    await demo.button('Delete all that match').click();
    await demo.heading('Delete 2 entities?').waitFor();
    await demo.dialog.getByRole('button', { name: 'Delete' }).click();
    await demo.page.getByText('No entity has these words in Text.').waitFor();
    await words(demo).fill('');
    await sees(demo).toEqual(['3']);
  });

  it('shows a text of another tab at its place', async () => {
    const demo = await visitNotes();
    await search(demo, 'bread');
    await sees(demo).toEqual(['2', '1']);

    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url().replace(/\?.*/, ''));
    await other.button('Edit 3').click();
    await other.setProperty('Text', 'bread');
    await other.button('Save').click();
    await sees(demo).toEqual(['3', '2', '1']);
  });

  it('reads more rows when they come into sight', async () => {
    const demo = await browser.visit();
    const lines = Array.from({ length: 1200 }, (_, at) => `r${at},tea`);
    await importCsv(demo, 'Teas.csv', ['RowKey,Text', ...lines]);
    await demo.button('Search for words').click();

    await search(demo, 'tea');
    await demo.page.getByText(/^1,000 entities, best first/).waitFor();
    for (const share of [0.5, 1]) {
      await scrollToShare(demo, share);
      await isLoaded(demo);
    }
    await gridRow(demo, 999)
      .getByRole('button', { name: /^Edit r/ })
      .waitFor();
  });

  it('forgets its words with the table', async () => {
    const demo = await visitNotes();
    await search(demo, 'yeast');
    await sees(demo).toEqual(['2']);

    await importCsv(demo, 'Pets.csv', ['RowKey,Race', '1,dog', '2,cat']);
    await sees(demo).toEqual(['1', '2']);
    expect(await words(demo).inputValue()).toBe('');
    expect(await demo.page.getByLabel('In the property').inputValue()).toBe('Race');
  });

  it.each([1280, 360])('passes the rules of axe, %d px wide', async (width) => {
    const demo = await visitNotes({ viewport: { width, height: 760 } });
    await search(demo, Array.from({ length: 33 }, (_, at) => `w${at}`).join(' '));
    await demo.page.getByText(/^No answer/).waitFor();
    await isAccessible(demo.page);
  });
});
