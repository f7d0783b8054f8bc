// fresh.mjs - skips a step if the contents of its inputs have not changed since the last run. It
// does not compare times, because a checkout changes them.

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Does `work`, unless `inputs` (files and folders) are the same as at the last success and all
 * `outputs` exist. Returns false if it was skipped.
 */
export async function unlessFresh(step, work) {
  if (isFresh(step)) return false;
  const print = fingerprint(step.inputs);
  // If the work fails, the outputs are a mixture.
  rmSync(step.stamp, { force: true });
  await work();
  mkdirSync(dirname(step.stamp), { recursive: true });
  writeFileSync(step.stamp, print);
  return true;
}

/** Whether there is nothing to do. */
export function isFresh({ stamp, inputs, outputs }) {
  return (
    outputs.every((path) => existsSync(path)) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === fingerprint(inputs)
  );
}

/** A hash over the names and contents of files, and of all files in folders. */
function fingerprint(paths) {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf).sort()) {
    const contents = readFileSync(file);
    hash.update(`${file}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex');
}

function filesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [path];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}
