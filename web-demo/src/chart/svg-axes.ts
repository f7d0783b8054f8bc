/**
 * The axes of an SVG: their ends, and the values that have a label.
 *
 * @module
 */

import { displayNumber } from '../display.js';
import type { Figures } from './figures.js';
import type { Point } from './points.js';
import { roundWidth } from './round-width.js';

export interface Axis {
  readonly from: number;
  readonly to: number;
  readonly ticks: readonly Tick[];
}

export interface Tick {
  readonly value: number;
  readonly label: string;
}

// About so many lines.
const TICKS = 6;

// As many as have room below the picture: turned ones, and others.
const MOST_TURNED = 40;
const MOST_LABELS = 12;

/** A bar begins at zero. */
export function yAxisOf({ kind, points }: Figures): Axis {
  const values = points.flatMap(({ y }) => y ?? []);
  return roundAxis(kind === 'points' ? values : [0, ...values]);
}

export function xAxisOf({ kind, points }: Figures): Axis {
  const xs = points.map(({ x }) => x);
  const [first = 0, last = 0] = [xs[0], xs.at(-1)];
  const labelled = (most: number) => everyOf(points, most).map(labelOf);
  switch (kind) {
    case 'bars':
      return { from: -0.6, to: points.length - 0.4, ticks: labelled(MOST_TURNED) };
    case 'histogram': {
      // The last range ends one width after its beginning.
      const edges = [...xs, last + rangeWidth(points)];
      const ticks = everyOf(edges, MOST_LABELS).map((value) => tickOf(value));
      return { from: first, to: edges.at(-1)!, ticks };
    }
    case 'times': {
      const margin = (last - first) * 0.02 || 1;
      return { from: first - margin, to: last + margin, ticks: labelled(MOST_LABELS) };
    }
    case 'points':
      return roundAxis(xs);
  }
}

/** The width of each range of a histogram. */
export function rangeWidth(points: readonly Point[]): number {
  return points.length > 1 ? points[1]!.x - points[0]!.x : 1;
}

/** With round numbers at its ends. */
function roundAxis(values: readonly number[]): Axis {
  const low = values.reduce((a, b) => Math.min(a, b), values[0] ?? 0);
  const high = values.reduce((a, b) => Math.max(a, b), low);
  const width = roundWidth((high - low) / TICKS, false);
  const first = Math.floor(low / width);
  const count = Math.max(1, Math.ceil(high / width) - first);
  // A multiple, so that no rounding error adds up.
  const edge = (at: number) => Number(((first + at) * width).toPrecision(15));
  const ticks = Array.from({ length: count + 1 }, (_, at) => tickOf(edge(at)));
  return { from: edge(0), to: edge(count), ticks };
}

const tickOf = (value: number): Tick => ({ value, label: displayNumber(value) });
const labelOf = ({ x, label }: Point): Tick => ({ value: x, label });

function everyOf<T>(all: readonly T[], most: number): T[] {
  const every = Math.ceil(all.length / most);
  return all.filter((_, at) => at % every === 0);
}
