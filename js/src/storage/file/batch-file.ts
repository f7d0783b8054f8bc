/**
 * An open file of batches: appends some, and reads values out of it.
 *
 * @module
 */

import { TableError } from '../../errors.js';
import { crc32c } from './crc32c.js';
import type { FileSystem, OpenFile } from './file-system.js';
import {
  encodeBatch,
  encodeFileHeader,
  FILE_HEADER_LENGTH,
  type Change,
  type Place,
  type PlacedChange,
} from './format.js';

/** The cause of a `StorageDamaged` that a file gives rise to. */
export class FileDamage extends Error {
  override readonly name = 'FileDamage';

  /** The file. */
  readonly path: string;

  /** Where the damage was met, in bytes from its start. */
  readonly offset: number;

  constructor(path: string, offset: number, what: string) {
    super(`${path} ${what}, at byte ${offset}.`);
    this.path = path;
    this.offset = offset;
  }
}

/** The error that tells of damage. Nothing was changed. */
export function damaged(path: string, offset: number, what: string): TableError {
  const cause = new FileDamage(path, offset, what);
  return new TableError('StorageDamaged', cause.message, { cause });
}

/** What is known of a file that is open. */
export interface BatchFileState {
  readonly seed: number;

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
  readonly #file: OpenFile;
  readonly #seed: number;
  #end: number;
  #synced: number;

  // Reads under way, and one for being in use at all.
  #users = 1;

  constructor(path: string, file: OpenFile, { seed, end, synced }: BatchFileState) {
    this.path = path;
    this.#file = file;
    this.#seed = seed;
    this.#end = end;
    this.#synced = synced;
  }

  /** Makes an empty one `at` a place, or puts it over what is there; it is to be at `path`. */
  static async make(fileSystem: FileSystem, at: string, path: string): Promise<BatchFile> {
    const id = crypto.getRandomValues(new Uint8Array(16));
    const file = await fileSystem.open(at, 'make');
    try {
      await writeAll(file, encodeFileHeader(id), 0);
    } catch (cause) {
      await file.close();
      throw cause;
    }
    const end = FILE_HEADER_LENGTH;
    return new BatchFile(path, file, { seed: crc32c(id), end, synced: 0 });
  }

  get end(): number {
    return this.#end;
  }

  get unsyncedBytes(): number {
    return this.#end - this.#synced;
  }

  /**
   * Writes a batch behind the last one. If that fails, nothing may be appended before
   * `cut()` has removed what was written of it.
   */
  async append(changes: readonly Change[]): Promise<PlacedChange[]> {
    const at = { offset: this.#end, synced: this.#synced, seed: this.#seed };
    const { bytes, places } = encodeBatch(changes, at);
    await writeAll(this.#file, bytes, this.#end);
    this.#end += bytes.length;
    return changes.map(([key], index) => [key, places[index]]);
  }

  /** Cuts off what comes after the last batch. Rejects if that cannot be done. */
  cut(): Promise<void> {
    return this.#file.truncate(this.#end);
  }

  /**
   * Brings all batches to the disk. After it failed, a second success would tell
   * nothing: the system may have dropped what it could not write.
   */
  async sync(): Promise<void> {
    const end = this.#end;
    await this.#file.sync();
    this.#synced = end;
  }

  /** Syncs, and has a last batch say so: an empty one, which need not reach the disk. */
  async seal(): Promise<void> {
    await this.sync();
    await this.append([]);
  }

  /**
   * Reads values, in the order of their places, each into a buffer of its own. What is
   * appended meanwhile does not matter, nor that the file is replaced.
   *
   * @throws {@link TableError} `StorageDamaged`, if one is not what was put.
   */
  async read(places: readonly (Place | undefined)[]): Promise<(Uint8Array | undefined)[]> {
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
    if (--this.#users === 0) await this.#file.close().catch(() => undefined);
  }
}

function endOf({ offset, length }: Place): number {
  return offset + length;
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

async function writeAll(file: OpenFile, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const count = await file.write(bytes.subarray(done), position + done);
    if (count === 0) throw new Error('The file took no more bytes.');
    done += count;
  }
}
