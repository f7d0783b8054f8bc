/**
 * The open file of a store: opens, rewrites, replaces and closes it.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import type { CommitResult } from '../page-storage.js';
import { BackgroundRewrite } from './background-rewrite.js';
import { deadBytesOf, type LoadedFile } from './load.js';
import { gone, unavailable } from './problems.js';
import { Rewrite } from './rewrite.js';
import { StoreFolder, type FolderSetting } from './store-folder.js';

/** The settings of a store; tests make them smaller. */
export interface StoreSetting extends FolderSetting {
  /** A file with no more dead bytes is not rewritten, however few bytes are live. */
  readonly deadBytes?: number;
}

// Without room for a copy, so many dead bytes are worth a move.
const MOVE_BYTES = 2 ** 16;

/**
 * All methods but `retain()` and `beginRewriteIfWorthIt()` are called in turns, one after another.
 */
export class CurrentFile {
  readonly folder: StoreFolder;
  readonly #setting: StoreSetting;
  readonly #rewrite: BackgroundRewrite;
  #opened: LoadedFile | undefined;

  // Set when the file is gone. Until the store is closed, everything fails with this error.
  #lost: TableError | undefined;

  // Set when the disk may differ from what the system shows. Then the readable bytes are copied to
  // another file before anything else.
  #isDoubtful = false;

  // The turn of the access in which the file was compared with what other tabs had written.
  #freshIn = 0;

