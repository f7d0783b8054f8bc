import { describe, expect, inject, it } from 'vitest';

import { isAccessible } from './support/axe.js';
import { useBrowser } from './support/browser.js';
import { FLIGHTS, grouped } from './support/data.js';
import { DemoPage } from './support/demo-page.js';
import { eventually } from './support/form-page.js';
import { focusPlace, gridRow, header, importCsv, isLoaded, scrollToShare } from './support/grid.js';

const browser = useBrowser();

/** The numbers of the flights in the order of their keys: by the hour, then by the number. */
const FLIGHTS_BY_KEY = FLIGHTS.map((_, index) => index).sort(
  (a, b) => Math.floor(FLIGHTS[a]!.time) - Math.floor(FLIGHTS[b]!.time) || a - b,
);

const rowKeyOf = (row: number) => String(FLIGHTS_BY_KEY[row]! + 1).padStart(6, '0');

/** Rows in the document have the numbers and the entities that belong together. */
async function seesRightRows(demo: DemoPage): Promise<number[]> {
  await isLoaded(demo);
  const rows = await demo.page.locator('.grid-row').evaluateAll((all) =>
    all.map((row) => ({
      row: Number(row.ariaRowIndex) - 2,
      rowKey: row.querySelector('.row-key')!.textContent,
    })),
  );
  expect(rows.map(({ rowKey }) => rowKey)).toEqual(rows.map(({ row }) => rowKeyOf(row)));
  return rows.map(({ row }) => row);
}

async function loadFlights(demo: DemoPage): Promise<void> {
  await demo.button('Load 200,000 flights').click();
  await demo.heading('Loaded 200,000 flights').waitFor();
  await demo.button('Dismiss').click();
}

const seesFlights = (demo: DemoPage) => demo.page.getByText(/^200,000 entities · /).waitFor();

// To load them takes most of the time of a test, so some share them.
async function visitFlights(): Promise<DemoPage> {
  const demo = await browser.visitFilled(loadFlights);
  await seesFlights(demo);
  return demo;
}

// Higher rows, of which 200,000 are higher than an element may be.
const ON_A_PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function visitFlightsOnAPhone(): Promise<DemoPage> {
  const demo = await browser.visit(ON_A_PHONE);
  await loadFlights(demo);
  await seesFlights(demo);
  return demo;
}

it('200,000 flights are loaded into their table, by the hour', { timeout: 60_000 }, async () => {
  const demo = await visitFlights();
  await demo.table('Flights', '200,000').waitFor();
  const list = demo.page.getByRole('list', { name: 'Partitions' });
  const isOfHour = ({ time }: { time: number }) => Math.floor(time) === 23;
  const late = FLIGHTS.filter((flight) => isOfHour(flight) && flight.delay > 300);
  await list.getByRole('button', { name: 'hour-23' }).waitFor();
  await demo.runFilter("PartitionKey eq 'hour-23' and DelayMinutes gt 300");
  await demo.page.getByText(new RegExp(`^${late.length} entit(y|ies) · `)).waitFor();
  expect(await demo.column('DelayMinutes')).toEqual(late.map(({ delay }) => grouped(delay)));
});

