// figures.mjs - the figures of the report, in their order.

import { BASELINE } from '../engines.mjs';

/** `isMore`: more is better. `isAlone`: without a ratio, because no gap is shorter than a frame. */
export const FIGURES = [
  { name: 'perSecond', what: 'bulk load, entities/s', isMore: true },
  { name: 'insertMs', what: 'one durable insert, median ms' },
  { name: 'insertP99Ms', what: 'the same, the slowest of a hundred, ms' },
  { name: 'insertsMs', what: '1,000 inserts issued at once, ms' },
  { name: 'batchMs', what: 'atomic batch of 100, ms' },
  { name: 'mergeMs', what: 'merge-update of 100 random entities, ms' },
  { name: 'afterLoadUs', what: 'point read, right after the load, µs' },
  { name: 'pointUs', what: 'point read, warm, µs' },
  { name: 'pointAtOnceUs', what: 'the same, 100 issued at once, µs each' },
  { name: 'rangeUs', what: 'range of 100 in a partition, µs' },
  { name: 'firstRangesUs', what: 'the same, the first hundred in a new web page, µs each' },
  { name: 'filterMs', what: 'filter, 5 % returned, ms' },
  { name: 'countMs', what: 'the same, count only, ms' },
  { name: 'firstCountMs', what: 'the same, the first count in a new web page, ms' },
  { name: 'orderMs', what: 'the first 100 in an order of two properties, ms' },
  { name: 'extremesMs', what: 'count, least and greatest value of all entities, ms' },
  { name: 'totalMs', what: 'sum of all entities, ms' },
  { name: 'groupsMs', what: 'count and sum of all entities, in 50 groups, ms' },
  { name: 'indexMs', what: 'build two indexes of all entities, ms' },
  { name: 'lookupUs', what: 'point read by an indexed property, warm, µs' },
  { name: 'newestMs', what: 'the first 100 in the order of an index, ms' },
  { name: 'unindexedSearchMs', what: 'search for two words of a name, without an index, ms' },
  { name: 'wordsIndexMs', what: 'build an index of the words of all names, ms' },
  { name: 'searchUs', what: 'search for two words of a name, with that index, warm, µs' },
  { name: 'tripInsertMs', what: '5,000 rows with an array and an object, stored at once, ms' },
  { name: 'tripGetUs', what: 'one of them by its key, warm, µs' },
  { name: 'tripListMs', what: 'all of them in a list, ms' },
  { name: 'tripTagUs', what: 'those with an item of the array, about six, by an index, µs' },
  { name: 'tripUpdateMs', what: 'one more item in the array of one, durable, median ms' },
  { name: 'firstReadMs', what: 'new page to first point read, ms' },
  { name: 'loadGapMs', what: 'frame gap, bulk load, ms', isAlone: true },
  { name: 'readAllGapMs', what: 'frame gap, reading all entities, ms', isAlone: true },
  { name: 'countGapMs', what: 'frame gap, counting matches, ms', isAlone: true },
];

/** In megabytes, more than an empty page. */
export const MEMORY_FIGURES = [
  { name: 'pageMB', what: 'page, as the browser measures it' },
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

/** Undefined without a measurement, or if it failed. */
export function median(list) {
  if (!list?.length) return undefined;
  const sorted = [...list].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/**
 * How many times better than another engine: the median of the rounds. Undefined also for what took
 * less time than the clock shows.
 */
export function ratio({ name, isMore }, engine, engines, than = BASELINE) {
  const [ours, theirs] = [engines[engine]?.[name], engines[than]?.[name]];
  if (!ours?.length || ours.length !== theirs?.length) return undefined;
  const times = median(ours.map((one, i) => (isMore ? one / theirs[i] : theirs[i] / one)));
  return Number.isFinite(times) ? times : undefined;
}

/** Three digits, or all digits before the point. */
export function numberText(value) {
  if (value === undefined) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  return value === 0 ? '0' : String(Number(value.toPrecision(3)));
}
