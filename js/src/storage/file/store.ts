/**
 * The store in one folder: its reads, and its commits, one group after another. All accounts of
 * this process that use the folder share it.
 *
 * @module
 */

import type {
  Batch,
  CommitResult,
  Durability,
  ReadRequest,
  Snapshot,
  StorageKey,
} from '../page-storage.js';
import { holding, type Access } from './access.js';
import { CurrentFile, type StoreSetting } from './current-file.js';
import { GroupWriter } from './group-writer.js';
import type { LoadedFile } from './load.js';
import { refusal } from './problems.js';
import type { Salvaged } from './salvage.js';
import { keysOf, snapshotOf } from './snapshot.js';
import { countForGroup, validate, type WaitingCommit } from './validate.js';

export class FileStore {
  readonly #access: Access;
  readonly #current: CurrentFile;
  readonly #writer: GroupWriter;
  readonly #waiting: WaitingCommit[] = [];

  // Changes of the file and its replacement come one after another.
  #turn: Promise<unknown> = Promise.resolve();

  constructor(folder: string, setting: StoreSetting) {
    this.#current = new CurrentFile(folder, setting, (work) => this.#holdingInTurn(work));
    this.#access = this.#current.folder.access;
    this.#writer = new GroupWriter(this.#current);
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    // Before the first await: the caller may change the request.
    const own = { keys: [...request.keys], recordsAfter: request.recordsAfter };
    return this.#reading(async (opened) => {
      const snapshot = await snapshotOf(opened, own);
      // After a rewrite, another file has the name, too.
      if (await opened.file.loss()) await this.#inTurn(() => this.#current.checkLoss());
      return snapshot;
    });
  }

  list(): Promise<StorageKey[]> {
    return this.#reading((opened) => Promise.resolve(keysOf(opened)));
  }

  /** What is intact of a store that cannot be opened; undefined, if nothing is. */
  salvage(): Promise<Salvaged | undefined> {
    return this.#holdingInTurn(() => this.#current.folder.salvage());
  }

  /** Reads, and commits what `decide` returns, while no other account can write. */
  exclusively(
    request: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    durability: Durability,
  ): Promise<CommitResult | undefined> {
    return this.#holdingInTurn(async () => {
      const opened = await this.#current.openAndRetain();
      const snapshot = await snapshotOf(opened, request).finally(() => opened.file.release());
      if (await opened.file.loss()) await this.#current.checkLoss();
      const batch = decide(snapshot);
      if (!batch) return undefined;
      const result = await new Promise<CommitResult>((resolve, reject) => {
        this.#commit([{ batch, durability, resolve }]).catch(reject);
      });
      this.#current.beginRewriteIfWorthIt();
      return result;
    });
  }

  /** Owns the batch, which must not change any more. Never rejects. */
  commit(batch: Batch, durability: Durability): Promise<CommitResult> {
    return new Promise((resolve) => {
      this.#waiting.push({ batch, durability, resolve });
      if (this.#waiting.length === 1) this.#scheduleCommits();
    });
  }

  /**
   * Closes the file after the commits that wait, and always releases the lock.
   *
   * @throws {@link TableError} if the file is gone, and no call has reported that.
   */
  async close(): Promise<void> {
    const release = await this.#access.hold().catch(() => undefined);
    try {
      await this.#inTurn(() => this.#current.close(release !== undefined));
    } finally {
      release?.();
      await this.#access.close();
    }
  }

  /** Removes the files, also unreadable ones. */
  destroy(): Promise<void> {
    return this.#holdingInTurn(() => this.#current.destroy());
  }

  // Without a hold, if that is possible.
  async #reading<T>(work: (opened: LoadedFile) => Promise<T>): Promise<T> {
    const inUse = async (opened: LoadedFile) => {
      try {
        return await work(opened);
      } finally {
        await opened.file.release();
      }
    };
    const retained = this.#current.retain() ?? (await this.#caughtUp());
    if (retained) {
      try {
        return await inUse(retained);
      } catch (cause) {
        // Another tab may be moving the values to another file.
        if (!this.#access.isShared) throw cause;
      }
    }
    return holding(this.#access, async () =>
      inUse(await this.#inTurn(() => this.#current.openAndRetain())),
    );
  }

  async #caughtUp(): Promise<LoadedFile | undefined> {
    if (!this.#access.isShared) return undefined;
    return this.#inTurn(() => this.#current.catchUpAndRetain());
  }

  #holdingInTurn<T>(work: () => Promise<T>): Promise<T> {
    return holding(this.#access, () =>
      this.#inTurn(() => work().finally(() => this.#access.isShared && this.#current.endDoubt())),
    );
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #scheduleCommits(): void {
    this.#holdingInTurn(async () => {
      const group = this.#waiting.splice(0, countForGroup(this.#waiting));
      // An earlier turn took the commits. Without commits, the file need not be opened.
      if (group.length === 0) return;
      await this.#commit(group);
      if (this.#waiting.length > 0) this.#scheduleCommits();
      this.#current.beginRewriteIfWorthIt();
    }).catch((cause: unknown) => {
      // Another tab keeps the files.
      for (const { resolve } of this.#waiting.splice(0)) resolve(refusal(cause));
    });
  }

  async #commit(group: readonly WaitingCommit[]): Promise<void> {
    let hasBegun = false;
    try {
      const opened = await this.#current.open();
      await this.#current.checkLoss();
      hasBegun = true;
      const validated = await validate(opened, group);
      const result = await this.#writer.store(opened, validated);
      // A commit in a file that is gone is not stored.
      if (result.outcome === 'ok') await this.#current.checkLoss();
      if (result.outcome === 'quota' && group.length > 1) {
        // One commit of the group may fit alone.
        for (const commit of group) await this.#commit([commit]);
        return;
      }
      for (const commit of validated.commits) {
        commit.resolve(commit.result.outcome === 'ok' ? result : commit.result);
      }
    } catch (cause) {
      // The account reads the store to find out.
      const outcome = hasBegun ? 'unknown' : 'moved';
      const result: CommitResult = this.#current.lost ? { outcome, cause } : refusal(cause);
      for (const { resolve } of group) resolve(result);
    }
  }
}
