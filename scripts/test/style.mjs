// style.mjs - checks layout, types and common faults. Each check counts as one test.
//
// A check that has passed on the same files, with the same rules and tools, does not run again.
// After a change, each tool looks at changed files alone, with caches in the cache folder. The
// types that rules of ESLint ask for may come from a file that did not change, so the whole matrix
// (`npm run test:all`) does without the caches.

import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { cacheFolder } from '../lib/cache.mjs';
import { fingerprint } from '../lib/fresh.mjs';
import { hasPassed, notePassed } from '../lib/notes.mjs';
import { forEach } from '../lib/parallel.mjs';
import { attempt, run, which } from '../lib/run.mjs';
import { say } from '../lib/terminal.mjs';
import { isWhole } from './tier.mjs';

// Other versions break some lines differently, so they are not used.
const CLANG_FORMAT_MAJOR = '14';

// The checks whose faults `npm run format` mends.
const OF_LAYOUT = ['prettier', 'clang-format'];

const program = (name) => `node_modules/.bin/${name}`;
const cached = (tool) => join(cacheFolder('style-1'), tool);

// Each with the options that let it skip what it has seen before.
const CHECKS = {
  eslint: {
    command: [program('eslint'), '--max-warnings=0', '.'],
    cache: () => ['--cache', '--cache-strategy=content', `--cache-location=${cached('eslint')}`],
  },
  tsc: {
    command: [program('tsc'), '-p', 'tsconfig.json'],
    cache: () => ['--incremental', '--tsBuildInfoFile', cached('tsc.json')],
  },
  prettier: {
    command: [program('prettier'), '--check', '--log-level=warn', '.'],
    cache: () => ['--cache', '--cache-strategy=content', `--cache-location=${cached('prettier')}`],
  },
};

export async function runStyle() {
  const sources = await listFiles();
  const results = [];
  const checks = { ...CHECKS };
  const clangFormat = await clangFormatCommand('--dry-run', '--Werror');
  if (clangFormat) checks['clang-format'] = { command: clangFormat, cache: () => [] };
  else results.push({ file: 'clang-format', passed: 0, failed: 0, skipped: 1, seconds: 0 });

  const key = fingerprint(sources, `${process.version} ${clangFormat ? CLANG_FORMAT_MAJOR : ''}`);
  await forEach(Object.entries(checks), async ([name, check]) => {
    const start = performance.now();
    const passed = Number(await hasCheckPassed(name, check, `style-${name}-${key}`));
    const seconds = (performance.now() - start) / 1000;
    results.push({ file: name, passed, failed: 1 - passed, skipped: 0, seconds });
  });
  return results;
}

async function hasCheckPassed(name, { command: [file, ...args], cache }, note) {
  if (!isWhole() && hasPassed(note)) return true;
  const { status, output } = await attempt(file, [...args, ...(isWhole() ? [] : cache())]);
  if (status === 0) notePassed(note);
  else say(`${name}:\n${output}${OF_LAYOUT.includes(name) ? 'npm run format mends it\n' : ''}`);
  return status === 0;
}

/** The command over all C++ sources, or undefined without the right version of clang-format. */
export async function clangFormatCommand(...options) {
  const found = ['clang-format-14', 'clang-format'].find((name) => which(name));
  const version = found && (await run(found, ['--version']));
  if (!version?.includes(`version ${CLANG_FORMAT_MAJOR}.`)) {
    say(`clang-format ${CLANG_FORMAT_MAJOR} is not here: the layout of C++ is not checked`);
    return undefined;
  }
  return [found, ...options, ...(await listFiles('*.h', '*.cc'))];
}

/** The files of the work tree, or those that match the patterns. */
async function listFiles(...patterns) {
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
  // Git lists a deleted file until the deletion is staged.
  return (await run('git', listed)).split('\n').filter((name) => name && existsSync(name));
}
