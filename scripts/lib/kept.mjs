// kept.mjs - the outputs of builds in the cache folder, for all work trees of this machine.
//
// An entry is a folder: `files` has the outputs, `list` the hash of each. It is made under another
// name and renamed, so runs at the same time never see half of one. A file that does not fit its
// hash removes the entry. When all entries exceed the limit, those that were not used for longest
// are deleted.

import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
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

// With the objects of ccache (cache.mjs), the cache of builds has 2 GB at most.
const LIMIT_BYTES = Number(process.env.ENTITABLE_KEPT_BYTES || 1e9);

const FOLDER = () => cacheFolder('built-1');

/** Keeps a copy of the files, whose paths are relative to the work tree. */
export function keep(key, files) {
  const entry = join(FOLDER(), key);
  const unfinished = join(FOLDER(), `unfinished-${randomUUID()}`);
  try {
    for (const file of files) copy(file, join(unfinished, 'files', file));
    const list = files.map((file) => `${hashOf(file)} ${file}`);
    writeFileSync(join(unfinished, 'list'), list.join('\n'));
    rmSync(entry, { recursive: true, force: true });
    renameSync(unfinished, entry);
    removeOldest();
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another run has kept the same in this moment, or the disk is full. The outputs are here.
    if (!['EEXIST', 'ENOTEMPTY', 'ENOENT', 'ENOSPC', 'EROFS', 'EACCES'].includes(error.code)) {
      throw error;
    }
  }
}

/** Whether there is an entry. It may still be damaged. */
export const isKept = (key) => existsSync(join(FOLDER(), key));

/**
 * Puts the files of an entry in the place of `outputs`, which are files and folders. Returns false
 * if there is no whole entry.
 */
export function restore(key, outputs) {
  if (!isKept(key)) return false;
  const entry = join(FOLDER(), key);
  try {
    for (const output of outputs) rmSync(output, { recursive: true, force: true });
    for (const { hash, file } of listOf(entry)) {
      const kept = join(entry, 'files', file);
      if (hashOf(kept) !== hash) throw new Error(`${kept} is damaged`);
      copy(kept, file);
    }
    utimesSync(entry, new Date(), new Date());
    return true;
  } catch {
    // Damaged, or deleted by another run in this moment.
    rmSync(entry, { recursive: true, force: true });
    return false;
  }
}

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

function removeOldest() {
  const entries = readdirSync(FOLDER())
    .map((name) => join(FOLDER(), name))
    .filter((entry) => existsSync(join(entry, 'list')))
    .map((entry) => ({ entry, used: statSync(entry).mtimeMs, bytes: bytesIn(entry) }))
    .sort((a, b) => b.used - a.used);
  let bytes = 0;
  for (const one of entries) {
    bytes += one.bytes;
    if (bytes > LIMIT_BYTES) rmSync(one.entry, { recursive: true, force: true });
  }
  removeUnfinished();
}

const bytesIn = (entry) =>
  readdirSync(entry, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(entry, name), { throwIfNoEntry: false }))
    .reduce((total, stats) => total + (stats?.isFile() ? stats.size : 0), 0);

// What a killed run has left. No run needs a day for one entry.
function removeUnfinished() {
  for (const name of readdirSync(FOLDER()).filter((name) => name.startsWith('unfinished-'))) {
    const folder = join(FOLDER(), name);
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats && Date.now() - stats.mtimeMs > 86_400_000) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}