  // How many bytes were dead when there was too little room for a move. The next try comes at twice
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
      catchUp: () => this.#catchUpIfOpen(),
      replace: (opened, written) => this.#replace(opened, written),
    });
  }

  /** The error that everything fails with until the store is closed. */
  get lost(): TableError | undefined {
    return this.#lost;
  }

  /**
   * Keeps the open file open until it is released. Undefined, if none is open, or others may have
   * changed it.
   */
  retain(): LoadedFile | undefined {
    if (this.#lost) throw this.#lost;
    const { readsWithoutHold } = this.folder.access;
    if (!this.#opened || !readsWithoutHold || !this.#isFresh) return undefined;
    this.#opened.file.retain();
    return this.#opened;
  }

  /**
   * The same without a hold, after the changes of other tabs were taken over. Undefined, if that is
   * not possible.
   */
  async catchUpAndRetain(): Promise<LoadedFile | undefined> {
    const opened = this.#opened;
    if (!opened || this.retain()) return opened;
    if (!this.folder.access.readsWithoutHold) return undefined;
    await this.checkLoss();
    if (!(await this.folder.catchUp(opened))) return undefined;
    opened.file.retain();
    return opened;
  }

  /** The same, and opens it first, if it is not open. */
  async openAndRetain(): Promise<LoadedFile> {
    const opened = await this.open();
    opened.file.retain();
    return opened;
  }

  /** Throws if the file is gone, or was cut other than by a move. */
  async checkLoss(): Promise<void> {
    this.#lost ??= this.#opened && (await this.folder.lossOf(this.#opened));
    if (this.#lost) throw this.#lost;
  }

  /** Opens the file, unless it is open, and takes the lock of the folder. */
  async open(): Promise<LoadedFile> {
    if (this.#lost) throw this.#lost;
    if (this.#opened && (await this.#isCaughtUp(this.#opened))) return this.#opened;
    let loaded: LoadedFile | undefined;
    try {
      await this.#rewrite.discard();
      await this.folder.lock();
      loaded = (await this.folder.load()) ?? (await this.#made());
      if (this.#isDoubtful) {
        const doubtful = loaded;
        loaded = undefined;
        loaded = await this.#writtenAnew(doubtful);
      }
      // A process that died may have renamed the file just before.
      await this.folder.sync();
      this.#isDoubtful = false;
      this.#rewrite.forgetFailure();
      this.#freshIn = this.folder.access.turn;
      return (this.#opened = loaded);
    } catch (cause) {
      await loaded?.file.release();
      // Other processes must not read bytes that may not be on the disk.
      if (!this.#isDoubtful) await this.folder.unlock().catch(() => undefined);
      throw unavailable(this.folder.path, cause);
    }
  }

  /**
   * Closes the file after a failure that leaves its state unknown. The next call opens it again.
   */
  doubt(opened: LoadedFile, cause: unknown): CommitResult {
    this.#opened = undefined;
    this.#isDoubtful = true;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
    void opened.file.release();
    return { outcome: 'unknown', cause };
  }

  /**
   * After a failure that leaves the state of the file unknown, writes it anew. Other tabs do not
   * know of the failure, so this comes before they may have the file. If it fails, the next call
   * tries again.
   */
  async endDoubt(): Promise<void> {
    if (this.#isDoubtful) await this.open().catch(() => undefined);
  }

  /** Begins to rewrite the file, if enough of it is dead. */
  beginRewriteIfWorthIt(): void {
    this.#rewrite.beginIfWorthIt();
  }

  /**
   * Rewrites the file where there is no room for a copy, if enough of it is dead. True: `opened` is
   * closed.
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
   * Closes the file, and always releases the lock.
   *
   * @param isHeld - false, if another tab keeps the files. Then they are left as they are.
   * @throws {@link TableError} if the file is gone, and no call has reported that.
   */
  async close(isHeld: boolean): Promise<void> {
    try {
      if (isHeld) await this.endDoubt();
      const mayLook = isHeld || this.folder.access.readsWithoutHold;
      const opened = mayLook && !this.#lost ? this.#opened : undefined;
      const loss = opened && (await this.folder.lossOf(opened));
      const isCaughtUp = () =>
        this.#catchUpIfOpen().then(
          () => true,
          () => false,
        );
      await this.#closeFile(isHeld && (await isCaughtUp()));
      if (loss) throw loss;
    } finally {
      this.#lost = undefined;
      await this.folder.unlock();
    }
  }

  /** Removes the files, also unreadable ones. */
  async destroy(): Promise<void> {
    const { isShared } = this.folder.access;
    await this.#closeFile(!isShared);
    // Where tabs share the files, the caller holds them, and there may be no folder.
    if (!isShared) await this.folder.lock();
    try {
      await this.folder.removeAll();
      this.#isDoubtful = false;
      this.#lost = undefined;
    } finally {
      await this.folder.unlock();
    }
  }

  // A file with unknown bytes was there: it is gone.
  async #made(): Promise<LoadedFile> {
    if (!this.#isDoubtful) return this.#writtenAnew(undefined);
    this.#isDoubtful = false;
    throw (this.#lost = gone(this.folder.path));
  }

  // Without a file, it makes an empty one. The rename makes the new file visible as a whole.
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

  async #closeFile(marks: boolean): Promise<void> {
    await this.#releaseFile(marks);
    // A sync has failed.
    if (!marks || !this.#isDoubtful) return;
    await this.endDoubt();
    await this.#releaseFile(false);
  }

  async #releaseFile(marks: boolean): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await this.#rewrite.discard();
    if (opened && marks) await this.#finish(opened);
    await opened?.file.release();
  }

  // Without the mark of a close, the file is as after a crash.
  async #finish({ file }: LoadedFile): Promise<void> {
    try {
      await file.finish();
    } catch (cause) {
      this.#setting.onProblem(cause);
      this.#isDoubtful = file.unsyncedBytes > 0;
    }
  }

  get #isFresh(): boolean {
    const { isShared, isHeld, turn } = this.folder.access;
    return !isShared || (isHeld && this.#freshIn === turn);
  }

  // False: the file was closed, and must be loaded again.
  async #isCaughtUp(opened: LoadedFile): Promise<boolean> {
    if (this.#isFresh) return true;
    await this.checkLoss();
    this.folder.recheckReserves();
    const { turn } = this.folder.access;
    if (await this.folder.catchUp(opened)) {
      this.#freshIn = turn;
      return true;
    }
    this.#opened = undefined;
    await opened.file.release();
    return false;
  }

  async #catchUpIfOpen(): Promise<void> {
    if (this.#opened) await this.open();
  }

  // A rewrite has ended.
  async #replace(opened: LoadedFile, written: LoadedFile): Promise<void> {
    this.#opened = written;
    await opened.file.release();
    // Commits that are only in the new file must wait until its name is on the disk.
    await this.folder.sync().catch((cause: unknown) => this.doubt(written, cause));
  }
}
