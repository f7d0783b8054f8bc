/**
 * Finds out what a file holds: reads the heads and tables of all batches, and the values of
 * those only that may not have reached the disk.
 *
 * @module
 */

import { BatchFile, damaged, readUpTo } from './batch-file.js';
import { crc32c } from './crc32c.js';
import type { FileSystem, OpenFile } from './file-system.js';
import {
  BATCH_MAGIC,
  decodeFileHeader,
  decodeHead,
  decodeTable,
  FILE_HEADER_LENGTH,
  HEAD_LENGTH,
  type Head,
  type PlacedChange,
} from './format.js';
import { ValueIndex } from './value-index.js';

/** A store's file, and what is in it. */
export interface LoadedFile {
  readonly file: BatchFile;
  readonly index: ValueIndex;
}

/**
 * Opens the file, which must be there. A batch at its end of which a part is missing or
 * wrong was never acknowledged: it is cut off.
 *
 * @throws {@link TableError} `StorageDamaged`, if a whole batch follows one that is not, or
 * the file does not begin as one.
 */
export async function loadFile(fileSystem: FileSystem, path: string): Promise<LoadedFile> {
  const file = await fileSystem.open(path, 'read');
  try {
    return await new Loader(path, file, await file.size()).load();
  } catch (cause) {
    await file.close().catch(() => undefined);
    throw cause;
  }
}

interface FoundBatch {
  readonly head: Head;
  readonly changes: readonly PlacedChange[];
  readonly end: number;
}

// What is read at once: where the next batch may be near, and where values were skipped.
const WINDOW_BYTES = 64 * 2 ** 10;
const WINDOW_BYTES_AFTER_SKIP = 2 * 2 ** 10;

class Loader {
  readonly #path: string;
  readonly #file: OpenFile;
  readonly #size: number;
  #seed = 0;
  #window: Uint8Array = new Uint8Array();
  #windowStart = 0;

  constructor(path: string, file: OpenFile, size: number) {
    this.#path = path;
    this.#file = file;
    this.#size = size;
  }

  async load(): Promise<LoadedFile> {
    const header = decodeFileHeader(await this.#bytes(0, FILE_HEADER_LENGTH));
    if ('problem' in header) throw damaged(this.#path, 0, header.problem);
    this.#seed = header.seed;

    const batches: FoundBatch[] = [];
    let end = FILE_HEADER_LENGTH;
    for (let batch; (batch = await this.#batchAt(end)); end = batch.end) batches.push(batch);
    await this.#checkValues(batches);
    end = batches.at(-1)?.end ?? FILE_HEADER_LENGTH;
    await this.#cutAfter(end);

    const index = new ValueIndex();
    for (const { changes } of batches) index.apply(changes);
    const synced = batches.at(-1)?.head.synced ?? 0;
    return { file: new BatchFile(this.#path, this.#file, { ...header, end, synced }), index };
  }

  // Its values may be wrong.
  async #batchAt(offset: number): Promise<FoundBatch | undefined> {
    const head = decodeHead(await this.#bytes(offset, HEAD_LENGTH), offset, this.#seed);
    if (!head) return undefined;
    const tableAt = offset + HEAD_LENGTH;
    const end = tableAt + head.tableLength + head.valuesLength;
    if (end > this.#size) return undefined;
    const table = await this.#bytes(tableAt, head.tableLength);
    const changes = decodeTable(table, head, this.#seed);
    return changes && { head, changes, end };
  }

  // The last batch says what was on the disk before it.  If it is dropped, the one before
  // it does, which may say less.
  async #checkValues(batches: FoundBatch[]): Promise<void> {
    let checkedFrom = this.#size;
    for (let last; (last = batches.at(-1)) && last.head.synced < checkedFrom;) {
      const { synced } = last.head;
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
        if (!place) continue;
        if (crc32c(await this.#bytes(place.offset, place.length)) !== place.crc) return batch;
      }
    }
    return undefined;
  }

  async #cutAfter(end: number): Promise<void> {
    if (end === this.#size) return;
    if (await this.#isBatchAfter(end)) {
      throw damaged(this.#path, end, 'holds a damaged batch before a whole one');
    }
    await this.#file.truncate(end);
  }

  // A head is enough: one that was written but for its values is no torn end, either, if
  // something bad comes before it.
  async #isBatchAfter(offset: number): Promise<boolean> {
    for (let start = offset + 1; start + HEAD_LENGTH <= this.#size;) {
      const bytes = await readUpTo(this.#file, start, WINDOW_BYTES);
      const heads = bytes.length - HEAD_LENGTH + 1;
      for (let at = 0; (at = bytes.indexOf(BATCH_MAGIC[0]!, at)) >= 0 && at < heads; at++) {
        const isHead = decodeHead(bytes.subarray(at, at + HEAD_LENGTH), start + at, this.#seed);
        if (isHead) return true;
      }
      start += Math.max(heads, 1);
    }
    return false;
  }

  // A view that the next call may replace; shorter at the end of the file.
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
