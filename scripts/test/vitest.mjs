// vitest.mjs - the tests written in TypeScript, one suite of vitest.config.ts at a time.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

import { attempt } from '../lib/run.mjs';
import { progress, say } from '../lib/terminal.mjs';

/**
 * Runs the tests of some projects: all, or those that `chosen` names (matching.mjs). Returns the
 * results of each file.
 */
export async function runVitest(suite, projects, chosen) {
  if (!chosen) return runProjects(suite, projects, []);
  const runs = [];
  if (chosen.files.length > 0) runs.push(chosen.files);
  if (chosen.others.length > 0) runs.push([...chosen.others, '-t', `/${chosen.name}/i`]);
  const files = [];
  // Vitest counts tests that were not chosen as skipped.
  for (const filters of runs) {
    const results = await runProjects(suite, projects, filters);
    files.push(...results.map((file) => ({ ...file, skipped: 0 })));
  }
  return files;
}

async function runProjects(suite, projects, filters) {
  const report = `build/results/${suite}-vitest.json`;
  mkdirSync('build/results', { recursive: true });
  rmSync(report, { force: true });
  let files = 0;
  const { status, output } = await attempt(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      ...(process.env.ENTITABLE_STOPS_EARLY ? ['--bail=1'] : []),
      ...['run', '--passWithNoTests', ...projects.flatMap((name) => ['--project', name])],
      ...[...filters, '--reporter=default', '--reporter=./scripts/test/reporter.mjs'],
    ],
    {
      // A build of the page in this process leaves another NODE_ENV.
      env: { NO_COLOR: '1', NODE_ENV: 'test', ENTITABLE_REPORT: report },
      onLine(line) {
        if (/^ *[✓❯]/.test(line)) progress(`${++files} files`);
      },
    },
  );
  if (status !== 0) say(output);
  const whole = { file: `vitest of ${suite}`, passed: 0, failed: 1, skipped: 0, seconds: 0 };
  if (!existsSync(report)) return [whole];
  const results = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const isKnown = status === 0 || results.some(({ failed }) => failed > 0);
  return isKnown ? results : [...results, whole];
}
