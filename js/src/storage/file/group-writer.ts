/**
 * Writes groups of commits to the file of a store, and makes room for them.
 *
 * @module
 */

import type { CommitResult } from '../page-storage.js';
import type { CurrentFile } from './current-file.js';
import { deadBytesOf, type LoadedFile } from './load.js';
import { isNoRoom, refusal } from './problems.js';
import type { ValidatedGroup } from './validate.js';

// With more unsynced bytes, a relaxed commit waits for the disk like a strict one.
const UNSYNCED_BYTES = 16 * 2 ** 20;

export class GroupWriter {
  readonly #current: CurrentFile;

  constructor(current: CurrentFile) {
    this.#current = current;
  }

  /** Stores the changes of the group. A group that makes room may use the reserve for that. */
  async store(opened: LoadedFile, validated: ValidatedGroup): Promise<CommitResult> {
    if (validated.changes.length === 0) return { outcome: 'ok' };
    const isFreeing = validated.commits.every(
      ({ batch, result }) => batch.frees || result.outcome !== 'ok',
    );
    try {
      return isFreeing
        ? await this.#storeFreeing(opened, validated)
        : await this.#storeWithReserves(opened, validated);
    } catch (cause) {
      return refusal(cause);
    }
  }

  async #storeFreeing(opened: LoadedFile, validated: ValidatedGroup): Promise<CommitResult> {
    let result = await this.#append(opened, validated);
    if (result.outcome === 'quota' && (await this.#current.folder.giveUpReserve())) {
      result = await this.#append(opened, validated);
    }
    if (result.outcome !== 'quota' || !(await this.#current.moveIfWorthIt(opened))) return result;
    return await this.#append(await this.#current.open(), validated);
  }

  async #storeWithReserves(opened: LoadedFile, validated: ValidatedGroup): Promise<CommitResult> {
    return await this.#append(await this.#withReserves(opened), validated);
  }

  // A group that makes no room waits until the reserves are restored.
  async #withReserves(opened: LoadedFile): Promise<LoadedFile> {
    try {
      await this.#current.folder.restoreReserves();
      return opened;
    } catch (cause) {
      const isMuch = deadBytesOf(opened) > opened.index.liveBytes / 4;
      if (!isNoRoom(cause) || !isMuch || !(await this.#current.moveIfWorthIt(opened))) throw cause;
    }
    await this.#current.folder.restoreReserves();
    return this.#current.open();
  }

  async #append(opened: LoadedFile, { commits, changes }: ValidatedGroup): Promise<CommitResult> {
    const { file, index } = opened;
    const failure = file.isClosed ? await this.#reopen(opened) : undefined;
    if (failure) return failure;
    let placed;
    try {
      placed = await file.append(changes);
    } catch (cause) {
      // Part of a batch does not count, as long as nothing is appended behind it.
      return file.cut().then(
        () => refusal(cause),
        () => this.#current.doubt(opened, cause),
      );
    }
    const isStrict = commits.some(
      ({ durability, result }) => durability === 'strict' && result.outcome === 'ok',
    );
    if (isStrict || file.unsyncedBytes > UNSYNCED_BYTES) {
      try {
        await file.sync();
      } catch (cause) {
        return this.#current.doubt(opened, cause);
      }
    } else {
      await file.markWritten();
    }
    index.apply(placed);
    return { outcome: 'ok' };
  }

  // Nothing may be appended while a mark on the disk may say that the file is closed.
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
      this.#current.doubt(opened, cause);
      return { outcome: 'refused', cause };
    }
  }
}
