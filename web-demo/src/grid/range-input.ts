/**
 * Selects cells with the mouse. It is loaded with the first press of its button.
 *
 * @module
 */

import type { Grid } from './grid.js';
import type { Place } from './grid-keys.js';
import { placeOf } from './range-moves.js';

// Between two rows, while the pointer is above or below the grid.
const STEP_MS = 40;

/** Selects the cells from one on, until the button of the mouse is up. */
export function followDrag(grid: Grid, start: Place): void {
  const { canvas } = grid;
  const end = new AbortController();
  let beyond = 0;
  const timer = setInterval(() => {
    const { row, column } = grid.current;
    if (beyond !== 0) grid.extendTo({ row: row + beyond, column });
  }, STEP_MS);
  const follow = (event: MouseEvent) => {
    if (event.buttons === 0) return end.abort();
    beyond = sideOf(grid, event);
    const place = placeOf(grid, event.composedPath()[0] as Element);
    if (!place || beyond !== 0) return;
    const isStart = place.row === start.row && place.column === start.column;
    if (isStart && !grid.hasRange) return;
    // What the browser has marked until now.
    getSelection()?.removeAllRanges();
    canvas.classList.add('selecting');
    grid.beginRange(start);
    grid.extendTo(place);
  };
  addEventListener('mousemove', follow, { signal: end.signal });
  addEventListener('mouseup', () => end.abort(), { signal: end.signal });
  end.signal.addEventListener('abort', () => {
    clearInterval(timer);
    canvas.classList.remove('selecting');
  });
}

// -1 above the rows, 1 below them, once a range is begun.
function sideOf({ canvas, head, hasRange }: Grid, { clientY }: MouseEvent): -1 | 0 | 1 {
  if (!hasRange) return 0;
  const { bottom } = canvas.parentElement!.getBoundingClientRect();
  if (clientY > bottom) return 1;
  return clientY < head.element.getBoundingClientRect().bottom ? -1 : 0;
}
