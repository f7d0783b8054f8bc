/**
 * Rewrites the file of a store without dead bytes, while commits go on.
 *
 * @module
 */

import { holding } from './access.js';
import { FILE_VERSION } from './format.js';
import { deadBytesOf, type LoadedFile } from './load.js';
import { Rewrite } from './rewrite.js';
import type { StoreFolder } from './store-folder.js';

const DEAD_BYTES = 2 ** 20;

// Commits wait for the rest of a copy when no more than this is missing.
const LAST_COPY_BYTES = 2 ** 20;

// Or when commits were faster than the copy so many times.
const MAX_COPY_PASSES = 8;

/** The store whose file is rewritten. */
export interface RewrittenStore {
  readonly folder: StoreFolder;

  /** The file that is open now. */
  readonly opened: () => LoadedFile | undefined;

  /** Does work while nothing else changes the file. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;

  /** Takes over what other tabs have written. It may load the file again, and discard a copy. */
  readonly catchUp: () => Promise<void>;

  /** Goes on with a copy that has replaced the file. */
  readonly replace: (opened: LoadedFile, written: LoadedFile) => Promise<void>;

  /** Called with the reason of a failed rewrite. */
  readonly onProblem: (cause: unknown) => void;

  /** A file with no more dead bytes is not rewritten, however few bytes are live. */
  readonly deadBytes?: number | undefined;
}

/** Rewrites one file at a time. */
export class BackgroundRewrite {
  readonly #store: RewrittenStore;

  // A copy that has not replaced the file yet.
  #copying: Promise<Rewrite | undefined> | undefined;

  // How many bytes were dead at the last failure. The next try comes at twice as many.
  #failedAt = 0;

  constructor(store: RewrittenStore) {
    this.#store = store;
  }

  /** Begins a rewrite, if enough bytes are dead. */
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
      .catch(async (cause: unknown) => {
        // Another tab keeps the files, or has deleted them.
        if (this.#copying === copying) await this.discard();
        this.#store.onProblem(cause);
      });
  }

  /** Discards a copy: before the lock is released, and before another file gets its name. */
  async discard(): Promise<void> {
    const copying = this.#copying;
    this.#copying = undefined;
    const rewrite = await copying;
    if (rewrite) await this.#discard(rewrite);
  }

  /** The file was opened again, so the reason of the failure may be gone. */
  forgetFailure(): void {
    this.#failedAt = 0;
  }

  // Copies all but the last commits, while commits go on. Resolves to undefined after a failure.
  async #copy(opened: LoadedFile): Promise<Rewrite | undefined> {
    const isCurrent = () => this.#store.opened() === opened;
    // Other tabs may write between two steps.
    const within = <T>(work: () => Promise<T>) => this.#joining(work);
    let rewrite: Rewrite | undefined;
    try {
      rewrite = await within(() => this.#start(opened));
      if (!rewrite) return undefined;
      for (let pass = 0; pass < MAX_COPY_PASSES && isCurrent(); pass++) {
        const bytes = await rewrite.copy(opened.file, opened.index, isCurrent, within);
        if (bytes <= LAST_COPY_BYTES) break;
      }
      return rewrite;
    } catch (cause) {
      const isElsewhere = within(() => this.#store.folder.isRewrittenElsewhere(opened));
      if (!(await isElsewhere.catch(() => false))) await this.#giveUp(rewrite, cause);
      else if (rewrite) await this.#discard(rewrite);
      return undefined;
    }
  }

  // Undefined, if another tab does the same.
  async #start(opened: LoadedFile): Promise<Rewrite | undefined> {
    const { folder } = this.#store;
    if (await folder.isRewrittenElsewhere(opened)) return undefined;
    return new Rewrite(await folder.makeRewrite());
  }

  async #finish(copying: Promise<Rewrite | undefined>): Promise<void> {
    await this.#store.catchUp();
    if (this.#copying !== copying) return;
    this.#copying = undefined;
    const [rewrite, opened] = [await copying, this.#store.opened()];
    if (!rewrite) return;
    // A commit has failed since the copy began, so the copied file is not trusted any more.
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
    await this.#remove();
    this.#store.onProblem(cause);
  }

  async #discard(rewrite: Rewrite): Promise<void> {
    await rewrite.target.release();
    await this.#remove();
  }

  // If it fails, the next opening tries again.
  async #remove(): Promise<void> {
    const { folder } = this.#store;
    await this.#joining(() => folder.removeRewrite()).catch(() => undefined);
  }

  // A call that has the files may wait for the copy, so the copy must not wait for others.
  #joining<T>(work: () => Promise<T>): Promise<T> {
    return holding(this.#store.folder.access, work, { joins: true });
  }
}
