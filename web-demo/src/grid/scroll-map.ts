/**
 * Maps positions of a scrolled element to rows. An element cannot be as high as all rows: the limit
 * is 33 million pixels in Chromium and WebKit, and 17.9 in Firefox. A screen that has three pixels
 * in each direction for one of CSS divides them by three.
 *
 * Up to {@link MAX_HEIGHT}, a pixel of the element is a pixel of the rows. Beyond it, a small step
 * still moves the rows by as many pixels, so a wheel feels the same. A large one, as of the scroll
 * bar, goes to the row in proportion.
 *
 * @module
 */

// In pixels.
const MAX_HEIGHT = 8_000_000;

export class ScrollMap {
  /** In pixels. */
  readonly rowHeight: number;
  #rows = 0;
  // The height of the place for rows, in pixels.
  #view = 0;
  // The first visible pixel of all rows, and of the element.
  #position = 0;
  #scrolled = 0;

  constructor(rowHeight: number) {
    this.rowHeight = rowHeight;
  }

  /** The height of the element that scrolls, in pixels. */
  get height(): number {
    return Math.min(this.#fullHeight, MAX_HEIGHT);
  }

  get position(): number {
    return this.#position;
  }

  /** The rows in sight, whole or in part. There may be less rows than that. */
  get visible(): { first: number; last: number } {
    return {
      first: Math.floor(this.#position / this.rowHeight),
      last: Math.ceil((this.#position + this.#view) / this.rowHeight) - 1,
    };
  }

  /** How many whole rows are in sight. */
  get pageRows(): number {
    return Math.max(1, Math.floor(this.#view / this.rowHeight));
  }

  resize(rows: number, view: number): void {
    this.#rows = rows;
    this.#view = view;
    this.#position = this.#inRange(this.#position);
  }

  /** The top of a row in the element, in pixels. */
  topOf(row: number): number {
    return row * this.rowHeight - this.#position + this.#scrolled;
  }

  /** The position that brings a row into sight, with the least movement. */
  positionFor(row: number): number {
    const top = row * this.rowHeight;
    return Math.min(Math.max(this.#position, top + this.rowHeight - this.#view), top);
  }

  /**
   * The element has scrolled to `scrolled`.
   *
   * @returns where to scroll it instead, if it is at its end, but the rows are not.
   */
  follow(scrolled: number): number {
    const step = scrolled - this.#scrolled;
    const isLarge = Math.abs(step) > this.#view;
    const wanted = isLarge && this.#ratio > 1 ? scrolled * this.#ratio : this.#position + step;
    this.#position = this.#ratio === 1 ? scrolled : this.#inRange(wanted);
    this.#scrolled = scrolled;
    return this.#isOutOfStep ? this.#place : scrolled;
  }

  /** Moves the rows. Returns where to scroll the element. */
  moveTo(position: number): number {
    this.#position = this.#inRange(position);
    return this.#place;
  }

  /** Says where the element is now. A browser may round what it is asked for. */
  settle(scrolled: number): void {
    this.#scrolled = scrolled;
    if (this.#ratio === 1) this.#position = scrolled;
  }

  get #fullHeight(): number {
    return this.#rows * this.rowHeight;
  }

  get #greatest(): number {
    return Math.max(0, this.#fullHeight - this.#view);
  }

  /** Pixels of the rows for each pixel of the element. */
  get #ratio(): number {
    return this.#fullHeight > MAX_HEIGHT ? this.#greatest / (MAX_HEIGHT - this.#view) : 1;
  }

  get #place(): number {
    return this.#position / this.#ratio;
  }

  get #isOutOfStep(): boolean {
    const isAtEnd = (at: number, greatest: number) => at <= 0 || at >= greatest;
    return (
      this.#ratio > 1 &&
      isAtEnd(this.#scrolled, MAX_HEIGHT - this.#view) !== isAtEnd(this.#position, this.#greatest)
    );
  }

  #inRange(position: number): number {
    return Math.min(Math.max(position, 0), this.#greatest);
  }
}
