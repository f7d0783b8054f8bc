// figures.mjs - what the report shows, in which order, and what was aimed at.

import { BASELINE } from '../engines.mjs';

/**
 * `isMore`: more is better.  `ratio`: how many times better than the baseline Entitable
 * has to be; `most`: what it may be at most, in the unit of the figure.  `scanned`: the
 * aim holds for that many entities only.
 */
export const FIGURES = [
  { name: 'perSecond', what: 'bulk load, entities/s', isMore: true, ratio: 20 },
  { name: 'insertMs', what: 'one durable insert, median ms', ratio: 1 / 1.1 },
  { name: 'insertP99Ms', what: 'the same, the slowest of a hundred, ms' },
  { name: 'insertsMs', what: '1,000 inserts issued at once, ms', ratio: 15 },
  { name: 'batchMs', what: 'atomic batch of 100, ms', ratio: 8 },
  { name: 'mergeMs', what: 'merge-update of 100 random entities, ms', ratio: 10 },
  { name: 'pointUs', what: 'point read, warm, µs', most: 5 },
  { name: 'pointAtOnceUs', what: 'the same, 100 issued at once, µs each' },
  { name: 'rangeUs', what: 'range of 100 in a partition, µs', most: 100 },
  { name: 'filterMs', what: 'filter, 5 % returned, ms', most: 6, scanned: 100_000 },
  { name: 'countMs', what: 'the same, count only, ms', most: 0.3, scanned: 100_000 },
  { name: 'countMs', what: 'the same, count only, ms', most: 4, scanned: 1_000_000 },
  { name: 'firstReadMs', what: 'new page to first point read, ms', most: 20 },
];

/** In megabytes, over an empty page. */
export const MEMORY_FIGURES = [
  { name: 'pageMB', what: 'page, as the browser measures it' },
  { name: 'wasmMB', what: 'WebAssembly memory in a worker' },
  { name: 'rendererMB', what: 'process of the page' },
  { name: 'browserMB', what: 'process of the browser' },
];

/** With a page cache of 32 MiB, in a new page. */
export const SMALL_CACHE_FIGURES = [
  { name: 'smallFirstReadMs', what: 'new page to first point read, ms' },
  { name: 'smallPartitionMs', what: 'query of a whole partition (N / 100), ms' },
  { name: 'smallPointUs', what: 'random point reads, µs each' },
  { name: 'smallMemoryMB', what: 'the process of the page then, over an empty one, MB' },
];

/** Undefined where nothing was measured. */
export function median(list) {
  if (!list?.length) return undefined;
  const sorted = [...list].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** How many times better than the baseline: the median of what it was in each round. */
export function ratio({ name, isMore }, engine, engines) {
  const [ours, theirs] = [engines[engine]?.[name], engines[BASELINE]?.[name]];
  if (!ours || ours.length !== theirs?.length) return undefined;
  return median(ours.map((one, i) => (isMore ? one / theirs[i] : theirs[i] / one)));
}

/** True if it is met; undefined where there is no aim or no figure. */
export function isMet(figure, engine, engines) {
  const value = median(engines[engine]?.[figure.name]);
  if (value === undefined) return undefined;
  if (figure.ratio) return ratio(figure, engine, engines) >= figure.ratio;
  return figure.most === undefined ? undefined : value <= figure.most;
}

export function aimText({ ratio: times, most }) {
  if (times) return times < 1 ? `≤ ${1 / times} × IDB` : `≥ ${times} × IDB`;
  return most === undefined ? '' : `≤ ${most}`;
}

/** Three digits, or all before the point. */
export function numberText(value) {
  if (value === undefined) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value === 0 ? '0' : String(Number(value.toPrecision(3)));
}
