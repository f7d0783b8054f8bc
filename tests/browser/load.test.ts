import { describe, expect, it } from 'vitest';

import { useBrowser, visitIn } from './support/browser.js';
import { grouped, MOVIES } from './support/data.js';
import { saveInPieces, textOf } from './support/files.js';

const browser = useBrowser();

describe('loading', () => {
  it('loads every movie with its types, into the partition of its genre', async () => {
    const demo = await browser.visit();
    const seen = await demo.page.evaluateHandle(watchHighlights);

    await demo.button('Load 3,201 movies').click();
    await demo.heading('Loaded 3,201 movies').waitFor();
    await demo.page.getByText(/^in [\d.]+ s · [\d,]+ entities\/s$/).waitFor();
    await demo.table('Movies', grouped(MOVIES.length)).waitFor();
    await demo.page.getByText(/^3,201 entities · /).waitFor();
    // No other tab has written them.
    expect(await seen.jsonValue()).toEqual({ highlights: 0 });

    await demo.runFilter("Title eq 'Avatar'");
    await demo.page.getByText(/^1 entity · /).waitFor();
    const { columns, rows } = await demo.grid();
    expect(rows).toMatchObject([
      {
        PartitionKey: 'Action',
        Title: 'Avatar',
        ReleaseDate: '2009-12-18',
        Director: 'James Cameron',
        ImdbRating: '8.3',
        UsGross: '760,167,650',
        WorldwideGross: '2,767,891,499',
        IsProfitable: 'true',
      },
    ]);
    expect(columns).toEqual(
      expect.arrayContaining([
        'PartitionKey String',
        'Title String',
        'ReleaseDate DateTime',
        'ImdbRating Double',
        'ImdbVotes Int32',
        'UsGross Int64',
        'IsProfitable Boolean',
      ]),
    );
  });

  it('lists the partitions, and shows the entities of one', async () => {
    const demo = await browser.visitMovies();
    const genres = MOVIES.map((movie) => movie['Major Genre'] ?? 'Unclassified');

    const list = demo.page.getByRole('list', { name: 'Partitions' });
    await list.getByRole('button', { name: 'Western' }).waitFor();
    expect(await list.getByRole('button').allInnerTexts()).toEqual(
      [...new Set(genres)].map((genre) => genre.replace('/', ' & ')).sort(),
    );

    await list.getByRole('button', { name: 'Concert & Performance' }).click();
    await demo.page.getByText(/^5 entities · /).waitFor();
    expect(await demo.filter.inputValue()).toBe("PartitionKey eq 'Concert & Performance'");
    expect(await demo.column('PartitionKey')).toEqual(Array(5).fill('Concert & Performance'));
  });

  it('shows that the data cannot be fetched, and can be repeated', async () => {
    const demo = await browser.visit();
    await demo.page.route('**/movies*.json', (route) => route.fulfill({ body: 'no data' }), {
      times: 1,
    });

    await demo.button('Load 3,201 movies').click();
    await demo.page
      .getByRole('alert')
      .filter({ hasText: /not valid JSON/ })
      .waitFor();
    await demo.loadMovies();
    expect(await demo.page.getByRole('alert').count()).toBe(0);
  });

  it('shows that the storage is full, and keeps the loaded entities', async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      // Enough for the table and the first movies, but not for all.
      let room = 4;
      const add = IDBObjectStore.prototype.add;
      IDBObjectStore.prototype.add = function (...args) {
        if (room-- > 0) return add.apply(this, args);
        throw new DOMException('No room.', 'QuotaExceededError');
      };
    });
    const demo = await visitIn(context);

    await demo.button('Load 3,201 movies').click();
    const alert = demo.page.getByRole('alert').filter({ hasText: 'StorageQuotaExceeded' });
    await alert.waitFor();
    expect(await alert.innerText()).toContain('QuotaExceededError: No room.');
    await demo.runFilter("Title eq 'The Land Girls'");
    await demo.page.getByText(/^1 entity · /).waitFor();
  });

  it('that a reload has interrupted is named, once', async () => {
    const demo = await browser.visit();
    const interrupted = demo.heading('Loading 3,201 movies was interrupted');
    await demo.page.route('**/movies*.json', () => {});

    await demo.button('Load 3,201 movies').click();
    await demo.heading('Loading 3,201 movies').waitFor();
    await demo.page.reload();
    await interrupted.waitFor();
    await demo.button('Dismiss').click();
    await interrupted.waitFor({ state: 'hidden' });
    await demo.page.unroute('**/movies*.json');
    await demo.loadMovies();

    await demo.page.reload();
    await demo.table('Movies', '3,201').waitFor();
    expect(await interrupted.isVisible()).toBe(false);
  });

  it('leaves the page usable, and keeps the loaded entities when it is cancelled', async () => {
    const context = await browser.newContext();
    // The load gives way again and again. Here it waits each time, and so takes many seconds.
    await context.addInitScript(() => {
      const post = MessagePort.prototype.postMessage;
      MessagePort.prototype.postMessage = function (...args: unknown[]) {
        const figures = document.getElementById('load-figures')?.textContent ?? '';
        const wait = / of 200,000 /.test(figures) ? 20 : 0;
        setTimeout(() => Reflect.apply(post, this, args), wait);
      };
    });
    const demo = await visitIn(context);
    await demo.loadMovies();

    await demo.button('Load 200,000 flights').click();
    await demo.page.getByText(/^[1-9][\d,]* of 200,000 · [\d,]+ entities\/s$/).waitFor();
    await demo.page.getByRole('link', { name: /^Movies/ }).click();
    await demo.runFilter("Title eq 'Titanic'");
    await demo.page.getByText(/^1 entity · /).waitFor();
    expect(await demo.heading('Loading 200,000 flights').isVisible()).toBe(true);

    await demo.button('Cancel').click();
    const stopped = demo.heading(/^Stopped after [\d,]+ flights$/);
    await stopped.waitFor();
    const loaded = (await stopped.innerText()).match(/[\d,]+/)![0];
    expect(Number(loaded.replaceAll(',', ''))).toBeLessThan(200_000);
    await demo.table('Flights', loaded).click();
    await demo.heading('Flights').waitFor();
    await demo.runFilter('DelayMinutes ge 0 and DistanceMiles gt 0');
    await demo.page.getByText(/^[1-9][\d,]* entities · /).waitFor();
  });
});

describe('a download', () => {
  it('is every entity of the table, as lines of JSON', async () => {
    const demo = await browser.visitMovies();

    const downloading = demo.page.waitForEvent('download');
    await saveInPieces(demo.page);
    await demo.button('Export').click();
    await demo.dialog.getByRole('button', { name: 'Export' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('Movies.jsonl');
    const lines = (await textOf(download)).trim().split('\n');
    const entities = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(entities.map(({ Title }) => Title).sort()).toEqual(
      MOVIES.map(({ Title }) => String(Title ?? 'Untitled')).sort(),
    );
    expect(entities.find(({ Title }) => Title === 'Avatar')).toMatchObject({
      PartitionKey: 'Action',
      'UsGross@odata.type': 'Edm.Int64',
      UsGross: '760167650',
    });
  });
});

/** Counts the rows that look as if another tab had written them. */
function watchHighlights(): { highlights: number } {
  const seen = { highlights: 0 };
  new MutationObserver((records) => {
    for (const { target } of records) {
      if ((target as Element).matches('.grid-row.changed')) seen.highlights++;
    }
  }).observe(document.body, { subtree: true, attributeFilter: ['class'] });
  return seen;
}
