// vitest.mjs - the tests written in TypeScript, one project of vitest.config.ts at a time.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { build } from '../build.mjs';
import { attempt } from '../lib/run.mjs';
import { Problem, say } from '../lib/terminal.mjs';

const broken = new Set();

/** Builds `parts` and runs the tests of one project. */
export async function runVitest(project, parts) {
  for (const part of parts) await buildOnce(part);

  const report = `build/results/${project}.json`;
  mkdirSync('build/results', { recursive: true });
  rmSync(report, { force: true });
  const { status, output } = await attempt(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--project', project],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ],
    { env: { NO_COLOR: '1' } },
  );
  if (status !== 0) say(output);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = count(JSON.parse(readFileSync(report, 'utf8')));
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

// Several suites need the same part; its compiler errors are shown once.
async function buildOnce(part) {
  if (broken.has(part)) throw new Problem(`the ${part} part did not build, see above`);
  try {
    await build(part);
  } catch (error) {
    broken.add(part);
    throw error;
  }
}

// A file that failed as a whole, at an import say, has no failed test of its own.
function count({ testResults }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const file of testResults) {
    const failedBefore = counts.failed;
    for (const { status } of file.assertionResults) {
      if (status === 'passed') counts.passed += 1;
      else if (status === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
    if (file.status === 'failed' && counts.failed === failedBefore) counts.failed += 1;
  }
  return counts;
}
