/**
 * Stores long values in parts, for adapters of databases that take only short values.
 *
 * @module
 */

import { invalidInput } from '../base/errors.js';
import { checkedOptions } from '../base/options.js';
import { shown } from '../base/shown.js';
import { sameBytes } from './bytes.js';
import { storeLargeBatch } from './max-value-bytes/large-batch.js';
import {
  countOf,
  CUT_BYTES,
  cutHead,
  cutOf,
  freeNumbers,
  isPart,
  keysOfParts,
  partsOf,
  TAG_BYTES,
  wholeHead,
  wholeOf,
  type Cut,
} from './max-value-bytes/heads.js';
import { collectParts, MOST_PARTS } from './max-value-bytes/journal.js';
import { valuesOf, type Head } from './max-value-bytes/parts.js';
import type {
  Batch,
  CommitOptions,
  CommitResult,
  PageStorage,
  ReadRequest,
  Snapshot,
  StorageKey,
} from './page-storage.js';
import { WrappedStorage } from './wrapped-storage.js';

/** Options of {@link withMaxValueBytes}. */
export interface MaxValueBytesOptions {
  /**
   * The most bytes of values that the adapter takes in one batch; by default any number. A longer
   * batch is stored in several commits: first the parts, then all values at once. After a crash,
   * the next account that opens the store deletes the unused parts.
   */
  readonly maxBatchBytes?: number | undefined;
}

/** The smallest `maxValueBytes`. */
const MIN_VALUE_BYTES = 1024;

/**
 * Returns a storage for values of any length, on an adapter whose values have at most
 * `maxValueBytes`. A longer value is stored in parts, under `pages/` and a negative number. A
 * commit is still all or nothing, and a read is still of one moment.
 *
 * The stored form differs from that of the adapter alone. So use it from the first commit of a
 * store on; `maxValueBytes` may change later. It has no `exclusively()`, because a commit has to
 * know the parts of the values that it replaces.
 *
 * @param maxValueBytes - 1024 or more.
 * @example
 * ```ts
 * export const myStorage = (database) =>
 *   withMaxValueBytes(databaseStorage(database), 65_536, { maxBatchBytes: 800_000 });
 * ```
 * @throws {@link TableError} `InvalidInput`, if a number is too small, or an option is unknown.
 */
export function withMaxValueBytes(
  storage: PageStorage,
  maxValueBytes: number,
  options?: MaxValueBytesOptions,
): PageStorage {
  const { maxBatchBytes = Infinity } = checkedOptions('withMaxValueBytes', options, {
    maxBatchBytes: 'bytes',
  });
  if (!(Number.isInteger(maxValueBytes) && maxValueBytes >= MIN_VALUE_BYTES)) {
    throw invalidInput(
      `maxValueBytes must be an integer of ${MIN_VALUE_BYTES} or more, not ${shown(maxValueBytes)}.`,
    );
  }
  if (maxBatchBytes < maxValueBytes) {
    throw invalidInput(
      `The option maxBatchBytes of withMaxValueBytes must be at least maxValueBytes (${maxValueBytes}), not ${maxBatchBytes}.`,
    );
  }
  return new CuttingStorage(storage, maxValueBytes, maxBatchBytes);
}

/** A copy of a batch. Its values are heads of whole values. */
interface TakenBatch {
  readonly expect: readonly Head[];
  readonly puts: readonly (readonly [StorageKey, Uint8Array])[];
  readonly deletes: readonly StorageKey[];
  readonly optimistic?: boolean | undefined;
  readonly frees?: boolean | undefined;
}

class CuttingStorage extends WrappedStorage {
  readonly #maxValueBytes: number;
  readonly #maxBatchBytes: number;
  #isCollected = false;

  constructor(storage: PageStorage, maxValueBytes: number, maxBatchBytes: number) {
    super(storage);
    this.#maxValueBytes = maxValueBytes;
    this.#maxBatchBytes = maxBatchBytes;
    if (storage.list) this.list = async () => (await storage.list!()).filter((key) => !isPart(key));
  }

  read({ keys, recordsAfter }: ReadRequest): Promise<Snapshot> {
    return this.untilRead(this.#read({ keys: [...keys], recordsAfter }));
  }

  async #read(request: ReadRequest): Promise<Snapshot> {
    for (;;) {
      const { values: heads, records } = await this.inner.read(request);
      const found = await valuesOf(this.inner, [
        ...request.keys.map((key, at): Head => [key, heads[at]]),
        ...records.map(([number, head]): Head => [`log/${number}`, head]),
      ]);
      if (!found) continue;
      const values = found.splice(0, heads.length);
      return { values, records: records.map(([number], at) => [number, found[at]!]) };
    }
  }

