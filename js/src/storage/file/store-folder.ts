/**
 * The folder of a store: its files and its lock.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import { soleAccess, type Access } from './access.js';
import { BatchFile, readUpTo, writeAll } from './batch-file.js';
import type { FileSystem, OpenFile } from './file-system.js';
import { catchUp, loadFile, type LoadedFile } from './load.js';
import { beginMove, finishMove } from './move.js';
import { inMove, isNoRoom, missing, TornEnd } from './problems.js';
import { FileReserve } from './reserve.js';
import type { Salvaged } from './salvage.js';

/** The file of a store. Other files of it have names that begin with this one. */
export const STORE_NAME = 'entitable.store';

const REWRITE_NAME = 'entitable.store.new';
const MOVE_NAME = 'entitable.store.moved';
const CUT_PREFIX = 'entitable.store.cut-';
const RESERVE_NAME = 'entitable.reserve';
const MOVE_RESERVE_NAME = 'entitable.reserve.move';

// For deletions, and the background work after them.
const RESERVE_BYTES = 2 ** 21;

// How many of the newest files of cut-off bytes are kept.
const CUTS_KEPT = 10;
const COPY_BYTES = 2 ** 20;

/** A lock of this process. */
export interface Lock {
  release(): Promise<void>;
}

/** The settings of a folder; tests make them smaller. */
export interface FolderSetting {
  readonly fileSystem: FileSystem;

  /**
   * Identifies the run of the operating system: each run loses the bytes that were not on the disk.
   * 0: not known.
   */
  readonly boot: number;

  /** Keeps other processes out of the folder. By default nothing does. */
  readonly takeLock?: () => Promise<Lock>;

  /** By default no other process can have the folder. */
  readonly access?: Access;

  /** Part of the name of an unfinished file, where several tabs may write one at a time. */
  readonly writer?: string;

  /** Called with problems that fail no call: a rewrite that failed, or an end that was torn. */
  readonly onProblem: (cause: unknown) => void;

  /** The length of the reserve for batches that make room. That for a move has half of it. */
  readonly reserveBytes?: number;
}

export class StoreFolder {
  readonly path: string;
  readonly access: Access;
  readonly #rewriteName: string;
  readonly #reserve: FileReserve;
  readonly #moveReserve: FileReserve;
  readonly #setting: FolderSetting;
  #lock: Lock | undefined;

  constructor(path: string, setting: FolderSetting) {
    this.path = path;
    this.#setting = setting;
    const { fileSystem, access, writer, reserveBytes = RESERVE_BYTES } = setting;
    this.access = access ?? soleAccess;
    this.#rewriteName = writer === undefined ? REWRITE_NAME : `${REWRITE_NAME}-${writer}`;
    const [reserve, moveReserve] = [RESERVE_NAME, MOVE_RESERVE_NAME].map((name) =>
      this.#pathOf(name),
    );
    this.#reserve = new FileReserve(fileSystem, reserve!, reserveBytes);
    this.#moveReserve = new FileReserve(fileSystem, moveReserve!, reserveBytes >> 1);
  }

  /** Makes the reserves, unless they are there. */
  async restoreReserves(): Promise<void> {
    await this.#moveReserve.restore();
    await this.#reserve.restore();
  }

  /** Gives up the reserve for batches that make room. True, if there was one. */
  giveUpReserve(): Promise<boolean> {
    return this.#reserve.giveUp();
  }

