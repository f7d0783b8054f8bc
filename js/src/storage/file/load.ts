/**
 * Reads the contents of a file: the heads and tables of all batches, and only those values that may
 * not have reached the disk.
 *
 * @module
 */

import { BatchFile, readUpTo, type BatchFileState } from './batch-file.js';
import { crc32c } from './crc32c.js';
import type { FileSystem, OpenFile } from './file-system.js';
import {
  BATCH_MAGIC,
  decodeFileHeader,
  decodeHead,
  decodeTable,
  endOfBatch,
  FILE_HEADER_LENGTH,
  HEAD_LENGTH,
  type FileHeader,
  type Head,
  type Mark,
  type PlacedChange,
} from './format.js';
import { damaged } from './problems.js';
import { ValueIndex } from './value-index.js';

/** The file of a store, and the places of its values. */
export interface LoadedFile {
  readonly file: BatchFile;
  readonly index: ValueIndex;
}

/** How many bytes of the file are not needed any more. */
export function deadBytesOf({ file, index }: LoadedFile): number {
  return file.end - index.liveBytes;
}

/** Saves the bytes behind `offset` before they are cut off. */
export type KeepEnd = (file: OpenFile, offset: number, size: number) => Promise<void>;

/**
 * Opens the file, which must exist. If a crash interrupted the last batch, that batch was never
 * acknowledged: `keepEnd` gets its bytes, and they are cut off.
 *
 * @throws {@link TableError} `StorageDamaged`, if a batch is missing or damaged that was there
 * before: a mark or a later batch proves that. The file stays as it is.
 */
export async function loadFile(
  fileSystem: FileSystem,
  path: string,
  boot: number,
  keepEnd: KeepEnd,
): Promise<LoadedFile> {
  const file = await fileSystem.open(path, 'read');
  try {
    const id = (await fileSystem.stat(path))?.id;
    const { state, index } = await new Loader(path, file, await file.size()).load(boot, keepEnd);
    return { file: new BatchFile(fileSystem, path, file, { ...state, id }), index };
  } catch (cause) {
    await file.close().catch(() => undefined);
    throw cause;
  }
}

/**
 * Takes over the batches that other tabs have appended to an open file.
 *
 * @param isHeld - whether no other tab can change the file now.
 * @param isCurrent - whether the file is the store, and its values are not being moved.
 * @returns false, if this tab must hold the file and look again, or load it: the file is not the
 * store any more, or something follows the last whole batch, or a batch is missing.
 */
export async function catchUp(
  { file, index }: LoadedFile,
  isHeld: boolean,
  isCurrent: () => Promise<boolean>,
): Promise<boolean> {
  // A file that was replaced may be closed already.
  if (isHeld && !(await isCurrent())) return false;
  const { openFile: source, path, end, seed } = file;
  const header = decodeFileHeader(await readUpTo(source, 0, FILE_HEADER_LENGTH));
  if ('problem' in header || !header.mark) return false;
  // Read after the mark, so that the bytes that the mark proves are there.
  const size = await source.size();
  const batches = await new Loader(path, source, size, seed).wholeBatchesFrom(end);
  const newEnd = batches.at(-1)?.end ?? end;
  const { length, isClosed } = header.mark;
  const isProven = isClosed ? newEnd === length : newEnd >= length;
  if (newEnd !== size || !isProven) return false;
  // A move has a file of its own before it cuts off batches of this one.
  if (!isHeld && !(await isCurrent())) return false;
  for (const { changes } of batches) index.apply(changes);
  file.advance(header.mark, newEnd);
  return true;
}

// All bytes that were on the disk; and while the system runs, all bytes that it was given.
function provenBy({ mark, length }: FileHeader, boot: number): number {
  if (!mark) return length;
  return boot !== 0 && mark.boot === boot ? mark.written : mark.length;
}

interface FoundBatch {
  readonly head: Head;
  readonly changes: readonly PlacedChange[];
  readonly end: number;
}

// Read together: near the next batch, and after skipped values.
const WINDOW_BYTES = 64 * 2 ** 10;
const WINDOW_BYTES_AFTER_SKIP = 2 * 2 ** 10;

class Loader {
  readonly #path: string;
  readonly #file: OpenFile;
  readonly #size: number;
  #seed: number;
  #window: Uint8Array = new Uint8Array();
  #windowStart = 0;

