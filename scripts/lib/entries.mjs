// entries.mjs - folders of results in the cache folder, safe for several runs at once.
//
// An entry is made under another name and renamed when it is whole, so no run sees half of one.
// `list` in it says what it has, so an entry without one is not whole either.

import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

// Another run has kept the same in this moment, or the disk takes no more. The results are in the
// work tree.
const HARMLESS = ['EEXIST', 'ENOTEMPTY', 'ENOENT', 'ENOSPC', 'EROFS', 'EACCES'];

const DAY_MS = 86_400_000;

/**
 * Makes an entry. `fill` puts files into the folder that it gets, and returns their list. `trim`
 * gets all entries, the one that was used last first, and deletes what is too much.
 */
export async function addEntry(place, key, fill, trim) {
  const unfinished = join(place, `unfinished-${randomUUID()}`);
  try {
    mkdirSync(unfinished, { recursive: true });
    const list = await fill(unfinished);
    // Without a list, nothing can be kept here.
    if (list === undefined) return;
    writeFileSync(join(unfinished, 'list'), list);
    rmSync(join(place, key), { recursive: true, force: true });
    renameSync(unfinished, join(place, key));
    trim(entriesByUse(place));
  } catch (error) {
    if (!HARMLESS.includes(error.code)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Uses an entry, if there is one. One that `use` throws at is damaged, and deleted. */
export async function useEntry(place, key, use) {
  const entry = join(place, key);
  if (!existsSync(entry)) return false;
  try {
    await use(entry);
    utimesSync(entry, new Date(), new Date());
    return true;
  } catch {
    // Damaged, or deleted by another run in this moment.
    rmSync(entry, { recursive: true, force: true });
    return false;
  }
}

// Deletes what killed runs have left, too.
function entriesByUse(place) {
  const used = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const paths = readdirSync(place).map((name) => join(place, name));
  // No run needs a day for one entry.
  const isLeft = (path) => /unfinished-[^/]*$/.test(path) && Date.now() - used(path) > DAY_MS;
  for (const path of paths.filter(isLeft)) rmSync(path, { recursive: true, force: true });
  return paths.filter((path) => existsSync(join(path, 'list'))).sort((a, b) => used(b) - used(a));
}
