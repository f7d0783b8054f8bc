// suites.mjs - what `npm test` can run.
//
// - `needs`: packages of the system.
// - `needsWasm`: whether its build makes the WebAssembly modules.
// - `inputs`: files and folders whose contents decide its results; all of the work tree without it.
// - `build`: makes what `run` needs.
// - `run`: runs the tests, and returns for each file { file, passed, failed, skipped, seconds }.
// - `choose`: turns words into an argument of `run`, or into undefined if no test has the words.
// - `again`: the suite that runs the same tests in another environment. Words choose such a suite
//   only if it is named, too.
// - `isAside`: runs beside the suites before it, since its tests mostly wait.
// - `inWhole`: only in the whole matrix, or by its name (tier.mjs).

import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { build } from '../build.mjs';
import { fingerprint } from '../lib/fresh.mjs';
import { runFuzz } from './fuzz.mjs';
import { matchingFiles, matchingFilter } from './matching.mjs';
import { NATIVE_INPUTS, buildNative, runNative } from './native.mjs';
import { runStyle } from './style.mjs';
import { BROWSERS, CHROMIUM, CLANG, NATIVE, SHELL, TIDY } from './system.mjs';
import { runTidy } from './tidy.mjs';
import { isWhole } from './tier.mjs';
import { runVitest } from './vitest.mjs';

// The tests that also run with accounts in workers.
const CLIENTS = ['js/client', 'js/http', 'js/live', 'js/transfer'];

// What every suite depends on, beside its own inputs.
const TOOLS = ['scripts', 'package.json', 'package-lock.json', 'vitest.config.ts', 'tsconfig.json'];
const CORE = [...NATIVE_INPUTS, 'tests/conformance', 'tests/fixtures', ...TOOLS];
const PACKAGE = [
  'js',
  'core',
  'bindings',
  'cmake',
  'CMakeLists.txt',
  'CMakePresets.json',
  ...TOOLS,
];

// Suites with long runs come first, so that there is time to build the others.
export const SUITES = [
  { name: 'style', needs: [], run: runStyle },
  vitest('node', ['js', 'layers', 'scripts'], ['wasm'], {
    projects: ['node', 'isolated'],
    without: '.browser.test.ts',
  }),
  vitest('chromium', ['js'], ['wasm'], {
    needs: SHELL,
    projects: ['chromium', 'chromium-isolated'],
    without: '.node.test.ts',
    again: 'node',
    inputs: [...PACKAGE, 'tests/js', 'tests/conformance', 'tests/fixtures'],
  }),
  vitest('worker', CLIENTS, ['wasm'], {
    needs: SHELL,
    without: '.node.test.ts',
    again: 'node',
    inputs: [...PACKAGE, 'tests/js', 'tests/conformance', 'tests/fixtures'],
  }),
  vitest('page', ['browser'], ['page'], {
    needs: SHELL,
    inputs: [...PACKAGE, 'web-demo', 'tests/browser'],
  }),
  vitest('package', ['package'], ['packed', 'page', 'compilers', 'frameworks'], {
    needs: SHELL,
  }),
  native('native', 'dev', NATIVE, { again: 'asan', inWhole: true }),
  native('release', 'release', NATIVE, { again: 'asan', inWhole: true }),
  native('asan', 'asan', [...NATIVE, ...CLANG]),
  {
    name: 'fuzz',
    needs: [...NATIVE, ...CLANG],
    inputs: CORE,
    build: () => buildNative('asan'),
    run: runFuzz,
  },
  { name: 'tidy', needs: TIDY, inputs: [...CORE, '.clang-tidy'], run: runTidy },
  vitest('server', ['server'], ['package', 'peers'], { needs: [...CHROMIUM, 'postgresql'] }),
  vitest('bundlers', ['bundlers'], ['packed', 'bundlers'], { needs: SHELL, isAside: true }),
  vitest('real', ['real'], ['wasm', 'package'], {
    needs: isWhole() ? BROWSERS : CHROMIUM,
    isAside: true,
  }),
];

function native(name, preset, needs, more = {}) {
  return {
    ...{ name, needs, inputs: CORE },
    choose: (words) => matchingFilter(words, 'tests/core') || undefined,
    build: () => buildNative(preset),
    run: (filter) => runNative(preset, filter),
    ...more,
  };
}

// These suites need the WebAssembly module. They leave out files with the ending `without`.
function vitest(name, folders, parts, { needs = [], without, projects = [name], ...more }) {
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
    run: (chosen) => runVitest(name, projects, chosen),
    ...more,
  };
}

/** A name for the contents of all inputs of a suite, in this tier, with this version of Node. */
export function keyOfInputs({ name, inputs = trackedFiles() }) {
  return `suite-${name}-${fingerprint(inputs, `${process.version} ${isWhole()}`)}`;
}

let tracked;

function trackedFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  tracked ??= execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((name) => name && existsSync(name));
  return tracked;
}
