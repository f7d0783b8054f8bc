// tidy.mjs - clang-tidy over the core: each source passes or fails as one test.
//
// A source that has passed is checked again only after a change of the source, of a header that it
// includes, of the rules, or of clang-tidy. The cache folder has a note under the hash of these.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

import { cacheFolder } from '../lib/cache.mjs';
import { forEach } from '../lib/parallel.mjs';
import { attempt, run } from '../lib/run.mjs';
import { progress, say } from '../lib/terminal.mjs';

const PROGRAM = 'clang-tidy-19';
const RULES = '.clang-tidy';

// The folders with headers. The folder of the including file comes first.
const INCLUDE_FOLDERS = ['core/include', 'core/src'];

/**
 * Checks each source of the core.
 *
 * @param checks - added to the rules of .clang-tidy, like the option --checks. The static analyzer
 * takes ten times as long as all other rules, so only `npm run test:long` uses it.
 */
export async function runTidy({ checks = '-clang-analyzer-*' } = {}) {
  // Writes compile_commands.json, which tells clang-tidy the flags of the compiler.
  await run('cmake', ['--preset', 'tidy']);
  const sources = (await run('git', ['ls-files', '--', 'core/src/*.cc']))
    .split('\n')
    .filter(Boolean);
  const tool = (await run(PROGRAM, ['--version'])) + readFileSync(RULES, 'utf8') + checks;
  const notes = cacheFolder('tidy-1');
  mkdirSync(notes, { recursive: true });

  const counts = { passed: 0, failed: 0, skipped: 0 };
  const there = sources.filter((source) => existsSync(source));
  await forEach(there, async (source) => {
    const note = join(notes, hashOf(tool, source));
    const faults = existsSync(note) ? '' : await faultsOf(source, checks);
    if (faults) {
      counts.failed += 1;
      say(`${source}:\n${faults}`);
    } else {
      counts.passed += 1;
      writeFileSync(note, '');
    }
    progress(`${counts.passed + counts.failed}/${there.length}`);
  });
  return counts;
}

/** The messages of clang-tidy for a source. */
async function faultsOf(source, checks) {
  const options = ['--quiet', '-p', 'build/tidy', `--checks=${checks}`, source];
  const { status, output } = await attempt(PROGRAM, options);
  return status === 0 ? '' : output || `ended with ${status}`;
}

function hashOf(tool, source) {
  const hash = createHash('sha256').update(tool);
  for (const file of [...closure(source)].sort((a, b) => (a < b ? -1 : 1))) {
    hash.update(`\0${file}\0`).update(readFileSync(file));
  }
  return hash.digest('hex');
}

/** A source, and all headers of the project that it includes, directly or not. */
function closure(source) {
  const found = new Set([source]);
  for (const file of found) {
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/^#include "([^"]+)"/gm)) {
      const folders = [dirname(file), ...INCLUDE_FOLDERS];
      const header = folders.map((folder) => normalize(join(folder, name))).find(existsSync);
      if (header) found.add(header);
    }
  }
  return found;
}
