// tables.mjs - the tables of the report, as Markdown.

import { BASELINE, ENGINES } from '../engines.mjs';
import {
  FIGURES,
  MEMORY_FIGURES,
  SMALL_CACHE_FIGURES,
  median,
  numberText,
  ratio,
} from './figures.mjs';

const OURS = 'entitable';

/** Formats rows of cells as a Markdown table, with numbers on the right. */
export function table(heads, rows) {
  const marks = heads.map((_, column) => (column === 0 ? '---' : '---:'));
  return [heads, marks, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const measured = (run) => Object.keys(ENGINES).filter((name) => run.engines[name]);

/** A table of every kind of work, for one number of entities. */
export function workTable(run) {
  const names = measured(run);
  const isMeasured = ({ name }) => names.some((engine) => run.engines[engine][name]?.length > 0);
  const rows = FIGURES.filter(isMeasured).map((figure) => [
    figure.what,
    ...names.map((name) => cell(figure, name, run.engines)),
  ]);
  return table(['', ...names], rows);
}

function cell(figure, name, engines) {
  if (engines[name].failure || engines[name][figure.name]?.failure) return 'failed';
  const value = median(engines[name][figure.name]);
  if (value === undefined) return '–';
  const isAlone = name === BASELINE || figure.isAlone;
  const times = isAlone ? undefined : ratio(figure, name, engines);
  return numberText(value) + (times === undefined ? '' : ` (${numberText(times)}×)`);
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