  commit(batch: Batch, options?: CommitOptions): Promise<CommitResult> {
    const taken = takenBatch(batch);
    return this.inTurn(() => this.#commit(taken, options));
  }

  async #commit(batch: TakenBatch, options: CommitOptions | undefined): Promise<CommitResult> {
    if (this.#maxBatchBytes < Infinity && !this.#isCollected) {
      await collectParts(this.inner);
      this.#isCollected = true;
    }
    if (this.#isPlain(batch)) {
      const result = await this.inner.commit(batch, options);
      if (result.outcome !== 'moved') return result;
    }
    for (;;) {
      const heads = await this.#headsFor(batch);
      if (!heads) return { outcome: 'moved' };
      const result = await this.#store(batch, heads, options);
      // The loop ends, because each `moved` means that another commit has succeeded.
      if (result.outcome !== 'moved') return result;
    }
  }

  /** Whether all values are short, and replace short values if the expectations hold. */
  #isPlain({ expect, puts, deletes }: TakenBatch): boolean {
    const isShort = (head: Uint8Array | undefined) => (head?.length ?? 0) <= this.#maxValueBytes;
    const isExpected = new Set(expect.map(([key]) => key));
    return (
      [...expect, ...puts].every(([, head]) => isShort(head)) &&
      [...puts.map(([key]) => key), ...deletes].every((key) => isExpected.has(key)) &&
      bytesOf(puts) <= this.#maxBatchBytes
    );
  }

  /**
   * The heads that the batch has to find: those that it expects, and those of the parts that it
   * replaces. Undefined, if an expectation fails. Without an expectation, an account never writes a
   * key twice, so all other heads stay what they are.
   */
  async #headsFor({ expect, puts, deletes }: TakenBatch): Promise<Head[] | undefined> {
    const keys = [...expect.map(([key]) => key), ...puts.map(([key]) => key), ...deletes];
    const unique = [...new Set(keys)];
    for (;;) {
      const { values } = await this.inner.read({ keys: unique });
      const heads = new Map(unique.map((key, at) => [key, values[at]]));
      const found = await valuesOf(
        this.inner,
        expect.map(([key]): Head => [key, heads.get(key)]),
      );
      if (!found) continue;
      const holds = expect.every(([, head], at) => sameBytes(head && wholeOf(head), found[at]));
      if (!holds) return undefined;
      const isExpected = new Set(expect.map(([key]) => key));
      return [...heads].filter(([key, head]) => isExpected.has(key) || cutOf(head));
    }
  }

  #store(
    { puts, deletes, frees }: TakenBatch,
    expect: readonly Head[],
    options: CommitOptions | undefined,
  ): Promise<CommitResult> {
    const changed = new Set([...puts.map(([key]) => key), ...deletes]);
    const replaced = expect.flatMap(([key, head]) => (changed.has(key) && cutOf(head)) || []);
    const replacedParts = replaced.reduce((sum, cut) => sum + countOf(cut), 0);
    let cut = this.#cut(puts, this.#maxValueBytes);
    // With its heads, a batch is longer than its values are.
    const bytes = bytesOf(cut.parts) + bytesOf(cut.heads);
    if (
      this.#maxBatchBytes < Infinity &&
      (bytes > this.#maxBatchBytes || replacedParts > MOST_PARTS)
    ) {
      cut = this.#cut(puts, CUT_BYTES);
      const heads = { expect, puts: cut.heads, deletes, frees };
      const large = { parts: cut.parts, first: cut.first, heads, replaced };
      return storeLargeBatch(this.inner, large, this.#maxBatchBytes, options);
    }
    const newParts = cut.parts.map(([key]): Head => [key, undefined]);
    return this.inner.commit(
      {
        expect: [...expect, ...newParts],
        puts: [...cut.parts, ...cut.heads],
        deletes: [...deletes, ...replaced.flatMap(keysOfParts)],
        frees,
      },
      options,
    );
  }

  /** The heads and parts of values, if heads are to be no longer than `headBytes`. */
  #cut(puts: TakenBatch['puts'], headBytes: number) {
    const partBytes = this.#maxValueBytes;
    const cuts = puts.map(([, whole]): Cut | undefined =>
      whole.length > headBytes
        ? { length: whole.length - TAG_BYTES, partBytes, first: 0 }
        : undefined,
    );
    const first = freeNumbers(cuts.reduce((sum, cut) => sum + (cut ? countOf(cut) : 0), 0));
    const heads: [StorageKey, Uint8Array][] = [];
    const parts: [StorageKey, Uint8Array][] = [];
    puts.forEach(([key, whole], at) => {
      const cut = cuts[at] && { ...cuts[at], first: first + parts.length };
      heads.push([key, cut ? cutHead(cut) : whole]);
      if (cut) parts.push(...partsOf(wholeOf(whole), cut));
    });
    return { first, heads, parts };
  }
}

const takenBatch = ({ expect, puts, deletes, optimistic, frees }: Batch): TakenBatch => ({
  expect: expect.map(([key, value]): Head => [key, value && wholeHead(value)]),
  puts: puts.map(([key, value]) => [key, wholeHead(value)] as const),
  deletes: [...deletes],
  optimistic,
  frees,
});

const bytesOf = (puts: TakenBatch['puts']) =>
  puts.reduce((sum, [, value]) => sum + value.length, 0);
