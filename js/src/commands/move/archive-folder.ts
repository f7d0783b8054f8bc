/**
 * The folder beside an archive. The archive is restored into it, and its tables are sent from it.
 * The folder remembers what was sent, and is removed when everything is sent.
 *
 * @module
 */

import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';

import { importAll } from '../../archive.js';
import { openFolder, readNotes, writeNotes, type ArchiveStamp } from '../account/synced-folder.js';
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
   * @throws an `Error`, if the archive has changed since it was restored, or if another folder is
   * in its place; {@link TableError} as `importAll()`; the reason of the signal.
   */
  async restore(output: { show: (text: string) => void }, signal: AbortSignal): Promise<void> {
    const { archive } = await readNotes(this.folder);
    if (archive) return this.#checkStamp(archive);
    if (await stat(this.folder).catch(() => undefined)) throw this.#inTheWay();
    // After a crash, this folder holds only a part of the archive.
    const unfinished = `${this.folder}.new`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    try {
      await this.#restoreInto(unfinished, output, signal);
      await rename(unfinished, this.folder);
    } catch (error) {
      await rm(unfinished, { recursive: true });
      throw error;
    }
  }

  async #restoreInto(
    folder: string,
    output: { show: (text: string) => void },
    signal: AbortSignal,
  ) {
    const account = await openFolder(folder);
    try {
      await importAll(account, createReadStream(this.#file), {
        abortSignal: signal,
        onProgress: ({ stored }) => output.show(`restored ${counted(stored)} lines`),
      });
      await writeNotes(folder, { archive: this.#stamp });
    } finally {
      await account.close();
    }
  }

  /** Removes the folder. Call it after all tables were sent. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true });
  }

  // Such as after entitable forget: nobody knows what was sent from it.
  #inTheWay(): Error {
    return new Error(
      `${this.folder} exists, and does not belong to a push of ${this.#file}. Remove or rename it, ` +
        'or push from that folder',
    );
  }

  #checkStamp({ bytes, modified }: ArchiveStamp): void {
    if (bytes === this.#stamp.bytes && modified === this.#stamp.modified) return;
    throw new Error(
      `${this.#file} has changed since it was restored into ${this.folder}. Remove that folder to ` +
        'begin again',
    );
  }
}
