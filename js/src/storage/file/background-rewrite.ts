/**
 * Writes the file of a store anew, without what is dead, while commits go on.
 *
 * @module
 */

import { FILE_VERSION } from './format.js';
import { deadBytesOf, type LoadedFile } from './load.js';
import { Rewrite } from './rewrite.js';
import type { StoreFolder } from './store-folder.js';

const DEAD_BYTES = 2 ** 20;

// When no more than this is missing from a copy, commits wait for the rest of it.
const LAST_COPY_BYTES = 2 ** 20;

// Or when commits outran it for so long.
const MAX_COPY_ROUNDS = 8;

/** The store whose file is written anew. */
export interface RewrittenStore {
  readonly folder: StoreFolder;

  /** What is open of it now. */
  readonly opened: () => LoadedFile | undefined;

  /** Does work while nothing else changes the file. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;

  /** Goes on with a copy that has taken the place of the file. */
  readonly replace: (opened: LoadedFile, written: LoadedFile) => Promise<void>;

  /** Is told why a rewrite failed. */
  readonly onProblem: (cause: unknown) => void;

  /** How many dead bytes are left alone, however few live. */
  readonly deadBytes?: number | undefined;
}

/** One rewrite at a time. */
export class BackgroundRewrite {
  readonly #store: RewrittenStore;

  // A copy without what is dead, until it has taken the place of the file.
  #copying: Promise<Rewrite | undefined> | undefined;

  // How many bytes were dead when it last failed: it is tried again at twice as many.
  #failedAt = 0;

  constructor(store: RewrittenStore) {
    this.#store = store;
  }

  /** Begins one, if so much is dead that it is worth it. */
  beginIfWorthIt(): void {
    const opened = this.#store.opened();
    if (!opened || this.#copying) return;
    const { deadBytes = DEAD_BYTES } = this.#store;
    const dead = deadBytesOf(opened);
    const isOld = opened.file.version < FILE_VERSION && this.#failedAt === 0;
    const isBearable = dead <= Math.max(opened.index.liveBytes, deadBytes, 2 * this.#failedAt);
    if (isBearable && !isOld) return;
    const copying = this.#copy(opened);
    this.#copying = copying;
    copying
      .then(() => this.#store.inTurn(() => this.#finish(copying)))
      .catch((cause: unknown) => this.#store.onProblem(cause));
  }

  /** Discards a copy: before the lock is let go, and before another file gets its name. */
  async discard(): Promise<void> {
    const copying = this.#copying;
    this.#copying = undefined;
    const rewrite = await copying;
    if (rewrite) await this.#discard(rewrite);
  }

  /** The file was opened again, so what made a rewrite fail may be over. */
  forgetFailure(): void {
    this.#failedAt = 0;
  }

  // All but the last of it, while commits go on.  Resolves to nothing if it failed.
  async #copy(opened: LoadedFile): Promise<Rewrite | undefined> {
    const isCurrent = () => this.#store.opened() === opened;
    let rewrite: Rewrite | undefined;
    try {
      rewrite = new Rewrite(await this.#store.folder.makeRewrite());
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

  async #finish(copying: Promise<Rewrite | undefined>): Promise<void> {
    if (this.#copying !== copying) return;
    this.#copying = undefined;
    const [rewrite, opened] = [await copying, this.#store.opened()];
    if (!rewrite) return;
    // A commit has failed meanwhile, so the file that was copied is no longer trusted.
    if (!opened) return this.#discard(rewrite);
    try {
      await rewrite.copy(opened.file, opened.index, () => true);
      // Another store may have the name by now.
      const loss = await opened.file.loss();
      if (loss) throw loss;
      await this.#store.folder.putInPlace(rewrite.target);
    } catch (cause) {
      return this.#giveUp(rewrite, cause);
    }
    await this.#store.replace(opened, { file: rewrite.target, index: rewrite.index });
  }

  async #giveUp(rewrite: Rewrite | undefined, cause: unknown): Promise<void> {
    const opened = this.#store.opened();
    if (opened) this.#failedAt = Math.max(1, deadBytesOf(opened));
    await rewrite?.target.release();
    await this.#store.folder.removeRewrite().catch(() => undefined);
    this.#store.onProblem(cause);
  }

  async #discard(rewrite: Rewrite): Promise<void> {
    await rewrite.target.release();
    // Opening tries again.
    await this.#store.folder.removeRewrite().catch(() => undefined);
  }
}
