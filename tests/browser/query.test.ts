import { spawnSync } from 'node:child_process';

import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import { grouped, MOVIES } from './support/data.js';
import { eventually } from './support/form-page.js';

const browser = useBrowser();

describe('the filter', () => {
  it('shows the matching entities, their number, and the time', async () => {
    const demo = await browser.visitMovies();
    const expected = MOVIES.filter((movie) => (movie['US Gross'] ?? 0) > 400_000_000);

    await demo.runFilter('UsGross gt 400000000L');
    await demo.page.getByText(new RegExp(`^${expected.length} entities · [\\d.]+ ms$`)).waitFor();

    const { rows } = await demo.grid();
    expect(rows.map(({ Title, UsGross }) => `${Title} ${UsGross}`).sort()).toEqual(
      expected.map((movie) => `${movie.Title} ${grouped(movie['US Gross']!)}`).sort(),
    );
  });

  it('is shown as code', async () => {
    const demo = await browser.visitMovies();

    await demo.runFilter('UsGross gt 400000000L');
    await demo.choose('The same in your code');
    await demo.page.getByText('table.listEntities({ filter: "UsGross gt 400000000L" });').waitFor();
  });

  it('is shown as code for the official client, and for curl', async () => {
    const demo = await browser.visitMovies();
    const code = demo.page.locator('#code');

    await demo.runFilter("Title eq 'Rock ''n'' Roll'");
    await demo.choose('The same in your code');
    await demo.button('@azure/data-tables').click();
    expect(await code.innerText()).toContain(
      `listEntities({ queryOptions: { filter: "Title eq 'Rock ''n'' Roll'" } });`,
    );
    await demo.button('curl').click();
    const command = await code.innerText();
    const { stdout } = spawnSync('sh', ['-c', command.replace('curl', `printf '%s\\n'`)], {
      encoding: 'utf8',
    });
    expect(stdout.split('\n')).toContain("$filter=Title eq 'Rock ''n'' Roll'");
  });

  it('is completed: names, operators and values', async () => {
    const demo = await browser.visitMovies();
    const { keyboard } = demo.page;
    const options = demo.page.getByRole('listbox').getByRole('option');
    const take = async (text: string) => {
      await eventually(async () => (await options.allInnerTexts()).length).toBeGreaterThan(0);
      const texts = await options.locator('code').allInnerTexts();
      for (let press = 0; press <= texts.indexOf(text); press++) await keyboard.press('ArrowDown');
      await keyboard.press('Enter');
    };

    await demo.filter.focus();
    await keyboard.type('usg');
    await take('UsGross');
    await take('gt');
    await keyboard.type('400000000L ');
    await take('and');
    await keyboard.type('Is');
    await take('IsProfitable');
    await take('eq');
    await take('true');
    expect(await demo.filter.inputValue()).toBe('UsGross gt 400000000L and IsProfitable eq true ');
    await keyboard.press('Escape');
    await options.first().waitFor({ state: 'hidden' });
    await keyboard.press('Enter');
    const expected = MOVIES.filter((movie) => (movie['US Gross'] ?? 0) > 400_000_000);
    await demo.page.getByText(new RegExp(`^${expected.length} entities · `)).waitFor();
  });

  it('suggests values with the literals of their types', async () => {
    const demo = await browser.visitMovies();
    const [title] = (await demo.column('Title')).filter((text) => /^\w+$/.test(text));

    await demo.filter.pressSequentially(`Title eq '${title!.slice(0, 3)}`);
    await demo.page.getByRole('option', { name: `'${title}'` }).click();
    expect(await demo.filter.inputValue()).toBe(`Title eq '${title}' `);
    await demo.filter.pressSequentially('and ReleaseDate ge d');
    const dates = await demo.page.getByRole('option').locator('code').allInnerTexts();
    expect(dates[0]).toMatch(/^datetime'\d{4}-\d\d-\d\dT00:00:00Z'$/);
  });

  it('suggests nothing but the rest of a text inside it', async () => {
    const demo = await browser.visitMovies();
    const [title] = (await demo.column('Title')).filter((text) => /^\w+ [\w ]+$/.test(text));
    const beginning = `Title eq '${title!.split(' ')[0]} `;

    await demo.filter.pressSequentially(beginning);
    const options = demo.page.getByRole('option').locator('code');
    const texts = await options.allInnerTexts();
    expect(texts).toContain(`'${title}'`);
    expect(texts.filter((text) => !text.startsWith("'"))).toEqual([]);
    await options.getByText(`'${title}'`, { exact: true }).click();
    expect(await demo.filter.inputValue()).toBe(`Title eq '${title}' `);
  });

  it('closes the suggestions when the caret leaves their place', async () => {
    const demo = await browser.visitMovies();
    const { keyboard } = demo.page;
    const options = demo.page.getByRole('option');

    for (const key of ['Home', 'ArrowLeft']) {
      await demo.filter.fill('UsGross g');
      await options.first().waitFor();
      await keyboard.press('ArrowDown');
      await keyboard.press(key);
      await options.first().waitFor({ state: 'hidden' });
    }
    // No suggestion was taken.
    expect(await demo.filter.inputValue()).toBe('UsGross g');
  });

  it('offers examples when it gets the focus', async () => {
    const demo = await browser.visitMovies();
    const expected = MOVIES.filter(
      (movie) => movie.Director === 'Stanley Kubrick' && (movie['IMDB Rating'] ?? 0) >= 8,
    );

    await demo.filter.click();
    const example = "Director eq 'Stanley Kubrick' and ImdbRating ge 8.0 example";
    await demo.page.getByRole('option', { name: example }).click();
    await demo.page.getByText(new RegExp(`^${expected.length} entities · `)).waitFor();

    expect((await demo.column('Title')).sort()).toEqual(
      expected.map(({ Title }) => String(Title)).sort(),
    );
  });

  it('offers examples where nothing matches', async () => {
    const demo = await browser.visitMovies();

    await demo.runFilter('UsGross gt 9000000000L');
    await demo.page.getByText('No entity matches.').waitFor();
    await demo.button("PartitionKey eq 'Western' and IsProfitable").click();
    await eventually(() => demo.column('PartitionKey')).toContain('Western');
  });

  it('keeps the rows of the query before when it is refused, and says what to write', async () => {
    const demo = await browser.visitMovies();
    const before = await demo.column('Title');

    await demo.runFilter("Title = 'Avatar'");
    const alert = demo.page.getByRole('alert').filter({ hasText: 'InvalidInput' });
    await alert.filter({ hasText: /In a filter, write eq instead of =\.$/ }).waitFor();
    // The message takes the room of some rows.
    expect((await demo.column('Title')).slice(0, 9)).toEqual(before.slice(0, 9));
    await demo.page.getByText('No answer. These are the rows of the query before.').waitFor();
  });

  it('shows the error of the service below it', async () => {
    const demo = await browser.visitMovies();

    await demo.runFilter('UsGross gt');
    const alert = demo.page.getByRole('alert').filter({ hasText: 'InvalidInput' });
    await alert.waitFor();
    expect(await alert.innerText()).toBe(
      `InvalidInput Syntax error at position 10 in 'UsGross gt'. Position 10 is the end of the filter. Table "Movies".`,
    );
    // The filter is repeated, and the place of the error marked: here, its end.
    expect(await demo.page.locator('#filter-place').innerText()).toMatch(/^UsGross gt\s$/);
    await demo.runFilter("Title eq 'a' und IsProfitable");
    await eventually(() => demo.page.locator('#filter-place mark').innerText()).toBe('und');
    await demo.runFilter('UsGross gt');
    await alert.filter({ hasText: 'position 10' }).waitFor();
    const [box, error] = await Promise.all([demo.filter.boundingBox(), alert.boundingBox()]);
    expect(error!.y).toBeGreaterThanOrEqual(box!.y + box!.height);

    await demo.runFilter('UsGross gt WorldwideGross');
    await demo.page.getByRole('alert').filter({ hasText: 'NotImplemented' }).waitFor();

    await demo.button('Clear').click();
    await demo.page.getByText(/^3,201 entities · /).waitFor();
    expect(await demo.page.getByRole('alert').count()).toBe(0);
  });
});
