/**
 * Draws figures with uPlot. It is loaded with the first chart. uPlot styles elements by scripts
 * only, which a strict content security policy allows, and draws on a canvas, which can be saved.
 *
 * @module
 */

import uPlot from 'uplot';
import styles from 'uplot/dist/uPlot.min.css?raw';

import { displayNumber, shortened } from '../display.js';
import { adoptStyles } from '../explorer/styles.js';
import type { Figures } from './figures.js';
import type { SvgStyle } from './svg.js';

/** In CSS pixels. */
const HEIGHT = 300;
const Y_AXIS_WIDTH = 76;
const Y_AXIS_REST = 24;
const DIGIT_WIDTH = 7;
const LETTER_WIDTH = 8;
const LINE_HEIGHT = 16;

// Longer labels have no room under a bar.
const MAX_LABEL = 18;

/** Draws figures into an element, and again if its width or the colours change. */
export class Plot {
  readonly #place: HTMLElement;
  #figures: Figures | undefined;
  #chart: uPlot | undefined;

  constructor(place: HTMLElement) {
    adoptStyles(styles);
    this.#place = place;
    new ResizeObserver(() => this.#resize()).observe(place);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    scheme.addEventListener('change', () => this.#draw());
  }

  show(figures: Figures | undefined): void {
    this.#figures = figures;
    this.#draw();
  }

  /** The chart as a PNG, with the colours of the page. */
  async image(): Promise<Blob> {
    const { canvas } = this.#chart!.ctx;
    const copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext('2d')!;
    context.fillStyle = colour(this.#place, '--surface');
    context.fillRect(0, 0, copy.width, copy.height);
    context.drawImage(canvas, 0, 0);
    return new Promise((resolve, reject) =>
      copy.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The image is too large.')))),
    );
  }

  /** The font and the colours of the page, for a chart that is drawn elsewhere. */
  get style(): SvgStyle {
    const of = (name: string) => colour(this.#place, `--${name}`);
    return {
      font: getComputedStyle(this.#place).fontFamily,
      ...{ surface: of('surface'), text: of('text'), muted: of('muted') },
      ...{ line: of('line'), accent: of('accent') },
    };
  }

  #draw(): void {
    this.#chart?.destroy();
    this.#chart = undefined;
    const figures = this.#figures;
    if (!figures) return;
    const xs = figures.points.map(({ x }) => x);
    const ys = figures.points.map(({ y }) => y);
    this.#chart = new uPlot(optionsOf(figures, this.#place), [xs, ys], this.#place);
  }

  #resize(): void {
    // The labels depend on the width, too.
    const { clientWidth } = this.#place;
    if (this.#chart && clientWidth > 0 && clientWidth !== this.#chart.width) this.#draw();
  }
}

function optionsOf(figures: Figures, place: HTMLElement): uPlot.Options {
  const { kind, points, xTitle, yTitle } = figures;
  const isTime = kind === 'times';
  return {
    ...{ width: place.clientWidth, height: HEIGHT, tzDate: inUtc },
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: isTime, range: (_, low, high) => xRange(figures, low, high) },
      y: { range: (_, low, high) => yRange(kind, low, high) },
    },
    axes: [
      {
        ...axis(place, xTitle),
        ...(kind === 'bars' && barLabels(points, place.clientWidth - Y_AXIS_WIDTH)),
      },
      {
        ...axis(place, yTitle),
        size: (_, labels) => yAxisWidth(labels),
        values: (_, ticks) => ticks.map(displayNumber),
      },
    ],
    series: [{}, seriesOf(kind, colour(place, '--accent'))],
  };
}

// Before there are labels, they are taken to be short.
function yAxisWidth(labels: string[] | null): number {
  const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
  return Math.max(Y_AXIS_WIDTH, Y_AXIS_REST + longest * DIGIT_WIDTH);
}

// A bar begins at zero.
function yRange(kind: Figures['kind'], low: number, high: number): [number, number] {
  const [from, to] = kind === 'points' ? [low, high] : [Math.min(low, 0), Math.max(high, 0)];
  return uPlot.rangeNum(from, to, PADDING) as [number, number];
}

const PADDING: uPlot.Range.Config = {
  min: { pad: 0.05, soft: 0, mode: 2 },
  max: { pad: 0.05, soft: 0, mode: 2 },
};

const inUtc = (seconds: number) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC');

function xRange({ kind, points }: Figures, low: number, high: number): [number, number] {
  if (kind === 'bars') return [-0.6, Math.max(points.length, 1) - 0.4];
  const width = points.length > 1 ? points[1]!.x - points[0]!.x : 1;
  // The last range ends one width after its beginning.
  if (kind === 'histogram') return [low, high + width];
  const margin = (high - low) * 0.02 || 1;
  return [low - margin, high + margin];
}

function axis(place: HTMLElement, label: string): uPlot.Axis {
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  const line = { stroke: colour(place, '--line'), width: 1 };
  return {
    ...{ label, font, labelFont: `600 ${font}`, stroke: colour(place, '--muted') },
    ...{ grid: line, ticks: line },
  };
}

// A label for each bar, or for some if there is no room; turned, if they are long.
function barLabels(points: Figures['points'], width: number): uPlot.Axis {
  const longest = Math.max(...points.map(({ label }) => shortened(label, MAX_LABEL).length));
  const isTurned = longest * points.length * LETTER_WIDTH > width;
  const every = Math.ceil((points.length * LINE_HEIGHT) / width);
  const shown = points.filter((_, at) => at % every === 0);
  return {
    splits: () => shown.map(({ x }) => x),
    values: () => shown.map(({ label }) => shortened(label, MAX_LABEL)),
    grid: { show: false },
    ...(isTurned && { rotate: -50, size: 36 + longest * 5 }),
  };
}

function seriesOf(kind: Figures['kind'], stroke: string): uPlot.Series {
  const { bars } = uPlot.paths;
  switch (kind) {
    case 'bars':
      return { fill: stroke, paths: bars!({ size: [0.7, 64] }), points: { show: false } };
    case 'histogram':
      return {
        fill: stroke,
        paths: bars!({ size: [1], align: 1, gap: 1 }),
        points: { show: false },
      };
    case 'times':
      return { stroke, width: 2, spanGaps: false };
    case 'points':
      return { paths: () => null, points: { show: true, size: 5, fill: stroke, stroke } };
  }
}

function colour(place: HTMLElement, name: string): string {
  return getComputedStyle(place).getPropertyValue(name);
}
