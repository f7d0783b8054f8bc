/**
 * The points of a chart.
 *
 * @module
 */

import { displayNumber } from '../display.js';

export interface Point {
  /** The group, or the beginning of the range; of a time, seconds since 1970. */
  readonly x: number;
  readonly label: string;
  /** Null, if there is nothing to calculate it from. */
  readonly y: number | null;
  /** With all its digits. */
  readonly text: string;
}

/** Points, and what is left out. */
export interface Points {
  readonly points: readonly Point[];
  readonly note?: string;
}

/** A value of an aggregate as a point shows it. */
export function valueOf(value: unknown): Pick<Point, 'y' | 'text'> {
  if (value === null || value === undefined) return { y: null, text: '–' };
  const number = Number(value);
  return { y: Number.isFinite(number) ? number : null, text: displayNumber(value as number) };
}
