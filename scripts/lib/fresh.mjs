// fresh.mjs - a step of the build runs only if its inputs have changed, in this work tree and in
// every other one of this machine.
//
// A step is { name, inputs, outputs, tools }:
//
// - `inputs`: files and folders. Their names and contents count, and their dates do not, because a
//   checkout changes them.
// - `outputs`: files and folders that the step makes.
// - `tools`: text about the programs that do the work, such as their versions. Packages of npm are
//   named by the lock file, which is an input.
//
// `build/stamps/NAME` has the key of what was made here last, and the files. What another work tree
// has made of the same inputs is in the cache folder under that key (kept.mjs).

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
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';

import { isKept, keep, restore } from './kept.mjs';

/**
 * Does `work`, unless its outputs are here or can be restored. Returns false if there was nothing
 * to do.
 */
export async function unlessFresh(step, work) {
  if (isFresh(step)) return false;
  const key = keyOf(step);
  const stamp = stampOf(step);
  // If the work fails, the outputs are a mixture.
  rmSync(stamp, { force: true });
  const isRestored = await restore(key, step.outputs);
  if (!isRestored) await work();
  const files = step.outputs.flatMap(filesOf);
  const missing = step.outputs.find((path) => !existsSync(path));
  if (missing) throw new Error(`${step.name} has not made ${missing}`);
  // If an input was edited meanwhile, the outputs are of no known inputs.
  if (!isRestored && keyOf(step) === key) await keep(key, files);
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, `${[key, ...files].join('\n')}\n`);
  return true;
}

/** Whether the outputs are here, and are those of the present inputs. */
export function isFresh(step) {
  const stamp = stampOf(step);
  if (!existsSync(stamp)) return false;
  const [key, ...files] = readFileSync(stamp, 'utf8').trim().split('\n');
  return key === keyOf(step) && files.every((file) => existsSync(file));
}

/** Whether the outputs of the present inputs are here, or another work tree has made them. */
export const isMade = (step) => isFresh(step) || isKept(keyOf(step));

const stampOf = ({ name }) => `build/stamps/${name}`;

function keyOf({ name, inputs, tools = '' }) {
  const machine = `${platform()} ${arch()} node ${process.version}`;
  return `${name}-${fingerprint(inputs, `${machine}\0${tools}`)}`;
}

/** A hash over `text`, and the names and contents of files and of all files in folders. */
export function fingerprint(paths, text = '') {
  const hash = createHash('sha256').update(text);
  for (const file of paths.flatMap(filesOf).sort()) {
    const contents = readFileSync(file);
    hash.update(`\0${file}\0${contents.length}\0`).update(contents);
  }
  return hash.digest('hex');
}

/** The file of that name, or all files in the folder of that name, without installed packages. */
export function filesOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [path];
  return readdirSync(path)
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => filesOf(join(path, name)));
}
