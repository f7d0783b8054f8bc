// fresh.mjs - a step is skipped while its inputs are, byte for byte, those of the
// last time.  Contents and not times, because a checkout gives new times.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Does `work` unless `inputs` (files and folders) have not changed since it last
 * succeeded and all `outputs` are still there.  Returns false when it was skipped.
 */
export async function unlessFresh(step, work) {
  if (isFresh(step)) return false;
  const print = fingerprint(step.inputs);
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
