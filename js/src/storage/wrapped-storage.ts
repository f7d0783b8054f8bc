/**
 * What storages have in common that store something else in another storage.
 *
 * @module
 */

import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
} from './page-storage.js';

/**
 * Its commits run one after another, because each has to see what the ones before it have stored.
 * It has no `exclusively()`, because what it stores is not known in the turn of a decision.
 */
export abstract class WrappedStorage implements PageStorage {
  protected readonly inner: PageStorage;
  list?: NonNullable<PageStorage['list']>;
  readonly onStatus?: NonNullable<PageStorage['onStatus']>;

  // Settles with the last commit.
  #lastCommit: Promise<unknown> = Promise.resolve();
  readonly #reads = new Set<Promise<unknown>>();

  // How many commits had an unknown outcome.
  #losses = 0;

  constructor(inner: PageStorage) {
    this.inner = inner;
    if (inner.list) this.list = () => inner.list!();
    if (inner.onStatus) this.onStatus = (listener) => inner.onStatus!(listener);
  }

  get channel(): string | undefined {
    return this.inner.channel;
  }

  abstract read(request: ReadRequest): Promise<Snapshot>;
  abstract commit(batch: Batch, options?: CommitOptions): Promise<CommitResult>;

  /** Lets close() wait for a read. */
  protected untilRead<T>(reading: Promise<T>): Promise<T> {
    this.#reads.add(reading);
    const isOver = () => this.#reads.delete(reading);
    reading.then(isOver, isOver);
    return reading;
  }

  /** Commits in the order of the calls. */
  protected inTurn(commit: () => Promise<CommitResult>): Promise<CommitResult> {
    const losses = this.#losses;
    return this.#afterCommits(async () => {
      // The storage may have lost what this batch builds on.
      if (this.#losses !== losses) return { outcome: 'unknown' };
      try {
        const result = await commit();
        if (result.outcome === 'unknown') this.#losses++;
        return result;
      } catch (cause) {
        return { outcome: 'refused', cause };
      }
    });
  }

  #afterCommits<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#lastCommit.then(work);
    this.#lastCommit = done.catch(() => {});
    return done;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#reads]);
    await this.#afterCommits(() => this.inner.close());
  }

  async destroy(): Promise<void> {
    await Promise.allSettled([...this.#reads]);
    await this.#afterCommits(() => this.inner.destroy());
  }
}
