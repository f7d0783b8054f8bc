/**
 * How wide texts are, and where cells are.
 *
 * @module
 */

/** In pixels: what texts need on average. */
const LEAST = 7.8;

/**
 * In pixels. Digits are wider than most letters in some fonts, and all of them have one width.
 *
 * @param element - whose font it is.
 */
export function characterWidth(element: Element): number {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.font = getComputedStyle(element).font;
  return Math.max(LEAST, context.measureText('0').width);
}

/**
 * Scrolls sideways to a cell.
 *
 * @param covered - a cell of the sticky column, which may cover others.
 */
export function bringIntoSight(region: HTMLElement, cell: HTMLElement, covered: HTMLElement): void {
  const { scrollLeft, clientWidth } = region;
  const start = covered.offsetLeft <= scrollLeft ? covered.offsetWidth : 0;
  if (cell.offsetLeft < scrollLeft + start) region.scrollLeft = cell.offsetLeft - start;
  const over = cell.offsetLeft + cell.offsetWidth - scrollLeft - clientWidth;
  if (over > 0) region.scrollLeft += Math.min(over, cell.offsetLeft - scrollLeft - start);
}
