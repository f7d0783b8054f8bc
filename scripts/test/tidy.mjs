// tidy.mjs - clang-tidy over the core: each source passes or fails as one test.
//
// The usual tests let it read several sources as one, like the compiler does, because most of its
// time goes into the headers of the standard library. The whole matrix lets it read each alone, so
// that a source which includes too little is found.
//
// A source that has passed is checked again only after a change of the source, of a header that it
// includes, of the rules, or of clang-tidy.

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

import { fingerprint } from '../lib/fresh.mjs';
import { hasPassed, notePassed } from '../lib/notes.mjs';
import { forEach } from '../lib/parallel.mjs';
import { attempt, run } from '../lib/run.mjs';
import { progress, say } from '../lib/terminal.mjs';
import { isWhole } from './tier.mjs';

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
  await run('cmake', ['--preset', 'tidy', ...(isWhole() ? ['-DENTITABLE_JOINED_SOURCES=1'] : [])]);
  const commands = JSON.parse(readFileSync('build/tidy/compile_commands.json', 'utf8'));
  const sources = commands
    .map(({ file }) => relative('.', file))
    .filter((file) => /^(core|build\/tidy)\//.test(file));
  const tool = (await run(PROGRAM, ['--version'])) + readFileSync(RULES, 'utf8') + checks;

  const results = [];
  await forEach(sources, async (source) => {
    const start = performance.now();
    const faults = await faultsOf(source, tool, checks);
    if (faults) say(`${source}:\n${faults}`);
    const counts = faults ? { passed: 0, failed: 1 } : { passed: 1, failed: 0 };
    results.push({
      file: source,
      ...counts,
      skipped: 0,
      seconds: (performance.now() - start) / 1000,
    });
    progress(`${results.length}/${sources.length}`);
  });
  return results;
}

/** The messages of clang-tidy for a source. */
async function faultsOf(source, tool, checks) {
  const key = `tidy-${fingerprint(closure(source), tool)}`;
  if (hasPassed(key)) return '';
  const options = ['--quiet', '-p', 'build/tidy', `--checks=${checks}`, source];
  const { status, output } = await attempt(PROGRAM, options);
  if (status !== 0) return output || `ended with ${status}`;
  notePassed(key);
  return '';
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
  return [...found];
}
