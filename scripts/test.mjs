// test.mjs - runs the tests. Ends with tables and the line `N passed, N failed`.
//
//   npm test                      all suites
//   npm test -- asan node         two suites
//   npm test -- live              the tests whose names or files have this word
//   npm test -- chromium live     those of one suite
//   npm test -- --changed         the suites whose inputs differ from those of their last success
//   npm run test:all              the whole matrix (test/tier.mjs)
//
// Suites run one after another, so that their tests do not disturb each other. Those that mostly
// wait run beside the one before them. While a suite runs, programs of low priority build the next
// ones. Both use the time in which tests wait.

import { mkdirSync, writeFileSync } from 'node:fs';

import { build } from './build.mjs';
import { hasPassed, notePassed, trimNotes } from './lib/notes.mjs';
import { during } from './lib/phases.mjs';
import { enterProject } from './lib/project.mjs';
import { inBackground } from './lib/run.mjs';
import { Problem, main, say, step } from './lib/terminal.mjs';
import { SUITES, keyOfInputs } from './test/suites.mjs';
import { installSystemPackages } from './test/system.mjs';
import { isWhole } from './test/tier.mjs';
import { closingLine, phaseTable, slowestTable, suiteTable, sumOf } from './test/totals.mjs';

/** The suites that the arguments name, with the tests that the other words choose. */
function chosenSuites(args) {
  const suites = SUITES.filter(({ inWhole }) => isWhole() || !inWhole);
  const named = SUITES.filter(({ name }) => args.includes(name));
  const words = args.filter((arg) => !named.some(({ name }) => name === arg));
  if (words.length === 0) return named.length > 0 ? named : suites;

  const candidates = named.length > 0 ? named : suites.filter(({ again }) => !again);
  const chosen = candidates
    .map((suite) => ({ ...suite, tests: suite.choose?.(words) }))
    .filter(({ tests }) => tests !== undefined);
  if (chosen.length === 0) {
    throw new Problem(`no test has ${words.join(' or ')} in its name or file`, usage());
  }
  return chosen;
}

function usage() {
  const known = SUITES.map((suite) => suite.name).join(', ');
  return `npm test -- [--changed] [suite...] [word...]: all suites, those of ${known} that are named, or the tests whose names or files have a word; --changed leaves out suites that have passed with the same inputs`;
}

/** Builds and runs the suites in their order, and returns their results. */
function runAll(suites) {
  let built = Promise.resolve();
  let ran = Promise.resolve();
  // What the last suite of the main row has waited for, and the last one beside it.
  let [begun, aside] = [ran, ran];
  return Promise.all(
    suites.map((suite) => {
      built = built.then(() => inBackground(() => prepare(suite)));
      const turn = suite.isAside ? Promise.all([begun, aside]) : ran;
      const ended = Promise.all([built, turn]).then(([prepared]) => finish(suite, prepared));
      if (suite.isAside) aside = ended;
      else [begun, ran] = [ran, ended];
      return ended;
    }),
  );
}

const prepare = ({ name, build }) =>
  build ? outcomeOf(`building ${name}`, build) : { seconds: 0 };

// A suite fails if it cannot run to its end, or has no tests.
async function finish({ name, run, tests, key }, prepared) {
  const ended = prepared.error
    ? { error: prepared.error, seconds: 0 }
    : await outcomeOf(name, () => during('run', () => run(tests)));
  const { value: files = [], error, seconds } = ended;
  if (error) report(name, error);
  const counts = error ? { passed: 0, failed: 1, skipped: 0 } : sumOf(files);
  const result = { name, ...counts, buildSeconds: prepared.seconds, runSeconds: seconds, files };
  say(`${name}: ${closingLine([result])} (${seconds.toFixed(1)} s)`);
  mkdirSync('build/results', { recursive: true });
  writeFileSync(`build/results/${name}.json`, `${JSON.stringify(result, undefined, 1)}\n`);
  if (key && counts.failed === 0) notePassed(key);
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
    if (outcome.value?.length === 0) throw new Problem(`suite ${name} ran no test`);
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

/** The suites with the keys of their inputs; those that have passed with them run no more. */
function sinceLastPass(suites, skipsPassed) {
  const keyed = suites.map((suite) => ({ ...suite, key: suite.tests ? '' : keyOfInputs(suite) }));
  const isKept = ({ key }) => skipsPassed && key && hasPassed(key);
  return { kept: keyed.filter(isKept), changed: keyed.filter((suite) => !isKept(suite)) };
}

/** Makes what all suites need, and returns the results of the suites. */
async function runSuites(suites) {
  await step('system packages', () =>
    during('install', () => installSystemPackages(suites.flatMap((suite) => suite.needs))),
  );
  // The compiler is made while packages are installed. A suite that needs it reports its errors.
  if (suites.some(({ needsWasm }) => needsWasm)) build('toolchain').catch(() => {});
  await build('packages');
  let results;
  await step('all suites', async () => {
    results = await runAll(suites);
  });
  return results;
}

enterProject();
await main(async () => {
  const args = process.argv.slice(2);
  if (args.includes('--help')) {
    say(usage());
    return;
  }
  const words = args.filter((arg) => !arg.startsWith('--'));
  const { kept, changed } = sinceLastPass(chosenSuites(words), args.includes('--changed'));
  const ran = changed.length > 0 ? await runSuites(changed) : [];
  trimNotes();

  const results = [
    ...kept.map(({ name }) => ({
      name,
      passed: 0,
      failed: 0,
      skipped: 0,
      files: [],
      isKept: true,
    })),
    ...ran,
  ];
  const tables = [suiteTable(results), phaseTable(), slowestTable(results)];
  process.stdout.write(`\n${tables.join('\n\n')}\n\n${closingLine(results)}\n`);
  if (results.some((result) => result.failed > 0)) process.exitCode = 1;
});
