/**
 * Copies the values of a store to another file without dead bytes, while the store goes on.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import type { BatchFile } from './batch-file.js';
import type { Change, Place, PlacedChange } from './format.js';
import { ValueIndex } from './value-index.js';

// The most bytes of one batch of the copy, unless one value is longer.
const BATCH_BYTES = 2 ** 20;

/** A copy of a store. */
export class Rewrite {
  readonly target: BatchFile;

  /** The values of the copy. */
  readonly index = new ValueIndex();

  // The place in the old file that each value was copied from.
  readonly #sources = new Map<StorageKey, Place>();

  constructor(target: BatchFile) {
    this.target = target;
  }

  /**
   * Copies the changes since the last call; the first call copies all values.
   *
   * @param goOn - called before each batch; the call returns early when it returns false.
   * @param within - does the work of each batch.
   * @returns how many bytes were copied.
   * @throws {@link TableError} `StorageDamaged`, if a value is not as it was written.
   */
  async copy(
    source: BatchFile,
    index: ValueIndex,
    goOn: () => boolean,
    within: (work: () => Promise<void>) => Promise<void> = (work) => work(),
  ): Promise<number> {
    const start = this.target.end;
    for (const batch of inBatches(this.#missing(index))) {
      if (!goOn()) break;
      await within(() => this.#copy(source, batch));
    }
    return this.target.end - start;
  }

  async #copy(source: BatchFile, batch: readonly PlacedChange[]): Promise<void> {
    const values = await source.read(batch.map(([, place]) => place));
    const changes = batch.map(([key], at): Change => [key, values[at]]);
    this.index.apply(await this.target.append(changes));
    for (const [key, place] of batch) {
      if (place) this.#sources.set(key, place);
      else this.#sources.delete(key);
    }
  }

  // Each put has a place object of its own, so the same object means the same value.
  #missing(index: ValueIndex): PlacedChange[] {
    const puts = [...index.entries()].filter(([key, place]) => this.#sources.get(key) !== place);
    const deletes = [...this.#sources.keys()].filter((key) => !index.get(key));
    // Values that are neighbours stay neighbours.
    puts.sort(([, one], [, other]) => one.offset - other.offset);
    return [...deletes.map((key): PlacedChange => [key, undefined]), ...puts];
  }
}

function* inBatches(changes: readonly PlacedChange[]): Iterable<PlacedChange[]> {
  let batch: PlacedChange[] = [];
  let bytes = 0;
  for (const change of changes) {
    const length = change[1]?.length ?? 0;
    if (batch.length > 0 && bytes + length > BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(change);
    bytes += length;
  }
  if (batch.length > 0) yield batch;
}
