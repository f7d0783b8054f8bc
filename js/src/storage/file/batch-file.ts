/**
 * An open file of batches. It appends batches and reads values.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import { crc32c } from './crc32c.js';
import type { FileSystem, OpenFile } from './file-system.js';
import {
  decodeFileHeader,
  encodeBatch,
  encodeFileHeader,
  encodeMark,
  endOf,
  type Change,
  type FileHeader,
  type Mark,
  type Place,
  type PlacedChange,
} from './format.js';
import { damaged, gone } from './problems.js';

/** The state of an open file. */
export interface BatchFileState {
  readonly header: FileHeader;

  /** The identity of the file in the file system. */
  readonly id: string | undefined;

  /** The run of the operating system; 0, if it is not known. */
  readonly boot: number;

  /** The place of the next batch: the end of the last one. */
  readonly end: number;

  /** All bytes before this place are known to be on the disk. */
  readonly synced: number;
}

// Values with smaller gaps between them are read together, up to this size.
const MAX_GAP_BYTES = 4 * 2 ** 10;
const MAX_EXTENT_BYTES = 2 ** 20;

export class BatchFile {
  readonly path: string;
  readonly #fileSystem: FileSystem;
  readonly #id: string | undefined;
  readonly #file: OpenFile;

  /** Part of the checksum of every batch. */
  readonly seed: number;

  /** The version of its format. Only the newest version has marks. */
  readonly version: number;
  readonly #boot: number;
  #mark: Mark | undefined;
  #end: number;
  #synced: number;

  // The reads that have not ended, and one for the store itself.
  #users = 1;
  #onRelease: (() => void) | undefined;

  constructor(fileSystem: FileSystem, path: string, file: OpenFile, state: BatchFileState) {
    const { header, id, boot, end, synced } = state;
    this.path = path;
    this.version = header.version;
    this.#fileSystem = fileSystem;
    this.#id = id;
    this.#file = file;
    this.seed = header.seed;
    this.#boot = boot;
    this.#mark = header.mark;
    this.#end = end;
    this.#synced = synced;
  }

  /** Makes an empty file `at` a place, or replaces the file there. It will be moved to `path`. */
  static async make(
    fileSystem: FileSystem,
    at: string,
    path: string,
    boot: number,
  ): Promise<BatchFile> {
    const bytes = encodeFileHeader(crypto.getRandomValues(new Uint8Array(16)));
    const header = decodeFileHeader(bytes) as FileHeader;
    const file = await fileSystem.open(at, 'make');
    try {
      await writeAll(file, bytes, 0);
      const id = (await fileSystem.stat(at))?.id;
      const state = { header, id, boot, end: header.length, synced: 0 };
      return new BatchFile(fileSystem, path, file, state);
    } catch (cause) {
      await file.close();
      throw cause;
    }
  }

