// linked.mjs - folders of installed packages in the cache folder, for all work trees.
//
// The files of an entry (entries.mjs) and of the work trees are the same ones by hard links, so a
// copy takes no room and a second or two. A program that writes into a file, instead of replacing
// it, changes it for all of them. Therefore `list` has a hash over the sizes and dates of all
// files, and an entry goes when they have changed. Without hard links, as on another disk, nothing
// is kept.

import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { cacheFolder } from './cache.mjs';
import { addEntry, useEntry } from './entries.mjs';
import { attempt } from './run.mjs';

// The lock files of a work tree, and of one at another commit.
const MOST_ENTRIES = 24;

const PLACE = () => cacheFolder('packages-1');

/** Keeps a folder of the work tree under that key. */
export async function keepFolder(key, folder) {
  const fill = async (entry) => {
    const files = join(entry, 'files');
    return (await link(folder, files)) ? stateOf(files) : undefined;
  };
  await addEntry(PLACE(), key, fill, (entries) => {
    for (const entry of entries.slice(MOST_ENTRIES)) {
      rmSync(entry, { recursive: true, force: true });
    }
  });
}

/** Makes the folder from the entry of that key. Returns false if there is no whole entry. */
export async function restoreFolder(key, folder) {
  return await useEntry(PLACE(), key, async (entry) => {
    const files = join(entry, 'files');
    rmSync(folder, { recursive: true, force: true });
    if (readFileSync(join(entry, 'list'), 'utf8') !== stateOf(files)) {
      throw new Error(`${entry} is damaged`);
    }
    mkdirSync(dirname(folder), { recursive: true });
    if (await link(files, folder)) return;
    rmSync(folder, { recursive: true, force: true });
    throw new Error(`${entry} cannot be linked`);
  });
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
