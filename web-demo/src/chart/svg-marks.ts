/**
 * The marks of an SVG: bars, a line, or points. Each says its figure when the pointer rests on it.
 *
 * @module
 */

import { makeSvg } from '../ui/dom.js';
import type { Figures } from './figures.js';
import type { Point } from './points.js';
import { rangeWidth } from './svg-axes.js';

// Wider bars look like areas.
const MOST_BAR_WIDTH = 64;

const GAP = 1;

/** Where the marks are, in pixels. */
export interface Plane {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  x(value: number): number;
  y(value: number): number;
}

type Drawn = Point & { readonly y: number };

export function marksOf({ kind, points }: Figures, plane: Plane, colour: string): Node[] {
  const drawn = points.filter((point): point is Drawn => point.y !== null);
  switch (kind) {
    case 'bars': {
      const width = Math.min(MOST_BAR_WIDTH, 0.7 * (plane.x(1) - plane.x(0)));
      return drawn.map((point) => bar(point, plane, plane.x(point.x) - width / 2, width));
    }
    case 'histogram': {
      const width = plane.x(rangeWidth(points)) - plane.x(0) - GAP;
      return drawn.map((point) => bar(point, plane, plane.x(point.x), width));
    }
    case 'times': {
      const d = lineOf(points, plane);
      const stroke = { stroke: colour, 'stroke-width': 2, 'stroke-linecap': 'round' };
      return [makeSvg('path', { d, fill: 'none', ...stroke })];
    }
    case 'points':
      return drawn.map((point) =>
        makeSvg('circle', { cx: plane.x(point.x), cy: plane.y(point.y), r: 2.5 }, tip(point)),
      );
  }
}

function bar(point: Drawn, { y }: Plane, x: number, width: number): Node {
  const [top, bottom] = [y(Math.max(point.y, 0)), y(Math.min(point.y, 0))];
  const size = { width: Math.max(width, GAP), height: bottom - top };
  return makeSvg('rect', { x, y: top, ...size }, tip(point));
}

// A figure without a value interrupts the line. One between two gaps is a dot.
function lineOf(points: readonly Point[], plane: Plane): string {
  let isDown = false;
  return points
    .map(({ x, y }) => {
      const step = y === null ? '' : `${isDown ? 'L' : 'M'}${plane.x(x)} ${plane.y(y)}h0`;
      isDown = y !== null;
      return step;
    })
    .join('');
}

function tip({ label, text }: Point): Node {
  return makeSvg('title', {}, textNode(`${label}: ${text}`));
}

/** XML has no control characters, but a value may. */
export function textNode(text: string): Text {
  return document.createTextNode(text.replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, '\ufffd'));
}
