// fuzz.mjs - runs every fuzzer of tests/fuzz for a few seconds, from its seeds.
//
//   ENTITABLE_FUZZ_SECONDS   how long each runs; by default 1, and 4 in the whole matrix
//   ENTITABLE_SEED           repeats the choices of an earlier run
//   ENTITABLE_CORPUS         a folder that keeps inputs which reached new code; without it, every
//                            run begins with the seeds alone
//
// A failing input is written to build/fuzz/found, and fails the suite.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { forEach } from '../lib/parallel.mjs';
import { attempt } from '../lib/run.mjs';
import { progress, say } from '../lib/terminal.mjs';
import { readSeeds } from './fuzz-seeds.mjs';
import { fuzzerOf, fuzzers } from './native.mjs';
import { isWhole } from './tier.mjs';

const FOUND = 'build/fuzz/found';

/** Runs them all; each counts as one test. */
export async function runFuzz() {
  const names = fuzzers();
  const results = [];
  await forEach(names, async (name) => {
    const start = performance.now();
    const passed = Number(await runOne(name));
    const seconds = (performance.now() - start) / 1000;
    results.push({
      file: `tests/fuzz/${name}_fuzz.cc`,
      passed,
      failed: 1 - passed,
      skipped: 0,
      seconds,
    });
    progress(`${results.length}/${names.length}`);
  });
  return results;
}

async function runOne(name) {
  const seconds = process.env.ENTITABLE_FUZZ_SECONDS ?? (isWhole() ? '4' : '1');
  const seed = process.env.ENTITABLE_SEED ?? String(1 + Math.floor(Math.random() * 0x7fffffff));
  const corpus = join(process.env.ENTITABLE_CORPUS ?? 'build/fuzz/corpus', name);
  if (!process.env.ENTITABLE_CORPUS) rmSync(corpus, { recursive: true, force: true });
  for (const folder of [corpus, FOUND]) mkdirSync(folder, { recursive: true });

  const { status, output } = await attempt(
    fuzzerOf(name),
    [
      ...[`-max_total_time=${seconds}`, `-seed=${seed}`, '-max_len=4096', '-timeout=60'],
      ...[`-artifact_prefix=${FOUND}/${name}-`, '-print_final_stats=1'],
      ...[corpus, writeSeeds(name)],
    ],
    { env: { UBSAN_OPTIONS: 'print_stacktrace=1' } },
  );
  const runs = /number_of_executed_units: (\d+)/.exec(output)?.[1] ?? 'no';
  const result = `${name}_fuzz: ${runs} executions in ${seconds} s, ENTITABLE_SEED=${seed}`;
  say(status === 0 ? result : `${result}\n${output.split('\n').slice(-80).join('\n')}`);
  return status === 0;
}

// libFuzzer reads its seeds from a folder, one a file.
function writeSeeds(name) {
  const folder = `build/fuzz/seeds/${name}`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  readSeeds(name).forEach((bytes, index) => writeFileSync(`${folder}/${index}`, bytes));
  return folder;
}
