/**
 * Moves the values of a store to another file without dead bytes, where there is no room for a
 * copy. It moves them from the end to the start, and cuts the first file behind the rest.
 *
 * The second file begins with references to all values in the first file. As soon as it has its
 * name, it is the store. If the process dies, the next one finishes the move.
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

// The most bytes of one step, unless one value is longer.
const STEP_BYTES = 2 ** 18;

// The size of a reference to a key.
const REFERENCE_BYTES = 40;

// The size of the heads of the steps.
const MORE_BYTES = 2 ** 14;

type Entry = readonly [StorageKey, Place];

/** The old file. */
export interface MoveSource {
  readonly file: OpenFile;
  readonly path: string;
}

/**
 * Begins the second file, and does not change the first one. It finds everything that would end the
 * move halfway: a damaged value, or too little room for a step.
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

/** Moves all remaining values. `index` is the index of the second file, and is updated. */
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
    const end = target.end;
    index.apply(await target.append(changes));
    try {
      await target.sync();
    } catch (cause) {
      // The next opening must not find bytes that may never reach the disk.
      await target.cut(end);
      throw cause;
    }
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
