// grid.ts - reads and operates the grid of the explorer.

import type { Locator } from 'playwright-core';

import type { DemoPage } from './demo-page.js';
import { chooseFile } from './files.js';
import { eventually } from './form-page.js';

/** Where the focus is: the row of the grid from 0, -1 in the header, and the name of the column. */
export interface FocusPlace {
  readonly row: number;
  readonly column: string;
}

/** A row of the grid, from 0, while it is in the document. */
export function gridRow(demo: DemoPage, row: number): Locator {
  return demo.page.locator(`[role=row][aria-rowindex="${row + 2}"]`);
}

/** The cell of a column in a row. */
export async function gridCell(demo: DemoPage, row: number, column: string): Promise<Locator> {
  const { columns } = await demo.grid();
  const at = columns.findIndex((text) => text.split(' ')[0] === column);
  return gridRow(demo, row)
    .locator('> *')
    .nth(at + 1);
}

/** The header of a column. */
export function header(demo: DemoPage, column: string): Locator {
  return demo.page.getByRole('columnheader', { name: new RegExp(`^${column}\\b`) });
}

export function focusPlace(demo: DemoPage): Promise<FocusPlace | undefined> {
  return demo.page.evaluate(() => {
    const cell = document.activeElement?.closest('[aria-colindex]');
    if (!cell) return undefined;
    const at = cell.getAttribute('aria-colindex');
    const head = document.querySelector(`[role=columnheader][aria-colindex="${at}"] button`);
    const row = Number(cell.closest('[role=row]')!.getAttribute('aria-rowindex')) - 2;
    return { row, column: head?.textContent ?? 'select' };
  });
}

/** Scrolls to a share of the height, from 0 to 1, and waits until the grid has followed. */
export async function scrollToShare(demo: DemoPage, share: number): Promise<void> {
  await demo.page.locator('#grid').evaluate(async (grid, to) => {
    grid.scrollTop = to * (grid.scrollHeight - grid.clientHeight);
    // The event comes before the next frame.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  }, share);
}

/** Waits until all rows in the document are loaded. */
export async function isLoaded(demo: DemoPage): Promise<void> {
  await eventually(() => demo.page.locator('.grid-row').count()).toBeGreaterThan(0);
  await eventually(() => demo.page.locator('.grid-row[aria-busy]').count()).toBe(0);
}

/** Imports a CSV as a table. */
export async function importCsv(demo: DemoPage, name: string, lines: string[]): Promise<void> {
  await chooseFile(demo, { name, text: lines.join('\n') });
  await demo.button(/^Import [\d,]+ rows?$/).click();
  await demo.heading(/^Loaded [\d,]+ rows?$/).waitFor();
  await demo.button('Dismiss').click();
  await isLoaded(demo);
}
