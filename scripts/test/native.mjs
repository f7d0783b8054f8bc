// native.mjs - the tests of the core, compiled for this machine.

import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { attempt, run } from '../lib/run.mjs';
import { Problem, say } from '../lib/terminal.mjs';
import { sumOf } from './totals.mjs';

const programOf = (preset) => `build/${preset}/tests/entitable_tests`;

/** Builds the tests of one CMake preset. */
export async function buildNative(preset) {
  await run('cmake', ['--preset', preset]);
  await run('cmake', ['--build', '--preset', preset]);
  if (!existsSync(programOf(preset))) throw new Problem(`tests/core has no *_test.cc`);
}

/** Runs those that GoogleTest's filter chooses, a share of them on each processor. */
export async function runNative(preset, filter = '*') {
  mkdirSync('build/results', { recursive: true });
  const shares = Array.from({ length: availableParallelism() }, (_, index) => index);
  const counts = await Promise.all(shares.map((index) => runShare(preset, filter, shares, index)));
  return sumOf(counts);
}

async function runShare(preset, filter, shares, index) {
  const report = `build/results/${preset}-${index}.json`;
  rmSync(report, { force: true });
  const { status, output } = await attempt(
    programOf(preset),
    ['--gtest_brief=1', `--gtest_filter=${filter}`, `--gtest_output=json:${report}`],
    {
      env: {
        UBSAN_OPTIONS: 'print_stacktrace=1',
        GTEST_TOTAL_SHARDS: String(shares.length),
        GTEST_SHARD_INDEX: String(index),
      },
    },
  );
  if (status !== 0) say(output);
  // A crash leaves no report, and one at the very end leaves a report without failures.
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const counts = count(JSON.parse(readFileSync(report, 'utf8')));
  return status !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function count({ testsuites }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of testsuites.flatMap((suite) => suite.testsuite)) {
    if (test.status !== 'RUN' || test.result === 'SKIPPED') counts.skipped += 1;
    else if (test.failures) counts.failed += 1;
    else counts.passed += 1;
  }
  return counts;
}
