// native.mjs - the tests and the fuzzers of the core, compiled for this machine.

import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { buildPreset } from '../lib/cmake.mjs';
import { unlessFresh } from '../lib/fresh.mjs';
import { readPackage, versionsOf } from '../lib/project.mjs';
import { attempt, run } from '../lib/run.mjs';
import { say } from '../lib/terminal.mjs';
import { isWhole } from './tier.mjs';

/** What the programs are made of. */
export const NATIVE_INPUTS = [
  ...['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'core', 'tests/CMakeLists.txt'],
  ...['tests/core', 'tests/support', 'tests/fuzz'],
];

// The compiler of each preset.
const COMPILERS = { dev: 'c++', release: 'c++', asan: 'clang++-19' };

// A fifth of the time goes into the stacks of allocations and into waiting blocks. The whole matrix
// keeps as many of both as the sanitizer does by default.
const SHORT_MEMORY = 'malloc_context_size=6:quarantine_size_mb=32';

const programOf = (preset) => `build/${preset}/tests/entitable_tests`;

/** The program of a fuzzer. */
export const fuzzerOf = (name) => `build/asan/tests/fuzz/${name}_fuzz`;

/** The names of the fuzzers. */
export const fuzzers = () =>
  readdirSync('tests/fuzz').flatMap((file) => /(.*)_fuzz\.cc$/.exec(file)?.[1] ?? []);

/** Builds the tests of a CMake preset, and the fuzzers with those of `asan`. */
export async function buildNative(preset) {
  const compiler = await run(COMPILERS[preset], ['--version']);
  const tools = [compiler, readPackage().version, versionsOf('@nozbe/simdjson')].join('\n');
  const programs = preset === 'asan' ? fuzzers().map(fuzzerOf) : [];
  return unlessFresh(
    {
      name: `native-${preset}`,
      inputs: NATIVE_INPUTS,
      tools,
      outputs: [programOf(preset), ...programs],
    },
    () => buildPreset(preset),
  );
}

/** Runs those that GoogleTest's filter chooses, a share of them on each processor. */
export async function runNative(preset, filter = '*') {
  mkdirSync('build/results', { recursive: true });
  const shares = Array.from({ length: availableParallelism() }, (_, index) => index);
  const files = await Promise.all(shares.map((index) => runShare(preset, filter, shares, index)));
  return filesOfShares(files.flat());
}

async function runShare(preset, filter, shares, index) {
  const report = `build/results/${preset}-${index}.json`;
  rmSync(report, { force: true });
  const { status, output } = await attempt(
    programOf(preset),
    [
      ...['--gtest_brief=1', `--gtest_filter=${filter}`, `--gtest_output=json:${report}`],
      ...(process.env.ENTITABLE_STOPS_EARLY ? ['--gtest_fail_fast'] : []),
    ],
    {
      env: {
        UBSAN_OPTIONS: 'print_stacktrace=1',
        ...(isWhole() ? {} : { ASAN_OPTIONS: SHORT_MEMORY }),
        GTEST_TOTAL_SHARDS: String(shares.length),
        GTEST_SHARD_INDEX: String(index),
      },
    },
  );
  if (status !== 0) say(output);
  const program = { file: programOf(preset), passed: 0, failed: 1, skipped: 0, seconds: 0 };
  // A crash leaves no report, and one at the very end leaves a report without failures.
  if (!existsSync(report)) return [program];
  const { failures, testsuites } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(report);
  const tests = testsuites.flatMap((suite) => suite.testsuite).map(resultOf);
  return status !== 0 && failures === 0 ? [...tests, program] : tests;
}

function resultOf({ file, status, result, failures, time }) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (status !== 'RUN' || result === 'SKIPPED') counts.skipped = 1;
  else if (failures) counts.failed = 1;
  else counts.passed = 1;
  return { file, ...counts, seconds: parseFloat(time) };
}

// The results of tests, added up for each file.
function filesOfShares(tests) {
  const files = new Map();
  for (const { file, passed, failed, skipped, seconds } of tests) {
    const sums = files.get(file) ?? { file, passed: 0, failed: 0, skipped: 0, seconds: 0 };
    sums.passed += passed;
    sums.failed += failed;
    sums.skipped += skipped;
    sums.seconds += seconds;
    files.set(file, sums);
  }
  return [...files.values()];
}
