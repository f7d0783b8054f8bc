/**
 * Writes what a store holds into another file, without what is dead, while the store goes on.
 *
 * @module
 */

import type { StorageKey } from '../page-storage.js';
import type { BatchFile } from './batch-file.js';
import type { Change, Place, PlacedChange } from './format.js';
import { ValueIndex } from './value-index.js';

// As much as one batch of the copy has at the most, unless one value is longer.
const BATCH_BYTES = 2 ** 20;

/** A copy that is becoming complete. */
export class Rewrite {
  readonly target: BatchFile;

  /** What the copy holds. */
  readonly index = new ValueIndex();

  // From where each value was copied.
  readonly #sources = new Map<StorageKey, Place>();

  constructor(target: BatchFile) {
    this.target = target;
  }

  /**
   * Copies what has changed since the last call: at the first, everything.
   *
   * @param goOn - is asked before each batch; the call returns early when it says no.
   * @returns how many bytes that took.
   * @throws {@link TableError} `StorageDamaged`, if a value is not what was put.
   */
  async copy(source: BatchFile, index: ValueIndex, goOn: () => boolean): Promise<number> {
    const start = this.target.end;
    for (const batch of inBatches(this.#missing(index))) {
      if (!goOn()) break;
      const values = await source.read(batch.map(([, place]) => place));
      const changes = batch.map(([key], at): Change => [key, values[at]]);
      this.index.apply(await this.target.append(changes));
      for (const [key, place] of batch) {
        if (place) this.#sources.set(key, place);
        else this.#sources.delete(key);
      }
    }
    return this.target.end - start;
  }

  // A place is an object of its own for each put, so one that is the same is a value that is.
  #missing(index: ValueIndex): PlacedChange[] {
    const puts = [...index.entries()].filter(([key, place]) => this.#sources.get(key) !== place);
    const deletes = [...this.#sources.keys()].filter((key) => !index.get(key));
    // Neighbours stay neighbours.
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
