// totals.mjs - how a run is summed up.

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

/** One line a suite. */
export function table(results) {
  const rows = [
    ['suite', 'passed', 'failed', 'skipped', 'seconds'],
    ...results.map((result) => [
      result.name,
      String(result.passed),
      String(result.failed),
      String(result.skipped),
      result.seconds.toFixed(1),
    ]),
  ];
  return rows
    .map(([name, ...cells]) => name.padEnd(10) + cells.map((cell) => cell.padStart(9)).join(''))
    .join('\n');
}
