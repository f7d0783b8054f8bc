// axe.ts - the rules of axe, and the width of the page.

import { readFileSync } from 'node:fs';

import type * as Axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare const axe: typeof Axe;

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

/** The page breaks no rule of axe, and does not scroll sideways. */
export async function isAccessible(page: Page): Promise<void> {
  if (await page.evaluate(() => typeof axe === 'undefined')) await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    // Only what is printed below: the rest is a third of the work.
    axe.run({ resultTypes: ['violations'], selectors: false }),
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  expect(found).toEqual([]);

  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
}
