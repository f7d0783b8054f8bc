// turns.ts - counts turns of the event loop.

import { vi } from 'vitest';

import { inNextTurn } from '../../../js/src/base/next-turn.js';

/**
 * Every look at the clock finds that a slice is used up, or that these milliseconds have passed.
 * Returns what sets the clock right.
 */
export function endSlicesAtOnce(ms = 10): () => void {
  let now = performance.now();
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += ms));
  return () => clock.mockRestore();
}

/**
 * How many turns others have while the work goes on, if every slice is used up at once, or after
 * some looks at the clock.
 */
export async function turnsDuring(work: () => Promise<unknown>, ms?: number): Promise<number> {
  const restoreClock = endSlicesAtOnce(ms);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) inNextTurn(count);
  };
  inNextTurn(count);
  try {
    await work();
    return turns;
  } finally {
    isOver = true;
    restoreClock();
  }
}
