/**
 * The folder beside an archive. The archive is restored into it, and its tables are sent from it.
 * The folder remembers what was sent, and is removed when everything is sent.
 *
 * @module
 */

import { createReadStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';

import { importAll } from '../archive.js';
import { fileStorage } from '../storage/file.js';
import { openFolder, readNotes, writeNotes, type ArchiveStamp } from './synced-folder.js';
import { counted } from './table-move.js';

/** The folder of one archive. */
export class ArchiveFolder {
  readonly folder: string;
  readonly #file: string;
  readonly #stamp: ArchiveStamp;

  constructor(file: string, stamp: ArchiveStamp) {
    this.folder = `${file}.tables`;
    this.#file = file;
    this.#stamp = stamp;
  }

  /**
   * Restores the archive, unless it is restored already.
   *
   * @throws an `Error`, if the archive has changed since it was restored; {@link TableError} as
   * `importAll()`; the reason of the signal.
   */
  async restore(output: { show: (text: string) => void }, signal: AbortSignal): Promise<void> {
    const { archive } = await readNotes(this.folder);
    if (archive) return this.#checkStamp(archive);
    // After a crash, this folder holds only a part of the archive.
    const unfinished = `${this.folder}.new`;
    await fileStorage(unfinished).destroy();
    await mkdir(unfinished, { recursive: true });
    const account = await openFolder(unfinished);
    try {
      await importAll(account, createReadStream(this.#file), {
        abortSignal: signal,
        onProgress: ({ stored }) => output.show(`restored ${counted(stored)} lines`),
      });
      await writeNotes(unfinished, { archive: this.#stamp });
    } finally {
      await account.close();
    }
    await rename(unfinished, this.folder);
  }

  /** Removes the folder. Call it after all tables were sent. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  #checkStamp({ bytes, modified }: ArchiveStamp): void {
    if (bytes === this.#stamp.bytes && modified === this.#stamp.modified) return;
    throw new Error(
      `${this.#file} has changed since it was restored into ${this.folder}. Remove that folder to ` +
        'begin again',
    );
  }
}