  /**
   * Returns why new commits would be lost: the file is not at its place any more
   * (`StorageEvicted`), or was cut (`StorageDamaged`). Undefined, if all is well.
   */
  async loss(): Promise<TableError | undefined> {
    const end = this.#end;
    const found = await this.#fileSystem.stat(this.path);
    if (!found) return gone(this.path);
    // Where tabs share the files, one of them may have rewritten the store.
    if (found.id !== this.#id) return this.#fileSystem.isShared ? undefined : gone(this.path);
    if (found.size >= end) return undefined;
    return damaged(this.path, found.size, `has lost what it had up to byte ${end}`);
  }

  /** True if another tab has put another file in its place. */
  async isReplaced(): Promise<boolean> {
    return (await this.#fileSystem.stat(this.path))?.id !== this.#id;
  }

  /** Other tabs may have appended batches, up to `end`, and written the mark. */
  advance(mark: Mark, end: number): void {
    this.#mark = mark;
    this.#end = end;
    this.#synced = Math.max(this.#synced, mark.length);
  }

  get end(): number {
    return this.#end;
  }

  get unsyncedBytes(): number {
    return this.#end - this.#synced;
  }

  /**
   * True if the file is marked as closed: then `append()` needs `markOpen()` and `sync()` before
   * it.
   */
  get isClosed(): boolean {
    return this.#mark?.isClosed === true;
  }

  /**
   * Marks the file as open. The mark must be on the disk before the next append: otherwise the
   * appended bytes would look like damage.
   */
  async markOpen(): Promise<void> {
    await this.#setMark(false);
  }

  /** Writes a mark about batches that no sync has brought to the disk. */
  async markWritten(): Promise<void> {
    // The batches are as safe without it. The next mark goes to the same place.
    await this.#setMark(false).catch(() => undefined);
  }

  /**
   * Writes a batch behind the last one. If that fails, `cut()` must remove the written part before
   * the next append.
   */
  async append(changes: readonly Change[]): Promise<PlacedChange[]> {
    const at = { offset: this.#end, synced: this.#synced, seed: this.seed };
    const { bytes, places } = encodeBatch(changes, at);
    const placed = changes.map(([key], index): PlacedChange => [key, places[index]]);
    await writeAll(this.#file, bytes, this.#end);
    this.#end += bytes.length;
    return placed;
  }

  /**
   * Checks that there is room: `fill` writes behind the last batch, and those bytes are cut off
   * again.
   */
  async proveRoom(fill: (file: OpenFile, end: number) => Promise<void>): Promise<void> {
    try {
      await fill(this.#file, this.#end);
    } finally {
      await this.cut();
    }
  }

  /** Resolves when no other read is left. No read may begin before that. */
  async whenUnused(): Promise<void> {
    while (this.#users > 1) await new Promise<void>((resolve) => (this.#onRelease = resolve));
  }

  /** The open file, for a move of its values. */
  get openFile(): OpenFile {
    return this.#file;
  }

  /**
   * Cuts off everything behind the last batch, or behind an earlier one. Rejects if that is not
   * possible.
   */
  async cut(end = this.#end): Promise<void> {
    await this.#file.truncate(end);
    this.#end = end;
  }

  /**
   * Brings all batches to the disk, and marks that. After a failure, a later success proves
   * nothing: the system may have dropped the bytes that it could not write.
   */
  async sync(): Promise<void> {
    await this.#syncBatches();
    await this.markWritten();
  }

  /**
   * The same for a file that no process opens before this has succeeded: one sync for the batches
   * and the mark.
   */
  async seal(): Promise<void> {
    await this.#setMark(false, this.#end);
    await this.#syncBatches();
  }

  /**
   * Brings all batches to the disk, and marks the file as closed. If its length differs at the next
   * opening, it is damaged.
   */
  async finish(): Promise<void> {
    if (!this.#mark || this.#mark.isClosed) return;
    if (this.unsyncedBytes > 0) await this.#syncBatches();
    await this.#setMark(true);
  }

  async #syncBatches(): Promise<void> {
    const end = this.#end;
    await this.#file.sync();
    this.#synced = end;
  }

  // Not synced: the mark only repeats what is true already. One that says nothing new is left out:
  // on OPFS it would take a quarter of the time of a commit.
  async #setMark(isClosed: boolean, length = this.#synced): Promise<void> {
    const [last, boot] = [this.#mark, this.#boot];
    if (!last) return;
    // It proves nothing without a known run of the system.
    const written = boot === 0 ? 0 : this.#end;
    const isSaid = last.length === length && last.written === written && last.boot === boot;
    if (isSaid && last.isClosed === isClosed) return;
    const mark = { number: last.number + 1, length, written, boot, isClosed };
    const { bytes, offset } = encodeMark(mark, this.seed);
    await writeAll(this.#file, bytes, offset);
    this.#mark = mark;
  }

  /**
   * Reads values in the order of their places, each into a buffer of its own. Appends and a
   * replacement of the file do not disturb it.
   *
   * @throws {@link TableError} `StorageDamaged`, if a value is not as it was written.
   */
  async read(given: readonly (Place | undefined)[]): Promise<(Uint8Array | undefined)[]> {
    const places = [...given];
    const values = new Map<Place, Uint8Array>();
    await Promise.all(
      extentsOf(places).map(async (extent) => {
        const [start, end] = [extent[0]!.offset, endOf(extent.at(-1)!)];
        const bytes = await readUpTo(this.#file, start, end - start);
        for (const place of extent) {
          const value = bytes.slice(place.offset - start, endOf(place) - start);
          if (value.length < place.length || crc32c(value) !== place.crc) {
            throw damaged(this.path, place.offset, 'holds a value that is damaged');
          }
          values.set(place, value);
        }
      }),
    );
    // A key that was requested twice has two values that may be changed.
    const handedOut = new Set<Place>();
    return places.map((place) => {
      if (!place) return undefined;
      const value = values.get(place)!;
      if (handedOut.has(place)) return value.slice();
      handedOut.add(place);
      return value;
    });
  }

  /** Keeps the file open until the same number of calls of `release()`. */
  retain(): void {
    this.#users++;
  }

  /** Resolves when the file is closed, if this was the last user. */
  async release(): Promise<void> {
    // sync() would have reported a failed write.
    this.#users--;
    this.#onRelease?.();
    if (this.#users === 0) await this.#file.close().catch(() => undefined);
  }
}

// Neighbours are read together: a log of a thousand records is one read instead of a thousand.
function extentsOf(places: readonly (Place | undefined)[]): Place[][] {
  const sorted = [...new Set(places)].filter((place) => place !== undefined);
  // Empty values first, so that the last value of an extent ends last.
  sorted.sort((one, other) => one.offset - other.offset || one.length - other.length);
  const extents: Place[][] = [];
  for (const place of sorted) {
    const extent = extents.at(-1);
    const isNear =
      extent &&
      place.offset - endOf(extent.at(-1)!) <= MAX_GAP_BYTES &&
      endOf(place) - extent[0]!.offset <= MAX_EXTENT_BYTES;
    if (isNear) extent.push(place);
    else extents.push([place]);
  }
  return extents;
}

/** Reads `length` bytes, or fewer at the end of the file. */
export async function readUpTo(
  file: OpenFile,
  position: number,
  length: number,
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const count = await file.read(bytes.subarray(done), position + done);
    if (count === 0) break;
    done += count;
  }
  return bytes.subarray(0, done);
}

/** Writes all of the bytes, which must not change until then. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  const { length } = bytes;
  for (let done = 0; done < length;) {
    // eslint-disable-next-line entitable/arguments-before-await -- callers never change them
    const count = await file.write(bytes.subarray(done), position + done);
    if (count === 0) throw new Error('The file took no more bytes.');
    done += count;
  }
}
