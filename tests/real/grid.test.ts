// The grid of the explorer in each browser: rows beyond the greatest height of an element.

import { describe, expect, it } from 'vitest';

import { ENGINES } from './support/engines.js';
import { openWithKeyboard } from './support/keyboard.js';
import { openSite } from './support/site.js';

// 12.4 million pixels, of which the element has 8 million.
const ROWS = 400_000;

describe.each(ENGINES)('a grid in %s', (engine) => {
  it('scrolls to its middle and its end, and moves with the keyboard', async () => {
    const site = await openSite();
    const keyboard = await openWithKeyboard(engine, site.url('tab'));
    const tab = await site.actor('tab');
    await tab.call('showGrid', ROWS);
    const sees = () => expect.poll(() => tab.call('rowsInSight'), { timeout: 30_000 });
    await sees().toMatchObject({ first: 0, focused: 0 });

    await tab.call('scrollGrid', 1);
    await sees().toMatchObject({ last: ROWS - 1, focused: 0 });
    await tab.call('scrollGrid', 0.5);
    await sees().toMatchObject({ first: expect.closeTo(ROWS / 2, -2) as number, focused: 0 });

    // The keyboard comes back to the row with the focus.
    await keyboard.press('ArrowDown');
    await sees().toMatchObject({ first: 1, focused: 1 });
    await keyboard.press('PageDown');
    await sees().toMatchObject({ focused: 12 });
    await keyboard.press('End');
    await keyboard.press('ArrowDown');
    await sees().toMatchObject({ focused: 13 });
  });
});
