// test.mjs - one run of everything; of the suites that are named: `npm test -- native node`; or of
// the tests whose names or files have a word: `npm test -- live`, `npm test -- chromium live`.
// Ends with a table and the line `N passed, N failed`.

import { installPackages } from './install.mjs';
import { enterProject } from './lib/project.mjs';
import { Problem, main, say, step } from './lib/terminal.mjs';
import { runFuzz } from './test/fuzz.mjs';
import { matchingFiles, matchingFilter } from './test/matching.mjs';
import { runNative } from './test/native.mjs';
import { runStyle } from './test/style.mjs';
import { BROWSERS, NATIVE, TIDY, installSystemPackages } from './test/system.mjs';
import { runTidy } from './test/tidy.mjs';
import { closingLine, table } from './test/totals.mjs';
import { runVitest } from './test/vitest.mjs';

const FUZZ = ['clang-19', 'libclang-rt-19-dev', 'cmake', 'ninja-build'];

// Quick ones first.  Each returns { passed, failed, skipped }; `needs` are the packages of the
// system.  A suite whose tests can be chosen by words has a `choose`, which gives what `run` takes,
// or nothing if the words choose none of its tests.  A suite that runs the tests of `again` in
// another environment is chosen by words only where it is named, too.
const SUITES = [
  { name: 'style', needs: [], run: () => runStyle() },
  native('native', 'dev'),
  { name: 'tidy', needs: TIDY, run: () => runTidy() },
  { ...native('asan', 'asan'), again: 'native' },
  { name: 'fuzz', needs: FUZZ, run: () => runFuzz() },
  vitest('node', ['js', 'layers', 'scripts'], ['wasm'], ['cmake']),
  { ...vitest('chromium', ['js'], ['wasm'], ['cmake', 'chromium']), again: 'node' },
  vitest('page', ['browser'], ['wasm', 'page'], ['cmake', 'chromium']),
  vitest('package', ['package'], ['wasm', 'package', 'compilers'], ['cmake', 'chromium']),
  vitest('bundlers', ['bundlers'], ['wasm', 'package', 'bundlers'], ['cmake', 'chromium']),
  vitest('wire', ['wire'], ['wasm', 'package', 'peers'], ['cmake', 'chromium']),
  vitest('real', ['real'], ['wasm'], ['cmake', ...BROWSERS]),
];

function native(name, preset) {
  return {
    name,
    needs: NATIVE,
    choose: (words) => matchingFilter(words, 'tests/core') || undefined,
    run: (filter) => runNative(preset, filter),
  };
}

function vitest(name, folders, parts, needs) {
  const paths = folders.map((folder) => `tests/${folder}`);
  return {
    name,
    needs,
    choose(words) {
      const chosen = matchingFiles(words, paths);
      return chosen.files.length + chosen.others.length > 0 ? chosen : undefined;
    },
    run: (chosen) => runVitest(name, parts, chosen),
  };
}

/** The suites that the arguments name, with the tests of each that their other words choose. */
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

// A suite that could not run to its end has failed, and so has one without tests.
async function runSuite({ name, run, tests }) {
  const start = performance.now();
  let counts;
  try {
    counts = await run(tests);
    if (counts.passed + counts.failed === 0) throw new Problem(`suite ${name} ran no test`);
  } catch (error) {
    say(`error: suite ${name}: ${error instanceof Problem ? error.message : error.stack}`);
    if (error.remedy) say(`to go on: ${error.remedy}`);
    counts = { passed: 0, failed: 1, skipped: 0 };
  }
  const result = { name, ...counts, seconds: (performance.now() - start) / 1000 };
  say(`${name}: ${closingLine([result])} (${result.seconds.toFixed(1)} s)`);
  return result;
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
  await step('packages', installPackages);
  const results = [];
  for (const suite of suites) results.push(await runSuite(suite));

  process.stdout.write(`\n${table(results)}\n\n${closingLine(results)}\n`);
  if (results.some((result) => result.failed > 0)) process.exitCode = 1;
});
