/**
 * The folder of a store: which files are in it, and its lock.
 *
 * @module
 */

import { basename, join } from 'node:path';

import { BatchFile, readUpTo, writeAll } from './batch-file.js';
import type { FileSystem, OpenFile } from './file-system.js';
import { loadFile, type LoadedFile } from './load.js';
import { takeLock, type Lock } from './lock.js';
import { isNoRoom, TornEnd } from './problems.js';
import type { Processes } from './processes.js';
import { FileReserve } from './reserve.js';

// The names of the files, beside that of the lock.
const STORE_NAME = 'entitable.store';
const REWRITE_NAME = 'entitable.store.new';
const CUT_PREFIX = 'entitable.store.cut-';
const RESERVE_NAME = 'entitable.reserve';

const RESERVE_BYTES = 2 ** 21;

// Of what was cut off, so many files are kept, the newest.
const CUTS_KEPT = 10;
const COPY_BYTES = 2 ** 20;

/** What a folder works with, and what tests make smaller. */
export interface FolderSetting {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;

  /**
   * Is told of what goes wrong without any call failing: the file could not be written anew, or
   * its end was torn.
   */
  readonly onProblem: (cause: unknown) => void;

  /** How long the reserve is. */
  readonly reserveBytes?: number;
}

export class StoreFolder {
  readonly path: string;
  readonly reserve: FileReserve;
  readonly #setting: FolderSetting;
  #lock: Lock | undefined;

  constructor(path: string, setting: FolderSetting) {
    this.path = path;
    this.#setting = setting;
    const { fileSystem, reserveBytes = RESERVE_BYTES } = setting;
    this.reserve = new FileReserve(fileSystem, join(path, RESERVE_NAME), reserveBytes);
  }

  /** Makes the folder, unless it is there, and takes its lock, unless it is held. */
  async lock(): Promise<void> {
    const { fileSystem, processes } = this.#setting;
    await fileSystem.makeFolder(this.path);
    this.#lock ??= await takeLock(fileSystem, processes, this.path);
  }

  async unlock(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }

  /** Resolves when the names of the files are on the disk. */
  sync(): Promise<void> {
    return this.#setting.fileSystem.syncFolder(this.path);
  }

  /** Opens the file of the store, and removes what a process that died was writing. */
  async load(): Promise<LoadedFile | undefined> {
    const { fileSystem } = this.#setting;
    await this.removeRewrite();
    if (!(await this.#names()).includes(STORE_NAME)) return undefined;
    const { boot } = this.#setting.processes;
    return loadFile(fileSystem, this.#pathOf(STORE_NAME), boot, (file, offset, size) =>
      this.#keepEnd(file, offset, size),
    );
  }

  /** An empty file that is to take the place of the store's. */
  makeRewrite(): Promise<BatchFile> {
    const { fileSystem, processes } = this.#setting;
    const [at, path] = [this.#pathOf(REWRITE_NAME), this.#pathOf(STORE_NAME)];
    return BatchFile.make(fileSystem, at, path, processes.boot);
  }

  /** Has that file take the place. Its name is on the disk after the next `sync()`. */
  async putInPlace(rewrite: BatchFile): Promise<void> {
    await rewrite.seal();
    await this.#setting.fileSystem.rename(this.#pathOf(REWRITE_NAME), this.#pathOf(STORE_NAME));
  }

  removeRewrite(): Promise<void> {
    return this.#remove(REWRITE_NAME);
  }

  /** Removes all files but that of the lock. */
  async removeAll(): Promise<void> {
    await this.#remove(STORE_NAME);
    await this.#remove(REWRITE_NAME);
    await this.reserve.giveUp();
    for (const name of await this.#names()) {
      if (name.startsWith(CUT_PREFIX)) await this.#remove(name);
    }
    await this.sync();
  }

  // A full disk must not keep a store from being opened.  Nothing in there was acknowledged.
  async #keepEnd(file: OpenFile, offset: number, size: number): Promise<void> {
    const copy = () => this.#copyEnd(file, offset, size);
    let keptIn: string | undefined;
    let problem: unknown;
    try {
      keptIn = await copy().catch(async (cause: unknown) => {
        if (isNoRoom(cause) && (await this.reserve.giveUp())) return copy();
        throw cause;
      });
    } catch (cause) {
      if (!isNoRoom(cause)) throw cause;
      problem = cause;
    }
    const path = this.#pathOf(STORE_NAME);
    this.#setting.onProblem(new TornEnd(path, offset, size - offset, keptIn, { cause: problem }));
  }

  async #copyEnd(file: OpenFile, offset: number, size: number): Promise<string> {
    const numbers = (await this.#names())
      .filter((name) => name.startsWith(CUT_PREFIX))
      .map((name) => Number(name.slice(CUT_PREFIX.length)))
      .filter((number) => Number.isSafeInteger(number))
      .sort((one, other) => one - other);
    const path = this.#pathOf(`${CUT_PREFIX}${(numbers.at(-1) ?? 0) + 1}`);
    const copy = await this.#setting.fileSystem.open(path, 'make');
    try {
      for (let at = offset; at < size; at += COPY_BYTES) {
        await writeAll(
          copy,
          await readUpTo(file, at, Math.min(COPY_BYTES, size - at)),
          at - offset,
        );
      }
      await copy.sync();
      await copy.close();
    } catch (cause) {
      await copy.close().catch(() => undefined);
      await this.#remove(basename(path));
      throw cause;
    }
    await this.sync();
    for (const number of numbers.slice(0, 1 - CUTS_KEPT)) {
      await this.#remove(`${CUT_PREFIX}${number}`);
    }
    return path;
  }

  #names(): Promise<string[]> {
    return this.#setting.fileSystem.namesIn(this.path);
  }

  #pathOf(name: string): string {
    return join(this.path, name);
  }

  #remove(name: string): Promise<void> {
    return this.#setting.fileSystem.remove(this.#pathOf(name));
  }
}