  /** @param size - the bytes behind this place are not read. */
  constructor(path: string, file: OpenFile, size: number, seed = 0) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
    this.#seed = seed;
  }

  async load(
    boot: number,
    keepEnd: KeepEnd,
  ): Promise<{ state: Omit<BatchFileState, 'id'>; index: ValueIndex }> {
    const header = decodeFileHeader(await this.#bytes(0, FILE_HEADER_LENGTH));
    if ('problem' in header) throw damaged(this.#path, header.offset, header.problem);
    this.#seed = header.seed;
    const proven = provenBy(header, boot);

    const batches = await this.batchesFrom(header.length);
    await this.#checkValues(batches, proven);
    const end = batches.at(-1)?.end ?? header.length;
    this.#checkLength(header.mark, batches, proven, end);
    await this.#cutAfter(end, batches.at(-1), keepEnd);

    const index = new ValueIndex();
    for (const { changes } of batches) index.apply(changes);
    const onDisk = header.mark?.length ?? header.length;
    const synced = Math.max(batches.at(-1)?.head.synced ?? 0, onDisk);
    return { state: { header, boot, end, synced }, index };
  }

  /** The whole batches from this place on. Their values may be damaged. */
  async batchesFrom(start: number): Promise<FoundBatch[]> {
    const batches: FoundBatch[] = [];
    let end = start;
    for (let batch; (batch = await this.#batchAt(end)); end = batch.end) batches.push(batch);
    return batches;
  }

  /** The same without a last batch of which not all is there: another tab may be writing it. */
  async wholeBatchesFrom(start: number): Promise<FoundBatch[]> {
    const batches = await this.batchesFrom(start);
    if (await this.#firstBad(batches.slice(-1))) batches.pop();
    return batches;
  }

  async #batchAt(offset: number): Promise<FoundBatch | undefined> {
    if (offset + HEAD_LENGTH > this.#size) return undefined;
    const head = await this.#headAt(offset);
    const end = head && endOfBatch(head);
    if (!end || end > this.#size) return undefined;
    const table = await this.#bytes(offset + HEAD_LENGTH, head.tableLength);
    const changes = decodeTable(table, head, this.#seed);
    return changes && { head, changes, end };
  }

  async #headAt(offset: number): Promise<Head | undefined> {
    const head = decodeHead(await this.#bytes(offset, HEAD_LENGTH), this.#seed);
    return head?.offset === offset ? head : undefined;
  }

  // The mark and the last batch say which bytes were on the disk before them. Without that batch,
  // the one before it counts, which may prove less.
  async #checkValues(batches: FoundBatch[], proven: number): Promise<void> {
    let checkedFrom = this.#size;
    for (let last; (last = batches.at(-1));) {
      const synced = Math.max(last.head.synced, proven);
      if (synced >= checkedFrom) return;
      const bad = await this.#firstBad(
        batches.filter(({ head }) => head.offset >= synced && head.offset < checkedFrom),
      );
      checkedFrom = synced;
      if (!bad) continue;
      if (bad !== last) throw damaged(this.#path, bad.head.offset, 'holds a damaged batch');
      batches.pop();
    }
  }

  async #firstBad(batches: readonly FoundBatch[]): Promise<FoundBatch | undefined> {
    for (const batch of batches) {
      for (const [, place] of batch.changes) {
        if (!place || place.isElsewhere) continue;
        if (crc32c(await this.#bytes(place.offset, place.length)) !== place.crc) return batch;
      }
    }
    return undefined;
  }

  // The mark proves these bytes: a crash does not remove them.
  #checkLength(
    mark: Mark | undefined,
    batches: readonly FoundBatch[],
    proven: number,
    end: number,
  ): void {
    if (!mark) return;
    const isEnd = proven === FILE_HEADER_LENGTH || batches.some((batch) => batch.end === proven);
    if (!isEnd) throw damaged(this.#path, end, `has lost what it had up to byte ${proven}`);
    if (mark.isClosed && this.#size !== mark.length) {
      const what = `has ${this.#size} bytes, and had ${mark.length} when it was closed`;
      throw damaged(this.#path, mark.length, what);
    }
  }

  async #cutAfter(end: number, last: FoundBatch | undefined, keepEnd: KeepEnd): Promise<void> {
    if (end === this.#size) return;
    if (await this.#isBatchAfter(end)) {
      throw damaged(this.#path, end, 'holds a damaged batch before another one');
    }
    // If a byte of its values is missing, the bytes behind them became part of it.
    const bad = await this.#firstBad(last ? [last] : []);
    if (bad) throw damaged(this.#path, bad.head.offset, 'holds a damaged batch');
    await keepEnd(this.#file, end, this.#size);
    await this.#file.truncate(end);
  }

  // A head anywhere is enough: a crash neither moves bytes nor leaves out some in the middle. Only
  // a value of the interrupted batch may contain older batches, if the app stored the file in
  // itself.
  async #isBatchAfter(offset: number): Promise<boolean> {
    const interrupted = await this.#headAt(offset);
    const interruptedEnd = interrupted ? endOfBatch(interrupted) : offset;
    for (let start = offset + 1; start + HEAD_LENGTH <= this.#size;) {
      const bytes = await readUpTo(this.#file, start, WINDOW_BYTES);
      const heads = bytes.length - HEAD_LENGTH + 1;
      for (let at = 0; (at = bytes.indexOf(BATCH_MAGIC[0]!, at)) >= 0 && at < heads; at++) {
        const head = decodeHead(bytes.subarray(at, at + HEAD_LENGTH), this.#seed);
        const isOfValue = start + at < interruptedEnd && head && head.offset < offset;
        if (head && !isOfValue) return true;
      }
      start += Math.max(heads, 1);
    }
    return false;
  }

  // A view that the next call may replace; it is shorter at the end of the file.
  async #bytes(offset: number, length: number): Promise<Uint8Array> {
    const windowEnd = this.#windowStart + this.#window.length;
    if (offset < this.#windowStart || offset + length > windowEnd) {
      const ahead = offset > windowEnd ? WINDOW_BYTES_AFTER_SKIP : WINDOW_BYTES;
      this.#window = await readUpTo(this.#file, offset, Math.max(length, ahead));
      this.#windowStart = offset;
    }
    const start = offset - this.#windowStart;
    return this.#window.subarray(start, start + length);
  }
}
