// vitest.mjs - the tests written in TypeScript, one project of vitest.config.ts at a time.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { attempt } from '../lib/run.mjs';
import { progress, say } from '../lib/terminal.mjs';

/** Runs the tests of one project: all, or those that `chosen` names (matching.mjs). */
export async function runVitest(project, chosen) {
  if (!chosen) return runProject(project, []);
  const runs = [];
  if (chosen.files.length > 0) runs.push(chosen.files);
  if (chosen.others.length > 0) runs.push([...chosen.others, '-t', `/${chosen.name}/i`]);
  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const filters of runs) {
    const { passed, failed } = await runProject(project, filters);
    // Vitest counts tests that were not chosen as skipped.
    total.passed += passed;
    total.failed += failed;
  }
  return total;
}

async function runProject(project, filters) {
  const report = `build/results/${project}.json`;
  mkdirSync('build/results', { recursive: true });
  rmSync(report, { force: true });
  let files = 0;
  const { status, output } = await attempt(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...['run', '--project', project, ...filters],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ],
    {
      // A build of the page in this process leaves another NODE_ENV.
      env: { NO_COLOR: '1', NODE_ENV: 'test' },
      onLine(line) {
        if (/^ *[✓❯]/.test(line)) progress(`${++files} files`);
      },
    },
  );
  if (status !== 0) say(output);
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = count(JSON.parse(readFileSync(report, 'utf8')));
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
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
