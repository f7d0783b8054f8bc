// test.mjs - runs the tests. Ends with a table and the line `N passed, N failed`.
//
//   npm test                      all suites
//   npm test -- native node       two suites
//   npm test -- live              the tests whose names or files have this word
//   npm test -- chromium live     those of one suite
//
// Suites run one after another, so that their tests do not disturb each other. While one suite
// runs, programs of low priority build the next ones. They use the time in which tests wait.

import { build } from './build.mjs';
import { enterProject } from './lib/project.mjs';
import { inBackground } from './lib/run.mjs';
import { Problem, main, say, step } from './lib/terminal.mjs';
import { buildFuzz, runFuzz } from './test/fuzz.mjs';
import { matchingFiles, matchingFilter } from './test/matching.mjs';
import { buildNative, runNative } from './test/native.mjs';
import { runStyle } from './test/style.mjs';
import { BROWSERS, NATIVE, TIDY, installSystemPackages } from './test/system.mjs';
import { runTidy } from './test/tidy.mjs';
import { closingLine, table } from './test/totals.mjs';
import { runVitest } from './test/vitest.mjs';

const FUZZ = ['clang-19', 'libclang-rt-19-dev', 'cmake', 'ninja-build'];

// The tests that also run with accounts in workers.
const CLIENTS = ['js/client', 'js/http', 'js/live', 'js/transfer'];

// Suites with long runs come first, so that there is time to build the others.
//
// - `needs`: packages of the system.
// - `build`: makes the inputs of `run`.
// - `run`: runs the tests, and returns { passed, failed, skipped }.
// - `check`: instead of `build` and `run`, in a suite that only reads sources.
// - `choose`: turns words into an argument of `run`, or into undefined if no test has the words.
// - `again`: the suite that runs the same tests in another environment. Words choose such a suite
//   only if it is named, too.
const SUITES = [
  { name: 'style', needs: [], check: runStyle },
  vitest('node', ['js', 'layers', 'scripts'], ['wasm'], [], '.browser.test.ts'),
  { ...vitest('chromium', ['js'], ['wasm'], ['chromium'], '.node.test.ts'), again: 'node' },
  { ...vitest('worker', CLIENTS, ['wasm'], ['chromium'], '.node.test.ts'), again: 'node' },
  vitest('page', ['browser'], ['page'], ['chromium']),
  vitest('package', ['package'], ['package', 'page', 'compilers', 'frameworks'], ['chromium']),
  native('native', 'dev'),
  { ...native('asan', 'asan'), again: 'native' },
  { name: 'fuzz', needs: FUZZ, build: buildFuzz, run: runFuzz },
  { name: 'tidy', needs: TIDY, check: runTidy },
  vitest('server', ['server'], ['package', 'peers'], ['chromium', 'postgresql']),
  vitest('bundlers', ['bundlers'], ['package', 'bundlers'], ['chromium']),
  vitest('real', ['real'], ['wasm', 'package'], BROWSERS),
];

function native(name, preset) {
  return {
    name,
    needs: NATIVE,
    choose: (words) => matchingFilter(words, 'tests/core') || undefined,
    build: () => buildNative(preset),
    run: (filter) => runNative(preset, filter),
  };
}

// These suites need the WebAssembly module. They leave out files with the ending `without`.
function vitest(name, folders, parts, needs = [], without) {
  const paths = folders.map((folder) => `tests/${folder}`);
  return {
    name,
    needs: ['cmake', ...needs],
    needsWasm: true,
    choose(words) {
      const chosen = matchingFiles(words, paths, without);
      return chosen.files.length + chosen.others.length > 0 ? chosen : undefined;
    },
    build: () => build(...parts),
    run: (chosen) => runVitest(name, chosen),
  };
}

/** The suites that the arguments name, with the tests that the other words choose. */
function chosenSuites(args) {
  const named = SUITES.filter(({ name }) => args.includes(name));
  const words = args.filter((arg) => !named.some(({ name }) => name === arg));
  if (words.length === 0) return named.length > 0 ? named : SUITES;

  const candidates = named.length > 0 ? named : SUITES.filter(({ again }) => !again);
  const suites = candidates
    .map((suite) => ({ ...suite, tests: suite.choose?.(words) }))
    .filter(({ tests }) => tests !== undefined);
  if (suites.length === 0) {
    throw new Problem(`no test has ${words.join(' or ')} in its name or file`, usage());
  }
  return suites;
}

function usage() {
  const known = SUITES.map((suite) => suite.name).join(', ');
  return `npm test -- [suite...] [word...]: all suites, those of ${known} that are named, or the tests whose names or files have a word`;
}

/** Builds and runs the suites in their order, and returns their results. */
function runAll(suites) {
  let built = Promise.resolve();
  let ran = Promise.resolve();
  return Promise.all(
    suites.map((suite) => {
      built = built.then(() => inBackground(() => prepare(suite)));
      ran = Promise.all([built, ran]).then(([prepared]) => finish(suite, prepared));
      return ran;
    }),
  );
}

function prepare({ name, check, build }) {
  return check ? outcomeOf(name, check) : outcomeOf(`building ${name}`, build);
}

// A suite fails if it cannot run to its end, or has no tests.
async function finish({ name, check, run, tests }, prepared) {
  const isDone = check || prepared.error;
  const { value, error, seconds } = isDone ? prepared : await outcomeOf(name, () => run(tests));
  const counts = error ? { passed: 0, failed: 1, skipped: 0 } : value;
  if (error) report(name, error);
  const result = { name, ...counts, seconds: isDone ? seconds : prepared.seconds + seconds };
  say(`${name}: ${closingLine([result])} (${result.seconds.toFixed(1)} s)`);
  return result;
}

/** Returns { value, seconds } or { error, seconds }. */
async function outcomeOf(name, work) {
  const start = performance.now();
  const outcome = {};
  try {
    await step(name, async () => {
      outcome.value = await work();
      return false;
    });
    const { passed, failed } = outcome.value ?? {};
    if (passed + failed === 0) throw new Problem(`suite ${name} ran no test`);
  } catch (error) {
    outcome.error = error;
  }
  return { ...outcome, seconds: (performance.now() - start) / 1000 };
}

// Several suites need the same part. Its compiler errors are shown once.
const reported = new WeakSet();

function report(name, error) {
  if (reported.has(error)) {
    say(`error: suite ${name}: a part that it needs did not build, see above`);
    return;
  }
  reported.add(error);
  say(`error: suite ${name}: ${error instanceof Problem ? error.message : error.stack}`);
  if (error.remedy) say(`to go on: ${error.remedy}`);
}

enterProject();
await main(async () => {
  const names = process.argv.slice(2);
  if (names.includes('--help')) {
    say(usage());
    return;
  }
  const suites = chosenSuites(names);
  await step('system packages', () =>
    installSystemPackages(suites.flatMap((suite) => suite.needs)),
  );
  // The compiler is made while packages are installed. A suite that needs it reports its errors.
  if (suites.some(({ needsWasm }) => needsWasm)) build('toolchain').catch(() => {});
  await build('packages');
  let results;
  await step('all suites', async () => {
    results = await runAll(suites);
  });

  process.stdout.write(`\n${table(results)}\n\n${closingLine(results)}\n`);
  if (results.some((result) => result.failed > 0)) process.exitCode = 1;
});
