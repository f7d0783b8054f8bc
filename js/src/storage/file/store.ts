/**
 * The store in one folder: what is open of it, its commits, one group after another, and when
 * its file is written anew. All who use the folder in this process share it.
 *
 * @module
 */

import { join } from 'node:path';

import { TableError } from '../../errors.js';
import type {
  Batch,
  CommitResult,
  Durability,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../page-storage.js';
import { BatchFile } from './batch-file.js';
import type { FileSystem } from './file-system.js';
import { countForGroup, judge, type Judgement, type WaitingCommit } from './judge.js';
import { loadFile, type LoadedFile } from './load.js';
import { takeLock, type Lock } from './lock.js';
import type { Processes } from './processes.js';
import { Rewrite } from './rewrite.js';

// The names of the files in the folder, beside that of the lock.
const STORE_NAME = 'entitable.store';
const REWRITE_NAME = 'entitable.store.new';

/** What a store works with, and what tests make smaller. */
export interface StoreSetting {
  readonly fileSystem: FileSystem;
  readonly processes: Processes;

  /** Is told why the file could not be written anew. The store works on, with a larger file. */
  readonly onProblem: (cause: unknown) => void;

  /** How many dead bytes are left alone, however few live. */
  readonly deadBytes?: number;
}

const DEAD_BYTES = 2 ** 20;

// A relaxed commit that brings them over this waits for the disk like a strict one.
const UNSYNCED_BYTES = 16 * 2 ** 20;

// When a copy lacks no more than this, commits wait for the rest of it.
const LAST_COPY_BYTES = 2 ** 20;

// Or when commits outran it for so long.
const MAX_COPY_ROUNDS = 8;

export class FileStore {
  readonly #folder: string;
  readonly #setting: StoreSetting;
  readonly #waiting: WaitingCommit[] = [];

  // Whatever changes the file, or which one it is, comes one after another.
  #turn: Promise<unknown> = Promise.resolve();
  #lock: Lock | undefined;
  #opened: LoadedFile | undefined;

  // Set when the disk may not have what the system shows: what is read back is then
  // written anew into another file before anything else.
  #isDoubtful = false;

  // A copy without what is dead, until it has taken the place of the file.
  #copying: Promise<Rewrite | undefined> | undefined;

  // How many bytes were dead when it last failed: it is tried again at twice as many.
  #failedAt = 0;

  constructor(folder: string, setting: StoreSetting) {
    this.#folder = folder;
    this.#setting = setting;
  }

  async read({ keys, recordsAfter = Infinity }: ReadRequest): Promise<Snapshot> {
    const { file, index } = this.#retain() ?? (await this.#inTurn(() => this.#openAndRetain()));
    try {
      // No wait up to the read: this is the one moment.
      const numbers = index.recordsAfter(recordsAfter);
      const all = keys.concat(numbers.map((number): StorageKey => `log/${number}`));
      const values = await file.read(all.map((key) => index.get(key)));
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

  /** Closes the file, after the commits that wait, and lets go of the lock. */
  close(): Promise<void> {
    return this.#inTurn(async () => {
      // Whoever opens it next knows nothing of the doubt.
      if (this.#isDoubtful) await this.#open().catch(() => undefined);
      await this.#closeFile();
      await this.#unlock();
    });
  }

  /** Removes the files, those that cannot be read, too. */
  destroy(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#closeFile();
      await this.#makeAndLock();
      await this.#remove(STORE_NAME);
      await this.#remove(REWRITE_NAME);
      await this.#setting.fileSystem.syncFolder(this.#folder);
      this.#isDoubtful = false;
      await this.#unlock();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  // --- Open ---

  #retain(): LoadedFile | undefined {
    this.#opened?.file.retain();
    return this.#opened;
  }

  async #openAndRetain(): Promise<LoadedFile> {
    const opened = await this.#open();
    opened.file.retain();
    return opened;
  }

  async #open(): Promise<LoadedFile> {
    if (this.#opened) return this.#opened;
    let loaded: LoadedFile | undefined;
    try {
      await this.#discardCopy();
      await this.#makeAndLock();
      // What a process that died was writing.
      await this.#remove(REWRITE_NAME);
      loaded = await this.#loadOrMake();
      if (this.#isDoubtful) {
        const doubtful = loaded;
        loaded = undefined;
        loaded = await this.#writtenAnew(doubtful);
      }
      // A process that died may have put the file there just before.
      await this.#setting.fileSystem.syncFolder(this.#folder);
      this.#isDoubtful = false;
      this.#failedAt = 0;
      return (this.#opened = loaded);
    } catch (cause) {
      await loaded?.file.release();
      // Others must not believe what is doubtful.
      if (!this.#isDoubtful) await this.#unlock().catch(() => undefined);
      throw unavailable(this.#folder, cause);
    }
  }

  async #makeAndLock(): Promise<void> {
    const { fileSystem, processes } = this.#setting;
    await fileSystem.makeFolder(this.#folder);
    this.#lock ??= await takeLock(fileSystem, processes, this.#folder);
  }

  async #unlock(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await lock?.release();
  }

  async #loadOrMake(): Promise<LoadedFile> {
    const { fileSystem } = this.#setting;
    const names = await fileSystem.namesIn(this.#folder);
    if (names.includes(STORE_NAME)) return loadFile(fileSystem, this.#path(STORE_NAME));
    return this.#writtenAnew(undefined);
  }

  // Without anything to write: an empty one.  A file of that name is whole from the start.
  async #writtenAnew(loaded: LoadedFile | undefined): Promise<LoadedFile> {
    const rewrite = new Rewrite(await this.#makeTarget());
    try {
      if (loaded) await rewrite.copy(loaded.file, loaded.index, () => true);
      await this.#putInPlace(rewrite);
    } catch (cause) {
      await rewrite.target.release();
      throw cause;
    } finally {
      await loaded?.file.release();
    }
    return { file: rewrite.target, index: rewrite.index };
  }

  async #closeFile(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await this.#discardCopy();
    await opened?.file.release();
  }

  #path(name: string): string {
    return join(this.#folder, name);
  }

  #remove(name: string): Promise<void> {
    return this.#setting.fileSystem.remove(this.#path(name));
  }

  // --- Commit ---

  #scheduleCommits(): void {
    this.#inTurn(async () => {
      const group = this.#waiting.splice(0, countForGroup(this.#waiting));
      // Somebody was there before: nothing may be opened for nobody.
      if (group.length === 0) return;
      await this.#commit(group);
      if (this.#waiting.length > 0) this.#scheduleCommits();
      this.#rewriteIfWorthIt();
    }).catch((cause: unknown) => this.#setting.onProblem(cause));
  }

  async #commit(group: readonly WaitingCommit[]): Promise<void> {
    try {
      const opened = await this.#open();
      const judgement = await judge(opened, group);
      const result = await this.#store(opened, judgement);
      if (result.outcome === 'quota' && group.length > 1) {
        // Perhaps one of them fits.
        for (const commit of group) await this.#commit([commit]);
        return;
      }
      for (const commit of judgement.commits) {
        commit.resolve(commit.result.outcome === 'ok' ? result : commit.result);
      }
    } catch (cause) {
      for (const { resolve } of group) resolve(refusal(cause));
    }
  }

  async #store(opened: LoadedFile, { commits, changes }: Judgement): Promise<CommitResult> {
    if (changes.length === 0) return { outcome: 'ok' };
    const { file, index } = opened;
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
    }
    index.apply(placed);
    return { outcome: 'ok' };
  }

  // Whoever asks next finds out by opening it again.
  #doubt(opened: LoadedFile, cause: unknown): CommitResult {
    this.#opened = undefined;
    this.#isDoubtful = true;
    // eslint-disable-next-line @typescript-eslint/no-floating-promises -- it never rejects
    void opened.file.release();
    return { outcome: 'unknown', cause };
  }

  // --- Rewrite ---

  #rewriteIfWorthIt(): void {
    const opened = this.#opened;
    if (!opened || this.#copying) return;
    const { deadBytes = DEAD_BYTES } = this.#setting;
    const dead = deadBytesOf(opened);
    if (dead <= Math.max(opened.index.liveBytes, deadBytes, 2 * this.#failedAt)) return;
    const copying = this.#copy(opened);
    this.#copying = copying;
    copying
      .then(() => this.#inTurn(() => this.#finishCopy(copying)))
      .catch((cause: unknown) => this.#setting.onProblem(cause));
  }

  // All but the last of it, while commits go on.  Resolves to nothing if it failed.
  async #copy(opened: LoadedFile): Promise<Rewrite | undefined> {
    const isCurrent = () => this.#opened === opened;
    let rewrite: Rewrite | undefined;
    try {
      rewrite = new Rewrite(await this.#makeTarget());
      for (let round = 0; round < MAX_COPY_ROUNDS && isCurrent(); round++) {
        const bytes = await rewrite.copy(opened.file, opened.index, isCurrent);
        if (bytes <= LAST_COPY_BYTES) break;
      }
      return rewrite;
    } catch (cause) {
      await this.#giveUp(rewrite, cause);
      return undefined;
    }
  }

  async #finishCopy(copying: Promise<Rewrite | undefined>): Promise<void> {
    if (this.#copying !== copying) return;
    this.#copying = undefined;
    const [rewrite, opened] = [await copying, this.#opened];
    if (!rewrite || !opened) return;
    try {
      await rewrite.copy(opened.file, opened.index, () => true);
      await this.#putInPlace(rewrite);
    } catch (cause) {
      return this.#giveUp(rewrite, cause);
    }
    const written = { file: rewrite.target, index: rewrite.index };
    this.#opened = written;
    await opened.file.release();
    // Until its name is on the disk nothing may be acknowledged that is only in there.
    await this.#setting.fileSystem
      .syncFolder(this.#folder)
      .catch((cause: unknown) => this.#doubt(written, cause));
  }

  #makeTarget(): Promise<BatchFile> {
    const { fileSystem } = this.#setting;
    return BatchFile.make(fileSystem, this.#path(REWRITE_NAME), this.#path(STORE_NAME));
  }

  async #putInPlace({ target }: Rewrite): Promise<void> {
    await target.seal();
    await this.#setting.fileSystem.rename(this.#path(REWRITE_NAME), this.#path(STORE_NAME));
  }

  async #giveUp(rewrite: Rewrite | undefined, cause: unknown): Promise<void> {
    if (this.#opened) this.#failedAt = deadBytesOf(this.#opened);
    await rewrite?.target.release();
    await this.#remove(REWRITE_NAME).catch(() => undefined);
    this.#setting.onProblem(cause);
  }

  // Before the lock is let go, and before another file gets its name.
  async #discardCopy(): Promise<void> {
    const copying = this.#copying;
    this.#copying = undefined;
    const rewrite = await copying;
    if (!rewrite) return;
    await rewrite.target.release();
    // Opening tries again.
    await this.#remove(REWRITE_NAME).catch(() => undefined);
  }
}

function deadBytesOf({ file, index }: LoadedFile): number {
  return file.end - index.liveBytes;
}

/** What a commit is told that was not begun, or of which nothing is left. */
export function refusal(cause: unknown): CommitResult {
  return { outcome: isNoRoom(cause) ? 'quota' : 'refused', cause };
}

function isNoRoom(cause: unknown): boolean {
  if (cause instanceof TableError) return isNoRoom(cause.cause);
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((cause as { code?: string } | null)?.code ?? '');
}

/** What to reject with when a folder cannot be used. */
export function unavailable(folder: string, cause: unknown): TableError {
  if (cause instanceof TableError) return cause;
  return new TableError('StorageUnavailable', `${folder} cannot be used as a store.`, { cause });
}
