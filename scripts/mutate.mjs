// mutate.mjs - `npm run mutate`: makes one wrong change of the sources at a time, and says which
// suite of tests finds it, or that it does not compile. What no suite finds needs a test, or
// changes nothing that matters.
//
//   npm run mutate                           60 changes, those of seed 1
//   npm run mutate -- --seed=2 --count=10    others
//   npm run mutate -- --only=3,17            these numbers of them
//   npm run mutate -- --list                 names them, and runs nothing
//
// It works on the committed sources, in a clone in build/mutants, and tries the suites of
// `npm test` one after another until one fails; of each suite first the tests whose folder has the
// name of the source's folder, which find most. ENTITABLE_TESTS=all tries those of the whole
// matrix. build/mutants.json has the results; what is in it is not tried again.

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import { dirname, join } from 'node:path';

import { enterProject } from './lib/project.mjs';
import { attempt, run } from './lib/run.mjs';
import { main, say } from './lib/terminal.mjs';
import { chooseMutants } from './mutate/mutants.mjs';
import { isWhole } from './test/tier.mjs';

const CLONE = 'build/mutants';
const RESULTS = 'build/mutants.json';

function optionsOf(args) {
  const option = (name) =>
    args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) ?? undefined;
  return {
    seed: Number(option('seed') ?? 1),
    count: Number(option('count') ?? 60),
    only: option('only')?.split(',').map(Number),
    isList: args.includes('--list'),
  };
}

async function prepareClone() {
  rmSync(CLONE, { recursive: true, force: true });
  await run('git', ['clone', '--quiet', '--shared', '.', CLONE]);
}

// What a compiler of C++ prints. Such a change says nothing about tests.
const COMPILER_ERROR = /^\S+:\d+:\d+: error: /m;

// A change may make a loop without end, or one that takes all memory.
const MOST_MS = 20 * 60_000;
const LEAST_FREE_MEMORY = totalmem() / 8;

/** Runs the tests, which fail if they take too long or leave too little memory. */
async function attemptWithin(args, options) {
  const limit = new AbortController();
  const end = Date.now() + MOST_MS;
  const watch = setInterval(() => {
    if (Date.now() > end || freemem() < LEAST_FREE_MEMORY) limit.abort();
  }, 500);
  try {
    return await attempt(process.execPath, args, { ...options, signal: limit.signal });
  } finally {
    clearInterval(watch);
  }
}

const NO_TEST = /no test has .* in its name or file/;

// Of core/src/query, `core/query`; of js/src/client, `js/client`.
const wordsNear = (file) => [dirname(file).replace('/src/', '/')];

/** Returns the first suite that fails with the change, or undefined. */
async function suiteThatFinds({ file, line, after, suites }) {
  const path = join(CLONE, file);
  const text = readFileSync(path, 'utf8');
  const lines = text.split('\n');
  lines[line - 1] = after;
  writeFileSync(path, lines.join('\n'));
  try {
    for (const suite of suites) {
      for (const words of [wordsNear(file), []]) {
        const args = ['scripts/test.mjs', suite, ...words];
        const env = { ENTITABLE_STOPS_EARLY: '1' };
        const { status, output } = await attemptWithin(args, { cwd: CLONE, env });
        if (status !== 0 && !NO_TEST.test(output)) {
          return COMPILER_ERROR.test(output) ? 'the compiler' : suite;
        }
      }
    }
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}

enterProject();
await main(async () => {
  const { seed, count, only, isList } = optionsOf(process.argv.slice(2));
  const mutants = chooseMutants({ seed, count }).map((mutant, index) => ({
    number: index + 1,
    ...mutant,
  }));
  const chosen = mutants.filter(({ number }) => !only || only.includes(number));
  const known = existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
  if (!isList) await prepareClone();

  for (const mutant of chosen) {
    const { number, file, line, kind, before, after } = mutant;
    say(`${number}. ${file}:${line}, ${kind}\n   - ${before.trim()}\n   + ${after.trim()}`);
    if (isList) continue;
    const key = `${isWhole() ? 'all' : 'usual'} ${file}:${line} ${after}`;
    known[key] ??= { found: (await suiteThatFinds(mutant)) ?? 'nothing' };
    writeFileSync(RESULTS, JSON.stringify(known, undefined, 1));
    say(`   found by ${known[key].found}`);
  }
});