describe('the grid', () => {
  it.each([
    { name: 'on a wide screen', visit: visitFlights },
    { name: 'on a phone', visit: visitFlightsOnAPhone },
  ])(
    'scrolls through 200,000 rows, of which it has few in the document, $name',
    { timeout: 90_000 },
    async ({ visit }) => {
      const demo = await visit();
      expect(await demo.page.getByRole('grid').getAttribute('aria-rowcount')).toBe('200001');

      expect(await seesRightRows(demo)).toContain(0);
      await scrollToShare(demo, 1);
      await gridRow(demo, 199_999).waitFor();
      expect(await seesRightRows(demo)).toContain(199_999);
      await scrollToShare(demo, 0.5);
      await eventually(async () => {
        const rows = await seesRightRows(demo);
        return rows.some((row) => Math.abs(row - 100_000) < 20);
      }).toBe(true);

      // A wheel moves the rows by its pixels, also where a pixel stands for more.
      await demo.page.locator('#grid').hover();
      const before = await firstInSight(demo);
      await demo.page.mouse.wheel(0, -310);
      await eventually(() => firstInSight(demo)).toBeLessThan(before);
      expect(before - (await firstInSight(demo))).toBeLessThan(15);
      await seesRightRows(demo);

      await scrollToShare(demo, 0);
      await gridRow(demo, 0).waitFor();
      await seesRightRows(demo);
      const count = await demo.page.locator('.grid-row').count();
      expect(count).toBeLessThan(80);
    },
  );

  it('jumps in results of a filter and of an order', { timeout: 60_000 }, async () => {
    const demo = await visitFlights();
    const late = FLIGHTS.map(({ delay }) => delay).filter((delay) => delay > 30);

    await demo.runFilter('DelayMinutes gt 30');
    await demo.page.getByText(new RegExp(`^${grouped(late.length)} entities · `)).waitFor();
    await scrollToShare(demo, 1);
    await gridRow(demo, late.length - 1).waitFor();
    await isLoaded(demo);
    const expected = FLIGHTS_BY_KEY.filter((index) => FLIGHTS[index]!.delay > 30).at(-1)!;
    expect((await demo.column('RowKey')).at(-1)).toBe(String(expected + 1).padStart(6, '0'));

    await demo.button('DelayMinutes').click();
    await eventually(() => header(demo, 'DelayMinutes').getAttribute('aria-sort')).toBe(
      'ascending',
    );
    late.sort((a, b) => a - b);
    await scrollToShare(demo, 0.5);
    await isLoaded(demo);
    const first = Number(
      await demo.page.locator('.grid-row').first().getAttribute('aria-rowindex'),
    );
    const shown = await demo.column('DelayMinutes');
    expect(first).toBeGreaterThan(1000);
    expect(shown).toEqual(late.slice(first - 2, first - 2 + shown.length).map(grouped));
  });

  it('shows each entity once while another tab writes above', { timeout: 60_000 }, async () => {
    const demo = await browser.visit();
    const lines = Array.from(
      { length: 3000 },
      (_, row) => `r${String(row).padStart(5, '0')},${row}`,
    );
    await importCsv(demo, 'rows.csv', ['RowKey,Number', ...lines]);
    await scrollToShare(demo, 0.5);
    await isLoaded(demo);
    const inMiddle = (await demo.column('RowKey'))[12]!;
    const y = await yOf(demo, inMiddle);

    const other = new DemoPage(await demo.page.context().newPage());
    await other.page.goto(demo.page.url());
    for (const key of ['a1', 'a2']) {
      await other.button('Add an entity').click();
      await other.dialog.getByLabel('PartitionKey').fill('a');
      await other.dialog.getByLabel('RowKey').fill(key);
      await other.button('Add').click();
      await other.dialog.waitFor({ state: 'hidden' });
    }
    await demo.page.getByText(/^3,002 entities · /).waitFor();
    await isLoaded(demo);
    const keys = await demo.column('RowKey');
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toEqual(keys.toSorted());
    // What the user reads stays where it is, and has another number.
    expect(await yOf(demo, inMiddle)).toBeCloseTo(y, 0);
    const row = demo.page.locator('.grid-row').filter({ hasText: inMiddle });
    expect(Number(await row.getAttribute('aria-rowindex'))).toBe(Number(inMiddle.slice(1)) + 4);
  });

  it('moves nothing that the user does not move', { timeout: 90_000 }, async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => {
      const found: number[] = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
          if (!entry.hadRecentInput) found.push(entry.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
      Object.assign(globalThis, { shifts: found });
    });
    const first = new DemoPage(await context.newPage());
    await first.page.goto(inject('pageUrl'));
    await first.loadMovies();

    const demo = new DemoPage(await context.newPage());
    await demo.page.goto(first.page.url());
    await demo.page.getByText(/^3,201 entities · /).waitFor();
    await demo.table('Movies', '3,201').waitFor();
    await demo.page.getByRole('list', { name: 'Partitions' }).getByText('Western').waitFor();
    for (const share of [0.3, 1, 0.5]) {
      await scrollToShare(demo, share);
      await isLoaded(demo);
    }
    await demo.page
      .getByRole('checkbox', { name: /^Select \d/ })
      .nth(12)
      .evaluate((box) => {
        (box as HTMLInputElement).click();
      });
    await demo.button('Delete 1').waitFor();
    const shifts = await demo.page.evaluate(() => (globalThis as { shifts?: number[] }).shifts!);
    expect(shifts.reduce((sum, shift) => sum + shift, 0)).toBeLessThan(0.01);
  });
});

interface LayoutShift {
  readonly value: number;
  readonly hadRecentInput: boolean;
}

/** The number of the first row that is in sight. */
function firstInSight(demo: DemoPage): Promise<number> {
  return demo.page.locator('#grid').evaluate((grid) => {
    const top = grid.querySelector('.grid-head')!.getBoundingClientRect().bottom;
    const rows = [...grid.querySelectorAll('.grid-row')];
    const inSight = rows.filter((row) => row.getBoundingClientRect().bottom > top + 1);
    return Math.min(...inSight.map((row) => Number(row.ariaRowIndex) - 2));
  });
}

async function yOf(demo: DemoPage, rowKey: string): Promise<number> {
  return (await demo.button(`Edit ${rowKey}`).boundingBox())!.y;
}

describe('the keyboard in the grid', () => {
  it('moves between cells, and a screen reader is told the row and the column', async () => {
    const demo = await browser.visit();
    await demo.loadMovies();
    const { keyboard } = demo.page;
    const sees = async (row: number, column: string) =>
      eventually(() => focusPlace(demo)).toEqual({ row, column });

    await demo.button('Add an entity').focus();
    await keyboard.press('Tab');
    await sees(0, 'RowKey');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowRight');
    await sees(1, 'Title');
    await keyboard.press('End');
    await sees(1, 'Timestamp');
    await keyboard.press('Home');
    await sees(1, 'select');
    await keyboard.press('PageDown');
    const { row } = (await focusPlace(demo))!;
    expect(row).toBeGreaterThan(8);
    await keyboard.press('PageUp');
    await sees(1, 'select');
    await keyboard.press('Control+End');
    await sees(3200, 'Timestamp');
    await isLoaded(demo);
    expect(await demo.page.evaluate(() => document.activeElement!.textContent)).toMatch(/^\d{4}-/);
    await keyboard.press('ArrowUp');
    await sees(3199, 'Timestamp');
    await keyboard.press('Control+Home');
    await sees(0, 'select');
    await keyboard.press('ArrowUp');
    await sees(-1, 'select');
    await keyboard.press('ArrowRight');
    await sees(-1, 'PartitionKey');

    // The focus stays in its row while that is out of sight, and Tab leaves the grid.
    await keyboard.press('ArrowDown');
    await scrollToShare(demo, 1);
    await isLoaded(demo);
    await sees(0, 'PartitionKey');
    await isAccessible(demo.page);
    await keyboard.press('Tab');
    await eventually(() => focusPlace(demo)).toBeUndefined();
    const cells = demo.page.locator('[role=grid] [tabindex="0"]');
    expect(await cells.count()).toBe(1);
  });
});