  /** Makes the folder and takes its lock, unless that was done. */
  async lock(): Promise<void> {
    const { fileSystem, takeLock } = this.#setting;
    await fileSystem.makeFolder(this.path);
    this.#lock ??= await takeLock?.();
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

  /**
   * Opens the file of the store, and removes the unfinished file of a process that died. Undefined,
   * if there was never a store.
   *
   * @throws {@link TableError} `StorageDamaged`, if there was a store.
   */
  async load(): Promise<LoadedFile | undefined> {
    await this.removeRewrite();
    const names = await this.#names();
    await this.#removeRewritesOfTheDead(names);
    await this.#setting.fileSystem.removeUnnamed?.();
    if (!names.includes(STORE_NAME)) {
      const others = [MOVE_NAME, RESERVE_NAME, MOVE_RESERVE_NAME];
      const left = others.filter((name) => names.includes(name));
      if (left.length > 0) throw missing(this.#pathOf(STORE_NAME), left.join(' and '));
      return undefined;
    }
    if (names.includes(MOVE_NAME)) {
      await this.#goOnMoving().catch((cause: unknown) => Promise.reject(inMove(cause, MOVE_NAME)));
    }
    return this.#load(STORE_NAME);
  }

  /** What is intact of files that `load()` cannot open; undefined, if nothing is. */
  async salvage(): Promise<Salvaged | undefined> {
    const names = await this.#names();
    const { salvageFiles } = await import('./salvage.js');
    const paths = [MOVE_NAME, STORE_NAME].filter((name) => names.includes(name));
    return salvageFiles(this.#setting.fileSystem, paths.map(this.#pathOf, this));
  }

  #load(name: string): Promise<LoadedFile> {
    const { fileSystem, boot } = this.#setting;
    return loadFile(fileSystem, this.#pathOf(name), boot, (file, offset, size) =>
      this.#keepEnd(file, offset, size),
    );
  }

  /**
   * Rewrites the store when there is no room for a copy. Nothing else may use the file from now on:
   * its values are moved to the file that `load()` opens.
   *
   * @returns false if there is too little room even for a move. Then nothing was changed.
   */
  async move({ file, index }: LoadedFile): Promise<boolean> {
    const source = { file: file.openFile, path: file.path };
    await this.#moveReserve.giveUp();
    const target = await this.makeRewrite();
    try {
      await beginMove(source, index, target);
      await target.seal();
      const [from, to] = [this.#pathOf(this.#rewriteName), this.#pathOf(MOVE_NAME)];
      await this.#setting.fileSystem.rename(from, to);
    } catch (cause) {
      await this.removeRewrite();
      await this.#moveReserve.restore().catch(() => undefined);
      if (isNoRoom(cause)) return false;
      throw cause;
    } finally {
      await target.release();
    }
    await this.#goOnMoving();
    await this.#moveReserve.restore().catch(() => undefined);
    return true;
  }

  // As soon as it has this name, the second file is the store.
  async #goOnMoving(): Promise<void> {
    const { fileSystem } = this.#setting;
    const path = this.#pathOf(STORE_NAME);
    await this.sync();
    const target = await this.#load(MOVE_NAME);
    try {
      const file = await fileSystem.open(path, 'read');
      try {
        await finishMove({ file, path }, target.index, target.file);
      } finally {
        await file.close();
      }
      await fileSystem.rename(this.#pathOf(MOVE_NAME), path);
      await this.sync();
    } finally {
      await target.file.release();
    }
  }

  /** An empty file, which will replace the file of the store. */
  makeRewrite(): Promise<BatchFile> {
    const { fileSystem, boot } = this.#setting;
    const [at, path] = [this.#pathOf(this.#rewriteName), this.#pathOf(STORE_NAME)];
    return BatchFile.make(fileSystem, at, path, boot);
  }

  /** Replaces the file of the store. The name is on the disk after the next `sync()`. */
  async putInPlace(rewrite: BatchFile): Promise<void> {
    await rewrite.seal();
    const [from, to] = [this.#pathOf(this.#rewriteName), this.#pathOf(STORE_NAME)];
    await this.#setting.fileSystem.rename(from, to);
  }

  removeRewrite(): Promise<void> {
    return this.#remove(this.#rewriteName);
  }

  /** True if another tab is rewriting or moving the store, or has done so. */
  async isRewrittenElsewhere({ file }: LoadedFile): Promise<boolean> {
    if (!this.access.isShared) return false;
    if (!(await this.#isCurrent(file))) return true;
    for (const name of this.#otherRewrites(await this.#names())) {
      if (await this.access.isRewriting(name)) return true;
    }
    return false;
  }

  /**
   * Like {@link BatchFile.loss}, but a move by another tab is no loss. It cuts the file, too, and
   * that tab may have died.
   */
  async lossOf({ file }: LoadedFile): Promise<TableError | undefined> {
    const loss = await file.loss();
    if (loss?.code !== 'StorageDamaged' || !this.access.isShared) return loss;
    return (await this.#isCurrent(file)) ? loss : undefined;
  }

  /**
   * Takes over what other tabs have appended to the file. Without a hold, they may be appending
   * now.
   *
   * @returns false, if the file must be loaded again.
   */
  async catchUp(opened: LoadedFile): Promise<boolean> {
    return catchUp(opened, this.access.isHeld, () => this.#isCurrent(opened.file));
  }

  // False, if its values are in another file, or are being moved there. A move ends with another
  // file, so it is looked for first.
  async #isCurrent(file: BatchFile): Promise<boolean> {
    const isMoving = (await this.#names()).includes(MOVE_NAME);
    return !isMoving && !(await file.isReplaced());
  }

  /** Another tab may have given up a reserve. */
  recheckReserves(): void {
    this.#reserve.recheck();
    this.#moveReserve.recheck();
  }

  /** Removes all files but the lock. */
  async removeAll(): Promise<void> {
    const { fileSystem } = this.#setting;
    if (fileSystem.removeFolder) return fileSystem.removeFolder(this.path);
    // The reserves first: a reserve without a store means that the store is lost.
    for (const reserve of [this.#reserve, this.#moveReserve]) await reserve.giveUp();
    await this.sync();
    await this.#remove(STORE_NAME);
    for (const name of [MOVE_NAME, this.#rewriteName]) await this.#remove(name);
    for (const name of await this.#names()) {
      if (name.startsWith(CUT_PREFIX)) await this.#remove(name);
    }
    await this.sync();
  }

  // A full disk must not keep a store from opening. No commit in these bytes was acknowledged.
  async #keepEnd(file: OpenFile, offset: number, size: number): Promise<void> {
    const copy = () => this.#copyEnd(file, offset, size);
    let keptIn: string | undefined;
    let problem: unknown;
    try {
      keptIn = await copy().catch(async (cause: unknown) => {
        if (isNoRoom(cause) && (await this.#reserve.giveUp())) return copy();
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
    const name = `${CUT_PREFIX}${(numbers.at(-1) ?? 0) + 1}`;
    const path = this.#pathOf(name);
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
      await this.#remove(name);
      throw cause;
    }
    await this.sync();
    for (const number of numbers.slice(0, 1 - CUTS_KEPT)) {
      await this.#remove(`${CUT_PREFIX}${number}`);
    }
    return path;
  }

  async #removeRewritesOfTheDead(names: readonly string[]): Promise<void> {
    for (const name of this.#otherRewrites(names)) {
      if (!(await this.access.isRewriting(name))) await this.#remove(name);
    }
  }

  #otherRewrites(names: readonly string[]): string[] {
    const isOther = (name: string) => name.startsWith(REWRITE_NAME) && name !== this.#rewriteName;
    return this.access.isShared ? names.filter(isOther) : [];
  }

  #names(): Promise<string[]> {
    return this.#setting.fileSystem.namesIn(this.path);
  }

  #pathOf(name: string): string {
    return this.#setting.fileSystem.pathOf(this.path, name);
  }

  #remove(name: string): Promise<void> {
    return this.#setting.fileSystem.remove(this.#pathOf(name));
  }
}
