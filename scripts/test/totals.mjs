// totals.mjs - how a run is summed up.

import { secondsOfPhases } from '../lib/phases.mjs';

const sum = (results, key) => results.reduce((total, result) => total + result[key], 0);

export const sumOf = (results) => ({
  passed: sum(results, 'passed'),
  failed: sum(results, 'failed'),
  skipped: sum(results, 'skipped'),
});

/** `N passed, N failed`, and the skipped ones only when there are any. */
export function closingLine(results) {
  const { passed, failed, skipped } = sumOf(results);
  const line = `${passed} passed, ${failed} failed`;
  return skipped > 0 ? `${line}, ${skipped} skipped` : line;
}

/** One line a suite: its results, and the seconds of its build and of its tests. */
export function suiteTable(results) {
  return tableOf(
    ['suite', 'passed', 'failed', 'skipped', 'build s', 'run s'],
    results.map(({ name, passed, failed, skipped, buildSeconds, runSeconds, isKept }) => [
      ...[name, String(passed), String(failed), String(skipped)],
      ...(isKept ? ['-', 'kept'] : [buildSeconds.toFixed(1), runSeconds.toFixed(1)]),
    ]),
  );
}

/** One line a phase. */
export function phaseTable() {
  return tableOf(
    ['phase', 'seconds'],
    secondsOfPhases().map(({ phase, seconds }) => [phase, seconds.toFixed(1)]),
  );
}

/** The files that took longest. */
export function slowestTable(results, count = 10) {
  const files = results.flatMap(({ name, files }) => files.map((file) => ({ ...file, name })));
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, count);
  const rows = slowest.map(({ file, name, seconds }) => [`${name}: ${file}`, seconds.toFixed(1)]);
  return tableOf(['slowest files', 'seconds'], rows);
}

function tableOf(head, rows) {
  const all = [head, ...rows];
  const width = Math.max(...all.map(([name]) => name.length)) + 1;
  return all
    .map(([name, ...cells]) => name.padEnd(width) + cells.map((cell) => cell.padStart(9)).join(''))
    .join('\n');
}
