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
import { CurrentFile, type StoreSetting } from './current-file.js';
import { GroupWriter } from './group-writer.js';
import { refusal, withKey } from './problems.js';
import { countForGroup, validate, type WaitingCommit } from './validate.js';

export class FileStore {
  readonly #current: CurrentFile;
  readonly #writer: GroupWriter;
  readonly #onProblem: (cause: unknown) => void;
  readonly #waiting: WaitingCommit[] = [];

  // Changes of the file and its replacement come one after another.
  #turn: Promise<unknown> = Promise.resolve();

  constructor(folder: string, setting: StoreSetting) {
    this.#current = new CurrentFile(folder, setting, (work) => this.#inTurn(work));
    this.#writer = new GroupWriter(this.#current);
    this.#onProblem = setting.onProblem;
  }

  async read(request: ReadRequest): Promise<Snapshot> {
    const { recordsAfter = Infinity } = request;
    // Before the first await: the caller may change the request.
    const keys = [...request.keys];
    const { file, index } =
      this.#current.retain() ?? (await this.#inTurn(() => this.#current.openAndRetain()));
    try {
      // No await up to the read, so all values are of one moment.
      const numbers = index.recordsAfter(recordsAfter);
      const all = keys.concat(numbers.map((number): StorageKey => `log/${number}`));
      const places = all.map((key) => index.get(key));
      const values = await file.read(places).catch((cause: unknown) => {
        throw withKey(
          cause,
          (offset) => all[places.findIndex((place) => place?.offset === offset)],
        );
      });
      // After a rewrite, another file has the name, too.
      if (await file.loss()) await this.#inTurn(() => this.#current.checkLoss());
      return {
        values: values.slice(0, keys.length),
        records: numbers.map((number, at) => [number, values[keys.length + at]!]),
      };
    } finally {
      await file.release();
    }
  }

  async list(): Promise<StorageKey[]> {
    const { file, index } =
      this.#current.retain() ?? (await this.#inTurn(() => this.#current.openAndRetain()));
    const keys = Array.from(index.entries(), ([key]) => key);
    await file.release();
    return keys;
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
  close(): Promise<void> {
    return this.#inTurn(() => this.#current.close());
  }

  /** Removes the files, also unreadable ones. */
  destroy(): Promise<void> {
    return this.#inTurn(() => this.#current.destroy());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => undefined);
    return done;
  }

  #scheduleCommits(): void {
    this.#inTurn(async () => {
      const group = this.#waiting.splice(0, countForGroup(this.#waiting));
      // An earlier turn took the commits. Without commits, the file need not be opened.
      if (group.length === 0) return;
      await this.#commit(group);
      if (this.#waiting.length > 0) this.#scheduleCommits();
      this.#current.beginRewriteIfWorthIt();
    }).catch((cause: unknown) => this.#onProblem(cause));
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
