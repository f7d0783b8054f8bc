// tables.mjs - the tables of the report, as Markdown.

import { BASELINE, ENGINES } from '../engines.mjs';
import {
  FIGURES,
  MEMORY_FIGURES,
  SMALL_CACHE_FIGURES,
  aimText,
  isMet,
  median,
  numberText,
  ratio,
} from './figures.mjs';

const OURS = 'entitable';

/** Rows of cells as a Markdown table; numbers to the right. */
export function table(heads, rows) {
  const marks = heads.map((_, column) => (column === 0 ? '---' : '---:'));
  return [heads, marks, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const measured = (run) => Object.keys(ENGINES).filter((name) => run.engines[name]);

/** Every kind of work, over entities of one number. */
export function workTable(run, count) {
  const names = measured(run);
  const rows = FIGURES.filter(({ scanned = count }) => scanned === count || !isScan(scanned, count))
    .filter(({ name }, at, all) => all.findIndex((other) => other.name === name) === at)
    .map((figure) => [
      figure.what,
      ...names.map((name) => cell(figure, name, run.engines)),
      aim(figure, count, run.engines),
    ]);
  return table(['', ...names, 'aim'], rows);
}

// Of two aims for one figure the one for this number of entities is shown.
const isScan = (scanned, count) =>
  FIGURES.some((one) => one.scanned === count && one.scanned !== scanned);

function cell(figure, name, engines) {
  if (engines[name].failure) return 'failed';
  const value = median(engines[name][figure.name]);
  if (value === undefined) return '–';
  const times = name === BASELINE ? undefined : ratio(figure, name, engines);
  return numberText(value) + (times === undefined ? '' : ` (${numberText(times)}×)`);
}

function aim(figure, count, engines) {
  const counts = figure.scanned === undefined || figure.scanned === count;
  const text = aimText(figure);
  if (!counts || !text) return '';
  const met = isMet(figure, OURS, engines);
  return met === undefined ? text : `${text} ${met ? '✓' : '✗'}`;
}

export function memoryTable(run) {
  const names = measured(run).filter((name) => !ENGINES[name].isLimit);
  return table(
    ['MB', ...names],
    MEMORY_FIGURES.map(({ name: figure, what }) => [
      what,
      ...names.map((name) => numberText(median(run.engines[name][figure]))),
    ]),
  );
}

/** One column for each run. */
export function smallCacheTable(runs) {
  return table(
    ['', ...runs.map(({ count }) => count.toLocaleString('en-US'))],
    SMALL_CACHE_FIGURES.map(({ name, what }) => [
      what,
      ...runs.map(({ run }) => numberText(median(run.engines[OURS]?.[name]))),
    ]),
  );
}

export function downloadTable(downloads) {
  const kilobytes = (bytes) => numberText(bytes / 1000);
  return table(
    ['KB', 'raw', 'gzip -9', 'brotli'],
    Object.entries(downloads).map(([name, { raw, gzip, brotli }]) => [
      name,
      ...[raw, gzip, brotli].map(kilobytes),
    ]),
  );
}

export function engineTable(downloads) {
  return table(
    ['', 'what', 'version'],
    Object.entries(ENGINES).map(([name, { label }]) => [
      `\`${name}\``,
      label,
      downloads[name]?.version ?? '',
    ]),
  );
}
