/**
 * An open file of batches: appends some, and reads values out of it.
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

/** What is known of a file that is open. */
export interface BatchFileState {
  readonly header: FileHeader;

  /** Which file it is, as the file system tells. */
  readonly id: string | undefined;

  /** Which run of the system this is; 0, if it is not known. */
  readonly boot: number;

  /** Where the next batch goes: the end of the last one. */
  readonly end: number;

  /** What is known to be on the disk: all before this place. */
  readonly synced: number;
}

// Values with less than that between them are read at once, but not more than so much.
const MAX_GAP_BYTES = 4 * 2 ** 10;
const MAX_STRETCH_BYTES = 2 ** 20;

export class BatchFile {
  readonly path: string;
  readonly #fileSystem: FileSystem;
  readonly #id: string | undefined;
  readonly #file: OpenFile;
  readonly #seed: number;

  /** Of its format. One that is not the newest has no marks. */
  readonly version: number;
  readonly #boot: number;
  #mark: Mark | undefined;
  #end: number;
  #synced: number;

  // Reads under way, and one for being in use at all.
  #users = 1;
  #onRelease: (() => void) | undefined;

  constructor(fileSystem: FileSystem, path: string, file: OpenFile, state: BatchFileState) {
    const { header, id, boot, end, synced } = state;
    this.path = path;
    this.version = header.version;
    this.#fileSystem = fileSystem;
    this.#id = id;
    this.#file = file;
    this.#seed = header.seed;
    this.#boot = boot;
    this.#mark = header.mark;
    this.#end = end;
    this.#synced = synced;
  }

  /** Makes an empty one `at` a place, or puts it over what is there; it is to be at `path`. */
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
   * Returns why nothing that is written would be found again: the file is not at its place any
   * more (`StorageEvicted`), or was cut (`StorageDamaged`). Undefined, if all is well.
   */
  async loss(): Promise<TableError | undefined> {
    const end = this.#end;
    const found = await this.#fileSystem.stat(this.path);
    if (!found || found.id !== this.#id) return gone(this.path);
    if (found.size >= end) return undefined;
    return damaged(this.path, found.size, `has lost what it had up to byte ${end}`);
  }

  get end(): number {
    return this.#end;
  }

  get unsyncedBytes(): number {
    return this.#end - this.#synced;
  }

  /** True if the file says that it was closed: `append()` comes after `markOpen()` and `sync()`. */
  get isClosed(): boolean {
    return this.#mark?.isClosed === true;
  }

  /**
   * Has the file say that it is open again. It has to be on the disk before anything that is
   * appended, which would be taken for damage otherwise.
   */
  async markOpen(): Promise<void> {
    await this.#setMark(false);
  }

  /** Has a mark tell of batches that no sync has brought to the disk. */
  async markWritten(): Promise<void> {
    // The batches are as safe without it. The next one is written to the same place.
    await this.#setMark(false).catch(() => undefined);
  }

  /**
   * Writes a batch behind the last one. If that fails, nothing may be appended before
   * `cut()` has removed what was written of it.
   */
  async append(changes: readonly Change[]): Promise<PlacedChange[]> {
    const at = { offset: this.#end, synced: this.#synced, seed: this.#seed };
    const { bytes, places } = encodeBatch(changes, at);
    const placed = changes.map(([key], index): PlacedChange => [key, places[index]]);
    await writeAll(this.#file, bytes, this.#end);
    this.#end += bytes.length;
    return placed;
  }

  /** Writes behind the last batch, to see that there is room, and cuts it off again. */
  async proveRoom(fill: (file: OpenFile, end: number) => Promise<void>): Promise<void> {
    try {
      await fill(this.#file, this.#end);
    } finally {
      await this.cut();
    }
  }

  /** Resolves when nobody else reads any more. Nobody may begin to. */
  async whenUnused(): Promise<void> {
    while (this.#users > 1) await new Promise<void>((resolve) => (this.#onRelease = resolve));
  }

  /** The open file, for a move of its values. */
  get openFile(): OpenFile {
    return this.#file;
  }

  /** Cuts off what comes after the last batch. Rejects if that cannot be done. */
  cut(): Promise<void> {
    return this.#file.truncate(this.#end);
  }

  /**
   * Brings all batches to the disk, and then has a mark say so. After it failed, a second
   * success would tell nothing: the system may have dropped what it could not write.
   */
  async sync(): Promise<void> {
    await this.#syncBatches();
    await this.markWritten();
  }

  /** The same for a file that nobody opens before this has succeeded: one sync is for both. */
  async seal(): Promise<void> {
    await this.#setMark(false, this.#end);
    await this.#syncBatches();
  }

  /**
   * Brings all to the disk, and has the file say that it is complete: one that is shorter or
   * longer at the next opening is damaged.
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

  // Not synced: it says no more than what is true already.
  async #setMark(isClosed: boolean, length = this.#synced): Promise<void> {
    if (!this.#mark) return;
    const [number, written] = [this.#mark.number + 1, this.#end];
    const mark = { number, length, written, boot: this.#boot, isClosed };
    const { bytes, offset } = encodeMark(mark, this.#seed);
    await writeAll(this.#file, bytes, offset);
    this.#mark = mark;
  }

  /**
   * Reads values, in the order of their places, each into a buffer of its own. What is
   * appended meanwhile does not matter, nor that the file is replaced.
   *
   * @throws {@link TableError} `StorageDamaged`, if one is not what was put.
   */
  async read(given: readonly (Place | undefined)[]): Promise<(Uint8Array | undefined)[]> {
    const places = [...given];
    const values = new Map<Place, Uint8Array>();
    await Promise.all(
      stretchesOf(places).map(async (stretch) => {
        const [start, end] = [stretch[0]!.offset, endOf(stretch.at(-1)!)];
        const bytes = await readUpTo(this.#file, start, end - start);
        for (const place of stretch) {
          const value = bytes.slice(place.offset - start, endOf(place) - start);
          if (value.length < place.length || crc32c(value) !== place.crc) {
            throw damaged(this.path, place.offset, 'holds a value that is damaged');
          }
          values.set(place, value);
        }
      }),
    );
    // A key that was asked for twice has two values that may be changed.
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

  /** Resolves when it is closed, if this was the last user. */
  async release(): Promise<void> {
    // What could not be written would have been told by sync().
    this.#users--;
    this.#onRelease?.();
    if (this.#users === 0) await this.#file.close().catch(() => undefined);
  }
}

// Neighbours together: a log of a thousand records is one read, not a thousand.
function stretchesOf(places: readonly (Place | undefined)[]): Place[][] {
  const sorted = [...new Set(places)].filter((place) => place !== undefined);
  // Empty ones first, so that the last of a stretch ends last.
  sorted.sort((one, other) => one.offset - other.offset || one.length - other.length);
  const stretches: Place[][] = [];
  for (const place of sorted) {
    const stretch = stretches.at(-1);
    const isNear =
      stretch &&
      place.offset - endOf(stretch.at(-1)!) <= MAX_GAP_BYTES &&
      endOf(place) - stretch[0]!.offset <= MAX_STRETCH_BYTES;
    if (isNear) stretch.push(place);
    else stretches.push([place]);
  }
  return stretches;
}

/** Reads as many bytes as there are, `length` at the most. */
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

/** Writes all of the bytes, which must stay as they are until then. */
export async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  const { length } = bytes;
  for (let done = 0; done < length;) {
    // eslint-disable-next-line entitable/arguments-before-await -- callers have made them, and keep none
    const count = await file.write(bytes.subarray(done), position + done);
    if (count === 0) throw new Error('The file took no more bytes.');
    done += count;
  }
}
