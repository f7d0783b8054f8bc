// linked.mjs - folders of installed packages in the cache folder, for all work trees.
//
// The files of an entry and of the work trees are the same ones by hard links, so a copy takes no
// room and a second or two. Whoever writes into a file, instead of replacing it, writes into all of
// them. So an entry has the sizes and dates of its files, and goes when they have changed. Without
// hard links, as on another disk, nothing is kept.

import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { cacheFolder } from './cache.mjs';
import { attempt } from './run.mjs';

// The lock files of a work tree, and of one at another commit.
const MOST_ENTRIES = 24;

const PLACE = () => cacheFolder('packages-1');

/** Keeps a folder of the work tree under that key. */
export async function keepFolder(key, folder) {
  const unfinished = join(PLACE(), `unfinished-${randomUUID()}`);
  try {
    mkdirSync(unfinished, { recursive: true });
    if (!(await link(folder, join(unfinished, 'files')))) return;
    writeFileSync(join(unfinished, 'state'), stateOf(join(unfinished, 'files')));
    rmSync(join(PLACE(), key), { recursive: true, force: true });
    renameSync(unfinished, join(PLACE(), key));
    removeOldest();
  } catch {
    // Another run has kept the same in this moment, or the disk is full. The folder is here.
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Makes the folder from the entry of that key. Returns false if there is no whole entry. */
export async function restoreFolder(key, folder) {
  const entry = join(PLACE(), key);
  if (!existsSync(entry)) return false;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    const isWhole =
      readFileSync(join(entry, 'state'), 'utf8') === stateOf(join(entry, 'files')) &&
      (await link(join(entry, 'files'), folder));
    if (!isWhole) throw new Error(`${entry} is damaged`);
    utimesSync(entry, new Date(), new Date());
    return true;
  } catch {
    // Or deleted by another run in this moment.
    for (const path of [entry, folder]) rmSync(path, { recursive: true, force: true });
    return false;
  }
}

// `cp` of GNU. Others know no option -l, and no disk links a file of another one.
const link = async (from, to) => (await attempt('cp', ['-al', from, to])).status === 0;

/** A hash over names, sizes and dates of all files. */
function stateOf(folder) {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const name of names.sort()) {
    const stats = lstatSync(join(folder, name));
    if (stats.isFile()) hash.update(`${name}\0${stats.size}\0${stats.mtimeMs}\0`);
  }
  return hash.digest('hex');
}

function removeOldest() {
  const entries = readdirSync(PLACE())
    .map((name) => join(PLACE(), name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const entry of entries.slice(MOST_ENTRIES)) rmSync(entry, { recursive: true, force: true });
}
