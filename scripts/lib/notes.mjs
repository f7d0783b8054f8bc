// notes.mjs - notes in the cache folder about checks that passed: a check that reads files alone,
// and has passed on the same files, need not run again.

import {
  existsSync,
  mkdirSync,
  readdirSync,
  statSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { cacheFolder } from './cache.mjs';

const LIMIT = 20_000;

const FOLDER = () => cacheFolder('passed-1');

/** Whether there is a note. */
export function hasPassed(key) {
  const note = join(FOLDER(), key);
  if (!existsSync(note)) return false;
  utimesSync(note, new Date(), new Date());
  return true;
}

export function notePassed(key) {
  mkdirSync(FOLDER(), { recursive: true });
  writeFileSync(join(FOLDER(), key), '');
}

/** Deletes the notes that were not read for longest, if there are too many. */
export function trimNotes() {
  const notes = existsSync(FOLDER()) ? readdirSync(FOLDER()) : [];
  if (notes.length <= LIMIT) return;
  const used = (name) => statSync(join(FOLDER(), name)).mtimeMs;
  const oldest = notes.map((name) => [name, used(name)]).sort(([, a], [, b]) => a - b);
  for (const [name] of oldest.slice(0, notes.length - LIMIT)) rmSync(join(FOLDER(), name));
}
