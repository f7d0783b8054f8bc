// style.mjs - checks layout, types and common faults. Each check counts as one test.

import { existsSync } from 'node:fs';

import { forEach } from '../lib/parallel.mjs';
import { attempt, run, which } from '../lib/run.mjs';
import { say } from '../lib/terminal.mjs';

// Other versions break some lines differently, so they are not used.
const CLANG_FORMAT_MAJOR = '14';

// The checks whose faults `npm run format` mends.
const OF_LAYOUT = ['prettier', 'clang-format'];

const CHECKS = {
  prettier: ['node_modules/.bin/prettier', '--check', '--log-level=warn', '.'],
  tsc: ['node_modules/.bin/tsc', '-p', 'tsconfig.json'],
  eslint: ['node_modules/.bin/eslint', '--max-warnings=0', '.'],
};

export async function runStyle() {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const commands = { ...CHECKS };
  const clangFormat = await clangFormatCommand('--dry-run', '--Werror');
  if (clangFormat) commands['clang-format'] = clangFormat;
  else counts.skipped += 1;

  await forEach(Object.entries(commands), async ([name, [program, ...args]]) => {
    const { status, output } = await attempt(program, args);
    if (status === 0) {
      counts.passed += 1;
    } else {
      counts.failed += 1;
      say(`${name}:\n${output}${OF_LAYOUT.includes(name) ? 'npm run format mends it\n' : ''}`);
    }
  });
  return counts;
}

/** The command over all C++ sources, or undefined without the right version of clang-format. */
export async function clangFormatCommand(...options) {
  const program = ['clang-format-14', 'clang-format'].find((name) => which(name));
  const version = program && (await run(program, ['--version']));
  if (!version?.includes(`version ${CLANG_FORMAT_MAJOR}.`)) {
    say(`clang-format ${CLANG_FORMAT_MAJOR} is not here: the layout of C++ is not checked`);
    return undefined;
  }
  const listed = ['ls-files', '--cached', '--others', '--exclude-standard', '--', '*.h', '*.cc'];
  // Git lists a deleted file until the deletion is staged.
  const files = (await run('git', listed)).split('\n').filter((name) => name && existsSync(name));
  return [program, ...options, ...files];
}
