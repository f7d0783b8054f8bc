import { readFileSync } from 'node:fs';

import type * as Axe from 'axe-core';
import { describe, expect, it } from 'vitest';

import { useBrowser } from './support/browser.js';
import type { DemoPage } from './support/demo-page.js';

declare const axe: typeof Axe;

const AXE = readFileSync('node_modules/axe-core/axe.min.js', 'utf8');

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
    await check(demo);

    await demo.button('Load 3,201 movies').click();
    await demo.heading('Loaded 3,201 movies').waitFor();
    await demo.table('Movies', '3,201').waitFor();
    await demo.results.waitFor();
    await check(demo);

    await demo.runFilter('UsGross gt');
    await demo.page.getByRole('alert').filter({ hasText: 'InvalidInput' }).waitFor();
    await check(demo);
  });

  it('its dialogs do, too', async () => {
    const demo = await visit();
    await demo.loadMovies();

    await demo
      .button(/^Edit /)
      .first()
      .click();
    await demo.dialog.waitFor();
    await check(demo);

    await demo.button('Delete').click();
    await demo.heading('Delete this entity?').waitFor();
    await check(demo);
    await demo.button('Keep it').click();

    await demo.fillProperty(0, 'not legal', 'Int64', 'many');
    await demo.button('Save').click();
    await demo.dialog.getByRole('alert').filter({ hasText: 'PropertyNameInvalid' }).waitFor();
    await check(demo);
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

async function check({ page }: DemoPage): Promise<void> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run());
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
  expect(found).toEqual([]);

  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
}
