/**
 * Reads what is intact of a file that cannot be opened as a store, because a part of it is missing
 * or has other bytes. Nothing is written.
 *
 * Whole batches are applied in their order, as at an opening; between them, damaged bytes are
 * skipped up to the next head. Of a batch that reaches over the end of the file, only intact values
 * are taken, and it deletes nothing but a manifest: what it was to replace may be all that is left,
 * and the manifest before it does not know the new pages.
 *
 * @module
 */

import { BatchFile, readUpTo } from './batch-file.js';
import { crc32c } from './crc32c.js';
import type { FileSystem, OpenFile } from './file-system.js';
import {
  BATCH_MAGIC,
  decodeFileSeed,
  decodeHead,
  decodeTable,
  endOfBatch,
  FILE_HEADER_LENGTH,
  FILE_VERSION,
  HEAD_LENGTH,
  type Place,
  type PlacedChange,
} from './format.js';
import type { LoadedFile } from './load.js';
import { ValueIndex } from './value-index.js';

const WINDOW_BYTES = 64 * 2 ** 10;

/** What is left of a store, to be read and then released. */
export interface Salvaged {
  readonly file: Pick<BatchFile, 'read' | 'release'>;
  readonly index: ValueIndex;
}

/**
 * The intact values of a store; undefined, if there are none. During a move they are in two files,
 * of which the first has references to the second.
 */
export async function salvageFiles(
  fileSystem: FileSystem,
  paths: readonly string[],
): Promise<Salvaged | undefined> {
  // What cannot be read at all is as good as missing.
  const files = await Promise.all(
    paths.map((path) => salvageFile(fileSystem, path).catch(() => undefined)),
  );
  const [first, second] = files.filter((file) => file !== undefined);
  if (!first) return undefined;
  const { index } = first;
  const isElsewhere = (place: Place | undefined) => place?.isElsewhere === true;
  if (!second) {
    const lost = [...index.entries()].filter(([, place]) => isElsewhere(place));
    index.apply(lost.map(([key]) => [key, undefined]));
    return first;
  }
  // Nothing is stored during a move, so what has lost its reference is there all the same.
  const unnamed = [...second.index.entries()].filter(([key]) => !index.get(key));
  index.apply(unnamed.map(([key, place]) => [key, { ...place, isElsewhere: true }]));
  const read: BatchFile['read'] = async (places) => {
    const moved = places.map((place) => (isElsewhere(place) ? undefined : place));
    const left = places.map((place) => (isElsewhere(place) ? place : undefined));
    const values = await Promise.all([first.file.read(moved), second.file.read(left)]);
    return places.map((_, at) => values[0][at] ?? values[1][at]);
  };
  const release = async () => {
    await Promise.all([first.file.release(), second.file.release()]);
  };
  return { file: { read, release }, index };
}

// Undefined without its id, which all checksums depend on.
async function salvageFile(fileSystem: FileSystem, path: string): Promise<LoadedFile | undefined> {
  const file = await fileSystem.open(path, 'read');
  const seed = decodeFileSeed(await readUpTo(file, 0, FILE_HEADER_LENGTH));
  if (seed === undefined) {
    await file.close();
    return undefined;
  }
  const size = await file.size();
  const index = new ValueIndex();
  let at = 0;
  while ((at = await nextMagic(file, at, size)) < size) {
    const batch = await batchAt(file, at, seed);
    if (batch) index.apply(batch.end <= size ? batch.changes : await intactOf(file, batch.changes));
    at = batch?.end ?? at + 1;
  }
  const header = { version: FILE_VERSION, seed, length: FILE_HEADER_LENGTH, mark: undefined };
  const state = { header, id: undefined, boot: 0, end: size, synced: 0 };
  return { file: new BatchFile(fileSystem, path, file, state), index };
}

async function batchAt(
  file: OpenFile,
  at: number,
  seed: number,
): Promise<{ changes: PlacedChange[]; end: number } | undefined> {
  const head = decodeHead(await readUpTo(file, at, HEAD_LENGTH), seed);
  // A value may hold batches of the same file.
  if (head?.offset !== at) return undefined;
  const table = await readUpTo(file, at + HEAD_LENGTH, head.tableLength);
  const changes = decodeTable(table, head, seed);
  return changes && { changes, end: endOfBatch(head) };
}

async function intactOf(file: OpenFile, changes: readonly PlacedChange[]): Promise<PlacedChange[]> {
  const intact: PlacedChange[] = [];
  for (const [key, place] of changes) {
    if (!place || place.isElsewhere) continue;
    const value = await readUpTo(file, place.offset, place.length);
    if (value.length === place.length && crc32c(value) === place.crc) intact.push([key, place]);
    else if (key === 'pages/root') intact.push([key, undefined]);
  }
  return intact;
}

// Where the next head may be; the size, if there is none.
async function nextMagic(file: OpenFile, from: number, size: number): Promise<number> {
  for (let start = from; start + HEAD_LENGTH <= size;) {
    const bytes = await readUpTo(file, start, WINDOW_BYTES);
    const last = bytes.length - BATCH_MAGIC.length;
    for (let at = 0; (at = bytes.indexOf(BATCH_MAGIC[0]!, at)) >= 0 && at <= last; at++) {
      if (BATCH_MAGIC.every((byte, by) => bytes[at + by] === byte)) return start + at;
    }
    start += Math.max(last + 1, 1);
  }
  return size;
}
