/**
 * A reserve of room on the disk: a file that says nothing, and that is given up for batches that
 * make room. Deleting an entity adds to the log first, so it needs a little room, too.
 *
 * @module
 */

import { writeAll } from './batch-file.js';
import type { FileSystem } from './file-system.js';
import { isNoEntry } from './problems.js';

// As much as one call gives.
const RANDOM_BYTES = 2 ** 16;

export class FileReserve {
  readonly #fileSystem: FileSystem;
  readonly #path: string;
  readonly #length: number;

  // False: it has to be looked for.
  #isWhole = false;

  constructor(fileSystem: FileSystem, path: string, length: number) {
    this.#fileSystem = fileSystem;
    this.#path = path;
    this.#length = length;
  }

  /** Makes it, unless it is there. Rejects with what the system says: no room, say. */
  async restore(): Promise<void> {
    if (this.#isWhole || this.#length === 0) return;
    if ((await this.#lengthFound()) !== this.#length) await this.#make();
    this.#isWhole = true;
  }

  /** Removes it. True, if there was one. */
  async giveUp(): Promise<boolean> {
    const found = await this.#lengthFound();
    this.#isWhole = false;
    await this.#fileSystem.remove(this.#path);
    return found > 0;
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
      for (let at = 0; at < this.#length; at += RANDOM_BYTES) {
        // Or it would take less room than it is to give, where the file system compresses.
        const bytes = new Uint8Array(Math.min(RANDOM_BYTES, this.#length - at));
        await writeAll(file, crypto.getRandomValues(bytes), at);
      }
      await file.close();
    } catch (cause) {
      await file.close().catch(() => undefined);
      await this.#fileSystem.remove(this.#path).catch(() => undefined);
      throw cause;
    }
  }
}
