/**
 * Moves what a store holds into another file, without what is dead, where there is no room for a
 * copy: from its end to its start, and the first file is cut behind what is left.
 *
 * The second file begins with references to all values in the first one. From when it has its name,
 * it is the store, and a process that dies leaves what the next one can finish.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import { readUpTo, type BatchFile } from './batch-file.js';
import { crc32c } from './crc32c.js';
import type { OpenFile } from './file-system.js';
import { bytesKept, endOf, type Change, type Place } from './format.js';
import { damaged } from './problems.js';
import { writeIncompressible } from './reserve.js';
import type { ValueIndex } from './value-index.js';

// As much as one step moves, unless one value is longer.
const STEP_BYTES = 2 ** 18;

// Of a key, in a table of references.
const REFERENCE_BYTES = 40;

// The heads of the steps.
const MORE_BYTES = 2 ** 14;

type Entry = readonly [StorageKey, Place];

/** The file that values are moved out of. */
export interface MoveSource {
  readonly file: OpenFile;
  readonly path: string;
}

/**
 * Begins the second file. Nothing is changed in the first one, but what is wrong with it and would
 * end the move halfway is found out: a value that is damaged, or too little room for a step.
 */
export async function beginMove(
  { file, path }: MoveSource,
  index: ValueIndex,
  target: BatchFile,
): Promise<void> {
  const entries = [...index.entries()];
  let longest = Math.min(STEP_BYTES, index.liveBytes);
  for (const [key, place] of entries) {
    await valueAt(file, path, place);
    longest = Math.max(longest, bytesKept(key, place));
  }
  const room = MORE_BYTES + entries.length * REFERENCE_BYTES + longest;
  await target.proveRoom((open, end) => writeIncompressible(open, end, room));
  await target.append(
    entries.map(([key, place]): Change => [key, { ...place, isElsewhere: true }]),
  );
}

/** Moves all that is not moved yet; `index` is of the second file, and learns. */
export async function finishMove(
  { file, path }: MoveSource,
  index: ValueIndex,
  target: BatchFile,
): Promise<void> {
  const left = [...index.entries()].filter(([, place]) => place.isElsewhere);
  left.sort(([, one], [, other]) => one.offset - other.offset || one.length - other.length);
  while (left.length > 0) {
    const step = takeLast(left);
    const changes: Change[] = [];
    for (const [key, place] of step) changes.push([key, await valueAt(file, path, place)]);
    index.apply(await target.append(changes));
    await target.sync();
    const last = left.at(-1);
    await file.truncate(last ? endOf(last[1]) : 0);
  }
}

function takeLast(left: Entry[]): Entry[] {
  const step: Entry[] = [];
  let bytes = 0;
  for (let last; (last = left.at(-1));) {
    bytes += bytesKept(...last);
    if (step.length > 0 && bytes > STEP_BYTES) break;
    step.unshift(left.pop()!);
  }
  return step;
}

async function valueAt(file: OpenFile, path: string, place: Place): Promise<Uint8Array> {
  const value = await readUpTo(file, place.offset, place.length);
  if (value.length === place.length && crc32c(value) === place.crc) return value;
  throw damaged(path, place.offset, 'holds a value that is damaged');
}
