/**
 * The open file of a store: it is opened, written anew, replaced and closed here.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import type { CommitResult } from '../page-storage.js';
import { BackgroundRewrite } from './background-rewrite.js';
import { deadBytesOf, type LoadedFile } from './load.js';
import { unavailable } from './problems.js';
import { Rewrite } from './rewrite.js';
import { StoreFolder, type FolderSetting } from './store-folder.js';

/** What a store works with, and what tests make smaller. */
export interface StoreSetting extends FolderSetting {
  /** How many dead bytes are left alone, however few live. */
  readonly deadBytes?: number;
}

// So many dead bytes are worth a move, where there is no room.
const MOVE_BYTES = 2 ** 16;

/** All but `retain()` and `beginRewriteIfWorthIt()` is called in turns, one after another. */
export class CurrentFile {
  readonly folder: StoreFolder;
  readonly #setting: StoreSetting;
  readonly #rewrite: BackgroundRewrite;
  #opened: LoadedFile | undefined;

  // Set when the file is gone: until the store is closed, everything fails with this.
  #lost: TableError | undefined;

  // Set when the disk may not have what the system shows: what is read back is then
  // written anew into another file before anything else.
  #isDoubtful = false;

  // How many bytes were dead when there was too little room for a move: it is tried again at twice
  // as many.
  #notMovedAt = 0;

  /** @param inTurn - does work while nothing else changes the file. */
  constructor(
    folder: string,
    setting: StoreSetting,
    inTurn: <T>(work: () => Promise<T>) => Promise<T>,
  ) {
    this.folder = new StoreFolder(folder, setting);
    this.#setting = setting;
    this.#rewrite = new BackgroundRewrite({
      deadBytes: setting.deadBytes,
      onProblem: setting.onProblem,
      folder: this.folder,
      opened: () => this.#opened,
      inTurn,
      replace: (opened, written) => this.#replace(opened, written),
    });
  }

  /** Why everything fails until the store is closed, if it does. */
  get lost(): TableError | undefined {
    return this.#lost;
  }

  /** Keeps the open file open until it is released; undefined, if none is open. */
  retain(): LoadedFile | undefined {
    if (this.#lost) throw this.#lost;
    this.#opened?.file.retain();
    return this.#opened;
  }

  /** The same, and opens it first, if it is not open. */
  async openAndRetain(): Promise<LoadedFile> {
    const opened = await this.open();
    opened.file.retain();
    return opened;
  }

  /** Throws if the file is not at its place any more. */
  async checkLoss(): Promise<void> {
    this.#lost ??= await this.#opened?.file.loss();
    if (this.#lost) throw this.#lost;
  }

  /** Opens the file, unless it is open, and takes the lock of the folder. */
  async open(): Promise<LoadedFile> {
    if (this.#lost) throw this.#lost;
    if (this.#opened) return this.#opened;
    let loaded: LoadedFile | undefined;
    try {
      await this.#rewrite.discard();
      await this.folder.lock();
      loaded = (await this.folder.load()) ?? (await this.#writtenAnew(undefined));
      if (this.#isDoubtful) {
        const doubtful = loaded;
        loaded = undefined;
        loaded = await this.#writtenAnew(doubtful);
      }
      // A process that died may have put the file there just before.
      await this.folder.sync();
      this.#isDoubtful = false;
      this.#rewrite.forgetFailure();
      return (this.#opened = loaded);
    } catch (cause) {
      await loaded?.file.release();
      // Others must not believe what is doubtful.
      if (!this.#isDoubtful) await this.folder.unlock().catch(() => undefined);
      throw unavailable(this.folder.path, cause);
    }
  }

  /** Nothing more is known of the file: the next call finds out by opening it again. */
  doubt(opened: LoadedFile, cause: unknown): CommitResult {
    this.#opened = undefined;
    this.#isDoubtful = true;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
    void opened.file.release();
    return { outcome: 'unknown', cause };
  }

  /** Begins to write the file anew, if so much of it is dead. */
  beginRewriteIfWorthIt(): void {
    this.#rewrite.beginIfWorthIt();
  }

  /**
   * Writes the file anew where there is no room for a copy, if so much of it is dead. True: what was
   * open is closed.
   */
  async moveIfWorthIt(opened: LoadedFile): Promise<boolean> {
    const dead = deadBytesOf(opened);
    if (dead < Math.max(MOVE_BYTES, 2 * this.#notMovedAt)) return false;
    await this.#rewrite.discard();
    // Later calls wait for this turn to end.
    this.#opened = undefined;
    await opened.file.whenUnused();
    const isMoved = await this.folder.move(opened).catch(async (cause: unknown) => {
      await opened.file.release();
      throw cause;
    });
    this.#notMovedAt = isMoved ? 0 : dead;
    if (isMoved) await opened.file.release();
    else this.#opened = opened;
    return isMoved;
  }

  /**
   * Closes the file, and lets go of the lock, come what may.
   *
   * @throws {@link TableError} if the file is gone, and no call has said so.
   */
  async close(): Promise<void> {
    try {
      // The next process that opens it knows nothing of the doubt.
      if (this.#isDoubtful) await this.open().catch(() => undefined);
      const loss = this.#lost ? undefined : await this.#opened?.file.loss();
      await this.#closeFile();
      if (loss) throw loss;
    } finally {
      this.#lost = undefined;
      await this.folder.unlock();
    }
  }

  /** Removes the files, those that cannot be read, too. */
  async destroy(): Promise<void> {
    await this.#closeFile();
    await this.folder.lock();
    try {
      await this.folder.removeAll();
      this.#isDoubtful = false;
      this.#lost = undefined;
    } finally {
      await this.folder.unlock();
    }
  }

  // Without anything to write: an empty one.  A file of that name is whole from the start.
  async #writtenAnew(loaded: LoadedFile | undefined): Promise<LoadedFile> {
    try {
      return await this.#copiedInPlace(loaded);
    } finally {
      await loaded?.file.release();
    }
  }

  async #copiedInPlace(loaded: LoadedFile | undefined): Promise<LoadedFile> {
    const rewrite = new Rewrite(await this.folder.makeRewrite());
    try {
      if (loaded) await rewrite.copy(loaded.file, loaded.index, () => true);
      await this.folder.putInPlace(rewrite.target);
    } catch (cause) {
      await rewrite.target.release();
      throw cause;
    }
    return { file: rewrite.target, index: rewrite.index };
  }

  async #closeFile(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await this.#rewrite.discard();
    // Without it, the file is as after a crash.
    await opened?.file.finish().catch(this.#setting.onProblem);
    await opened?.file.release();
  }

  // A rewrite is done.
  async #replace(opened: LoadedFile, written: LoadedFile): Promise<void> {
    this.#opened = written;
    await opened.file.release();
    // Until its name is on the disk nothing may be acknowledged that is only in there.
    await this.folder.sync().catch((cause: unknown) => this.doubt(written, cause));
  }
}
