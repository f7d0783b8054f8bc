/**
 * A reserve of room on the disk: a file without meaning, which is given up for batches that make
 * room. Even a deletion needs a little room, because it first adds to the log.
 *
 * @module
 */

import { writeAll } from './batch-file.js';
import type { FileSystem, OpenFile } from './file-system.js';
import { isNoEntry } from './problems.js';

// The most that one call gives.
const RANDOM_BYTES = 2 ** 16;

export class FileReserve {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #length: number;

  // False: the file must be checked.
  #isWhole = false;

  constructor(fileSystem: FileSystem, path: string, length: number) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#length = length;
  }

  /** Makes the file, unless it is there. Rejects with the error of the system: no room, say. */
  async restore(): Promise<void> {
    if (this.#isWhole || this.#length === 0) return;
    if ((await this.#lengthFound()) !== this.#length) await this.#make();
    this.#isWhole = true;
  }

  /** Removes the file. True, if there was one. */
  async giveUp(): Promise<boolean> {
    const found = await this.#lengthFound();
    this.#isWhole = false;
    await this.#fileSystem.remove(this.#path);
    return found > 0;
  }

  /** Another tab may have removed the file. */
  recheck(): void {
    this.#isWhole = false;
  }

  async #lengthFound(): Promise<number> {
    try {
      const file = await this.#fileSystem.open(this.#path, 'read');
      return await file.size().finally(() => file.close());
    } catch (cause) {
      if (isNoEntry(cause)) return 0;
      throw cause;
    }
  }

  async #make(): Promise<void> {
    const file = await this.#fileSystem.open(this.#path, 'make');
    try {
      await writeIncompressible(file, 0, this.#length);
      await file.close();
    } catch (cause) {
      await file.close().catch(() => undefined);
      await this.#fileSystem.remove(this.#path).catch(() => undefined);
      throw cause;
    }
  }
}

/** Writes bytes that need their full length, also on a file system that compresses. */
export async function writeIncompressible(
  file: OpenFile,
  offset: number,
  length: number,
): Promise<void> {
  for (let at = 0; at < length; at += RANDOM_BYTES) {
    const bytes = new Uint8Array(Math.min(RANDOM_BYTES, length - at));
    await writeAll(file, crypto.getRandomValues(bytes), offset + at);
  }
}
