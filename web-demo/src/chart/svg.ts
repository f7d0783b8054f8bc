/**
 * Writes figures as an SVG, which any size suits and any editor of pictures opens. It is loaded
 * when the first one is saved.
 *
 * @module
 */

import { shortened } from '../display.js';
import { makeSvg } from '../ui/dom.js';
import type { Figures } from './figures.js';
import { xAxisOf, yAxisOf, type Axis, type Tick } from './svg-axes.js';
import { marksOf, textNode, type Plane } from './svg-marks.js';

/** In pixels, whatever the size of the screen is. */
const WIDTH = 960;
const HEIGHT = 480;
const TOP = 56;
const RIGHT = 24;
const BOTTOM = 64;
const LETTER_WIDTH = 7;

// Turned labels take this share of their length as height.
const TURNED_HEIGHT = 0.7;

// Longer texts have no room.
const MAX_LABEL = 18;
const MAX_TITLE = 120;

/** What the picture takes from the page. */
export interface SvgStyle {
  readonly font: string;
  readonly surface: string;
  readonly text: string;
  readonly muted: string;
  readonly line: string;
  readonly accent: string;
}

export function svgOf(figures: Figures, style: SvgStyle): string {
  const x = withShortLabels(xAxisOf(figures));
  const y = yAxisOf(figures);
  const across = longest(x.ticks) * x.ticks.length * LETTER_WIDTH;
  const isTurned = across > WIDTH - RIGHT - leftOf(y);
  const plane = planeOf(x, y, isTurned);
  const root = makeSvg(
    'svg',
    {
      ...{ viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, role: 'img' },
      ...{ 'font-family': style.font, 'font-size': 12, fill: style.muted },
    },
    makeSvg('title', {}, textNode(figures.title)),
    makeSvg('rect', { width: WIDTH, height: HEIGHT, fill: style.surface }),
    heading(figures, style),
    ...yLines(y, plane, style),
    ...xLabels(x, plane, isTurned),
    ...axisTitles(figures, plane),
    makeSvg('g', { fill: style.accent, stroke: 'none' }, ...marksOf(figures, plane, style.accent)),
  );
  return new XMLSerializer().serializeToString(root);
}

function withShortLabels({ ticks, ...ends }: Axis): Axis {
  const label = (tick: Tick) => ({ ...tick, label: shortened(tick.label, MAX_LABEL) });
  return { ...ends, ticks: ticks.map(label) };
}

function planeOf(x: Axis, y: Axis, isTurned: boolean): Plane {
  const below = isTurned ? longest(x.ticks) * LETTER_WIDTH * TURNED_HEIGHT : 0;
  // Half of the last label may be beside the plane.
  const beside = isTurned ? 0 : ((x.ticks.at(-1)?.label.length ?? 0) * LETTER_WIDTH) / 2;
  const [left, right] = [leftOf(y), WIDTH - RIGHT - beside];
  const [top, bottom] = [TOP, HEIGHT - BOTTOM - below];
  const share = ({ from, to }: Axis, value: number) => (value - from) / (to - from || 1);
  return {
    ...{ left, right, top, bottom },
    x: (value) => rounded(left + share(x, value) * (right - left)),
    y: (value) => rounded(bottom - share(y, value) * (bottom - top)),
  };
}

const leftOf = (y: Axis) => 48 + longest(y.ticks) * LETTER_WIDTH;

const longest = (ticks: readonly Tick[]) => Math.max(0, ...ticks.map(({ label }) => label.length));

function heading({ title, note }: Figures, { text }: SvgStyle): Node {
  const words = shortened([title, note].filter(Boolean).join(' · '), MAX_TITLE);
  const place = { x: 16, y: 30, fill: text, 'font-size': 15, 'font-weight': 600 };
  return makeSvg('text', place, textNode(words));
}

function yLines({ ticks }: Axis, { left, right, y }: Plane, { line }: SvgStyle): Node[] {
  return ticks.flatMap(({ value, label }) => {
    const at = y(value);
    return [
      makeSvg('path', { d: `M${left} ${at}H${right}`, stroke: line }),
      makeSvg('text', { x: left - 8, y: at + 4, 'text-anchor': 'end' }, textNode(label)),
    ];
  });
}

function xLabels({ ticks }: Axis, { x, bottom }: Plane, isTurned: boolean): Node[] {
  return ticks.map(({ value, label }) => {
    const [at, under] = [x(value), bottom + 20];
    const place: Record<string, string> = isTurned
      ? { 'text-anchor': 'end', transform: `rotate(-40 ${at} ${under})` }
      : { 'text-anchor': 'middle' };
    return makeSvg('text', { x: at, y: under, ...place }, textNode(label));
  });
}

function axisTitles({ xTitle, yTitle }: Figures, { left, right, top, bottom }: Plane): Node[] {
  const look = { 'text-anchor': 'middle', 'font-weight': 600 };
  const middle = (top + bottom) / 2;
  const turned = { x: 20, y: middle, transform: `rotate(-90 20 ${middle})` };
  return [
    makeSvg('text', { x: (left + right) / 2, y: HEIGHT - 14, ...look }, textNode(xTitle)),
    makeSvg('text', { ...turned, ...look }, textNode(yTitle)),
  ];
}

const rounded = (pixels: number) => Math.round(pixels * 100) / 100;
