// test.mjs - one run of everything, or of the suites that are named:
// `npm test -- native node`.  Ends with a table and the line `N passed, N failed`.

import { installPackages } from './install.mjs';
import { enterProject } from './lib/project.mjs';
import { Problem, main, say, step } from './lib/terminal.mjs';
import { runFuzz } from './test/fuzz.mjs';
import { runNative } from './test/native.mjs';
import { runStyle } from './test/style.mjs';
import { BROWSERS, NATIVE, TIDY, installSystemPackages } from './test/system.mjs';
import { runTidy } from './test/tidy.mjs';
import { closingLine, table } from './test/totals.mjs';
import { runVitest } from './test/vitest.mjs';

const FUZZ = ['clang-19', 'libclang-rt-19-dev', 'cmake', 'ninja-build'];

// Quick ones first.  Each returns { passed, failed, skipped }; `needs` are the
// packages of the system.
const SUITES = [
  { name: 'style', needs: [], run: () => runStyle() },
  { name: 'native', needs: NATIVE, run: () => runNative('dev') },
  { name: 'tidy', needs: TIDY, run: () => runTidy() },
  { name: 'asan', needs: NATIVE, run: () => runNative('asan') },
  { name: 'fuzz', needs: FUZZ, run: () => runFuzz() },
  { name: 'node', needs: ['cmake'], run: () => runVitest('node', ['wasm']) },
  { name: 'chromium', needs: ['cmake', 'chromium'], run: () => runVitest('chromium', ['wasm']) },
  { name: 'page', needs: ['cmake', 'chromium'], run: () => runVitest('page', ['wasm', 'page']) },
  {
    name: 'package',
    needs: ['cmake', 'chromium'],
    run: () => runVitest('package', ['wasm', 'package', 'compilers']),
  },
  {
    name: 'wire',
    needs: ['cmake', 'chromium'],
    run: () => runVitest('wire', ['wasm', 'package', 'peers']),
  },
  { name: 'real', needs: ['cmake', ...BROWSERS], run: () => runVitest('real', ['wasm']) },
];

function chosenSuites(names) {
  const unknown = names.filter((name) => !SUITES.some((suite) => suite.name === name));
  if (unknown.length > 0) {
    const known = SUITES.map((suite) => suite.name).join(', ');
    throw new Problem(`no suite is called ${unknown.join(' or ')}`, `choose of ${known}`);
  }
  return SUITES.filter(({ name }) => names.length === 0 || names.includes(name));
}

// A suite that could not run to its end has failed, and so has one without tests.
async function runSuite({ name, run }) {
  const start = performance.now();
  let counts;
  try {
    counts = await run();
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
    say(`npm test -- [suite...], of ${SUITES.map((suite) => suite.name).join(', ')}`);
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
