// cmake.mjs - configures and builds a preset of CMakePresets.json, with the objects that other work
// trees have compiled.

import { existsSync, readFileSync } from 'node:fs';

import { compilerCache } from './cache.mjs';
import { note } from './phases.mjs';
import { run } from './run.mjs';

/** Builds targets of a preset; all of them if none is named. */
export async function buildPreset(preset, targets = [], env = {}) {
  const options = { env: { ...compilerCache(), ...env } };
  await run('cmake', ['--preset', preset], options);

  const log = `build/${preset}/.ninja_log`;
  const before = new Set(linesOf(log));
  const start = performance.now();
  const wanted = targets.flatMap((target) => ['--target', target]);
  await run('cmake', ['--build', `build/${preset}`, ...wanted], options);
  for (const line of linesOf(log).filter((one) => !before.has(one))) noteStep(line, start);
}

const linesOf = (file) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

// A line of ninja's log: when the step began and ended, in milliseconds after ninja did, a date,
// and what the step made. A step with several outputs has a line for each.
function noteStep(line, start) {
  const [from, to, , output] = line.split('\t');
  if (!output) return;
  const phase = /\.(o|gch|pch)$/.test(output) ? 'compile' : 'link';
  note(phase, start + Number(from), start + Number(to));
}
