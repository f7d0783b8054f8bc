// kept.mjs - the outputs of builds in the cache folder, for all work trees of this machine.
//
// In an entry (entries.mjs), `files` has the outputs, and `list` the hash of each. A file that does
// not fit its hash removes the entry. When all entries exceed the limit, those that were not used
// for longest are deleted.

import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { cacheFolder } from './cache.mjs';
import { addEntry, useEntry } from './entries.mjs';

// With the objects of ccache (cache.mjs), the cache of builds has 2 GB at most.
const LIMIT_BYTES = Number(process.env.ENTITABLE_KEPT_BYTES || 1e9);

const FOLDER = () => cacheFolder('built-1');

/** Keeps a copy of the files, whose paths are relative to the work tree. */
export async function keep(key, files) {
  const fill = (entry) => {
    for (const file of files) copy(file, join(entry, 'files', file));
    return files.map((file) => `${hashOf(file)} ${file}`).join('\n');
  };
  await addEntry(FOLDER(), key, fill, removeOldest);
}

/** Whether there is an entry. It may still be damaged. */
export const isKept = (key) => existsSync(join(FOLDER(), key));

/**
 * Puts the files of an entry in the place of `outputs`, which are files and folders. Returns false
 * if there is no whole entry.
 */
export const restore = (key, outputs) =>
  useEntry(FOLDER(), key, (entry) => {
    for (const output of outputs) rmSync(output, { recursive: true, force: true });
    for (const { hash, file } of listOf(entry)) {
      const kept = join(entry, 'files', file);
      if (hashOf(kept) !== hash) throw new Error(`${kept} is damaged`);
      copy(kept, file);
    }
  });

function listOf(entry) {
  return readFileSync(join(entry, 'list'), 'utf8')
    .split('\n')
    .map((line) => /^(?<hash>\w{64}) (?<file>.+)$/.exec(line).groups);
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  // The old file may be a program that still runs, which cannot be overwritten.
  rmSync(to, { force: true });
  copyFileSync(from, to);
}

const hashOf = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

function removeOldest(entries) {
  let bytes = 0;
  for (const entry of entries) {
    bytes += bytesIn(entry);
    if (bytes > LIMIT_BYTES) rmSync(entry, { recursive: true, force: true });
  }
}

const bytesIn = (entry) =>
  readdirSync(entry, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(entry, name), { throwIfNoEntry: false }))
    .reduce((total, stats) => total + (stats?.isFile() ? stats.size : 0), 0);
