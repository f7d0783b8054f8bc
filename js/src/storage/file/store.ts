/**
 * The store in one folder: what is open of it, and its commits, one group after another. All users
 * of the folder in this process share it.
 *
 * @module
 */

import type { TableError } from '../../base/errors.js';
import type {
  Batch,
  CommitResult,
  Durability,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../page-storage.js';
import { BackgroundRewrite } from './background-rewrite.js';
import { countForGroup, judge, type Judgement, type WaitingCommit } from './judge.js';
import { deadBytesOf, type LoadedFile } from './load.js';
import { isNoRoom, refusal, unavailable, withKey } from './problems.js';
import { Rewrite } from './rewrite.js';
import { StoreFolder, type FolderSetting } from './store-folder.js';

/** What a store works with, and what tests make smaller. */
export interface StoreSetting extends FolderSetting {
  /** How many dead bytes are left alone, however few live. */
  readonly deadBytes?: number;
}

// A relaxed commit that brings them over this waits for the disk like a strict one.
const UNSYNCED_BYTES = 16 * 2 ** 20;

// So many dead bytes are worth a move, where there is no room.
const MOVE_BYTES = 2 ** 16;

export class FileStore {
  readonly #folder: StoreFolder;
  readonly #setting: StoreSetting;
  readonly #waiting: WaitingCommit[] = [];

  // Changes of the file, and of which file it is, come one after another.
  #turn: Promise<unknown> = Promise.resolve();
  #opened: LoadedFile | undefined;

  // Set when the file is gone: until the store is closed, everything fails with this.
  #lost: TableError | undefined;

  // Set when the disk may not have what the system shows: what is read back is then
  // written anew into another file before anything else.
  #isDoubtful = false;

  readonly #rewrite: BackgroundRewrite;

  // How many bytes were dead when there was too little room for a move: it is tried again at twice
  // as many.
  #notMovedAt = 0;

  constructor(folder: string, setting: StoreSetting) {
    this.#folder = new StoreFolder(folder, setting);
    this.#setting = setting;
    this.#rewrite = new BackgroundRewrite({
      deadBytes: setting.deadBytes,
      onProblem: setting.onProblem,
      folder: this.#folder,
      opened: () => this.#opened,
      inTurn: (work) => this.#inTurn(work),
      replace: (opened, written) => this.#replace(opened, written),
    });
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const { recordsAfter = Infinity } = request;
    // Before anything is awaited: the caller may change what it asked for.
    const keys = [...request.keys];
    const { file, index } = this.#retain() ?? (await this.#inTurn(() => this.#openAndRetain()));
    try {
      // No wait up to the read: this is the one moment.
      const numbers = index.recordsAfter(recordsAfter);
      const all = keys.concat(numbers.map((number): StorageKey => `log/${number}`));
      const places = all.map((key) => index.get(key));
      const values = await file.read(places).catch((cause: unknown) => {
        throw withKey(
          cause,
          (offset) => all[places.findIndex((place) => place?.offset === offset)],
        );
      });
      // Another file has the name, too, when this one has been written anew.
      if (await file.loss()) await this.#inTurn(() => this.#checkLoss());
      return {
        values: values.slice(0, keys.length),
        records: numbers.map((number, at) => [number, values[keys.length + at]!]),
      };
    } finally {
      await file.release();
    }
  }

  async list(): Promise<StorageKey[]> {
    const { file, index } = this.#retain() ?? (await this.#inTurn(() => this.#openAndRetain()));
    const keys = Array.from(index.entries(), ([key]) => key);
    await file.release();
    return keys;
  }

  /** Takes the batch as its own: nobody may change it any more. Never rejects. */
  commit(batch: Batch, durability: Durability): Promise<CommitResult> {
    return new Promise((resolve) => {
      this.#waiting.push({ batch, durability, resolve });
      if (this.#waiting.length === 1) this.#scheduleCommits();
    });
  }

  /**
   * Closes the file, after the commits that wait, and lets go of the lock, come what may.
   *
   * @throws {@link TableError} if the file is gone, and no call has said so.
   */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      try {
        // The next process that opens it knows nothing of the doubt.
        if (this.#isDoubtful) await this.#open().catch(() => undefined);
        const loss = this.#lost ? undefined : await this.#opened?.file.loss();
        await this.#closeFile();
        if (loss) throw loss;
      } finally {
        this.#lost = undefined;
        await this.#folder.unlock();
      }
    });
  }

  /** Removes the files, those that cannot be read, too. */
  destroy(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#closeFile();
      await this.#folder.lock();
      try {
        await this.#folder.removeAll();
        this.#isDoubtful = false;
        this.#lost = undefined;
      } finally {
        await this.#folder.unlock();
      }
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  // --- Open ---

  #retain(): LoadedFile | undefined {
    if (this.#lost) throw this.#lost;
    this.#opened?.file.retain();
    return this.#opened;
  }

  async #openAndRetain(): Promise<LoadedFile> {
    const opened = await this.#open();
    opened.file.retain();
    return opened;
  }

  // In a turn, so that no other file is being put in the place.
  async #checkLoss(): Promise<void> {
    this.#lost ??= await this.#opened?.file.loss();
    if (this.#lost) throw this.#lost;
  }

  async #open(): Promise<LoadedFile> {
    if (this.#lost) throw this.#lost;
    if (this.#opened) return this.#opened;
    let loaded: LoadedFile | undefined;
    try {
      await this.#rewrite.discard();
      await this.#folder.lock();
      loaded = (await this.#folder.load()) ?? (await this.#writtenAnew(undefined));
      if (this.#isDoubtful) {
        const doubtful = loaded;
        loaded = undefined;
        loaded = await this.#writtenAnew(doubtful);
      }
      // A process that died may have put the file there just before.
      await this.#folder.sync();
      this.#isDoubtful = false;
      this.#rewrite.forgetFailure();
      return (this.#opened = loaded);
    } catch (cause) {
      await loaded?.file.release();
      // Others must not believe what is doubtful.
      if (!this.#isDoubtful) await this.#folder.unlock().catch(() => undefined);
      throw unavailable(this.#folder.path, cause);
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
    const rewrite = new Rewrite(await this.#folder.makeRewrite());
    try {
      if (loaded) await rewrite.copy(loaded.file, loaded.index, () => true);
      await this.#folder.putInPlace(rewrite.target);
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

  // --- Commit ---

  #scheduleCommits(): void {
    this.#inTurn(async () => {
      const group = this.#waiting.splice(0, countForGroup(this.#waiting));
      // Somebody was there before: nothing may be opened for nobody.
      if (group.length === 0) return;
      await this.#commit(group);
      if (this.#waiting.length > 0) this.#scheduleCommits();
      this.#rewrite.beginIfWorthIt();
    }).catch((cause: unknown) => this.#setting.onProblem(cause));
  }

  async #commit(group: readonly WaitingCommit[]): Promise<void> {
    let hasBegun = false;
    try {
      const opened = await this.#open();
      await this.#checkLoss();
      hasBegun = true;
      const judgement = await judge(opened, group);
      const result = await this.#storeIfRoom(opened, judgement);
      // What is in a file that is gone is not stored.
      if (result.outcome === 'ok') await this.#checkLoss();
      if (result.outcome === 'quota' && group.length > 1) {
        // Perhaps one of them fits.
        for (const commit of group) await this.#commit([commit]);
        return;
      }
      for (const commit of judgement.commits) {
        commit.resolve(commit.result.outcome === 'ok' ? result : commit.result);
      }
    } catch (cause) {
      // The account finds out by reading.
      const outcome = hasBegun ? 'unknown' : 'moved';
      const result: CommitResult = this.#lost ? { outcome, cause } : refusal(cause);
      for (const { resolve } of group) resolve(result);
    }
  }

  // What makes room may use the reserve; all else waits until it is back.
  async #storeIfRoom(opened: LoadedFile, judgement: Judgement): Promise<CommitResult> {
    if (judgement.changes.length === 0) return { outcome: 'ok' };
    const isFreeing = judgement.commits.every(
      ({ batch, result }) => batch.frees || result.outcome !== 'ok',
    );
    try {
      if (!isFreeing) {
        const current = await this.#withReserves(opened);
        return await this.#store(current, judgement);
      }
      let result = await this.#store(opened, judgement);
      if (result.outcome === 'quota' && (await this.#folder.giveUpReserve())) {
        result = await this.#store(opened, judgement);
      }
      if (result.outcome !== 'quota' || !(await this.#moveIfWorthIt(opened))) return result;
      return await this.#store(await this.#open(), judgement);
    } catch (cause) {
      return refusal(cause);
    }
  }

  async #withReserves(opened: LoadedFile): Promise<LoadedFile> {
    try {
      await this.#folder.restoreReserves();
      return opened;
    } catch (cause) {
      const isMuch = deadBytesOf(opened) > opened.index.liveBytes / 4;
      if (!isNoRoom(cause) || !isMuch || !(await this.#moveIfWorthIt(opened))) throw cause;
    }
    await this.#folder.restoreReserves();
    return this.#open();
  }

  // A copy needs room. True: what was open is closed, and its file written anew.
  async #moveIfWorthIt(opened: LoadedFile): Promise<boolean> {
    const dead = deadBytesOf(opened);
    if (dead < Math.max(MOVE_BYTES, 2 * this.#notMovedAt)) return false;
    await this.#rewrite.discard();
    // Later calls wait for this turn to end.
    this.#opened = undefined;
    await opened.file.whenUnused();
    const isMoved = await this.#folder.move(opened).catch(async (cause: unknown) => {
      await opened.file.release();
      throw cause;
    });
    this.#notMovedAt = isMoved ? 0 : dead;
    if (isMoved) await opened.file.release();
    else this.#opened = opened;
    return isMoved;
  }

  async #store(opened: LoadedFile, { commits, changes }: Judgement): Promise<CommitResult> {
    const { file, index } = opened;
    const failure = file.isClosed ? await this.#reopen(opened) : undefined;
    if (failure) return failure;
    let placed;
    try {
      placed = await file.append(changes);
    } catch (cause) {
      // Part of a batch is none, if only nothing comes behind it.
      return file.cut().then(
        () => refusal(cause),
        () => this.#doubt(opened, cause),
      );
    }
    const isStrict = commits.some(
      ({ durability, result }) => durability === 'strict' && result.outcome === 'ok',
    );
    if (isStrict || file.unsyncedBytes > UNSYNCED_BYTES) {
      try {
        await file.sync();
      } catch (cause) {
        return this.#doubt(opened, cause);
      }
    } else {
      await file.markWritten();
    }
    index.apply(placed);
    return { outcome: 'ok' };
  }

  // Nothing may be appended while the disk may have a mark that says that the file is closed.
  async #reopen(opened: LoadedFile): Promise<CommitResult | undefined> {
    try {
      await opened.file.markOpen();
    } catch (cause) {
      return refusal(cause);
    }
    try {
      await opened.file.sync();
      return undefined;
    } catch (cause) {
      this.#doubt(opened, cause);
      return { outcome: 'refused', cause };
    }
  }

  // The next call finds out by opening it again.
  #doubt(opened: LoadedFile, cause: unknown): CommitResult {
    this.#opened = undefined;
    this.#isDoubtful = true;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
    void opened.file.release();
    return { outcome: 'unknown', cause };
  }

  // A rewrite is done.
  async #replace(opened: LoadedFile, written: LoadedFile): Promise<void> {
    this.#opened = written;
    await opened.file.release();
    // Until its name is on the disk nothing may be acknowledged that is only in there.
    await this.#folder.sync().catch((cause: unknown) => this.#doubt(written, cause));
  }
}
