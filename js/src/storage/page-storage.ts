/**
 * What Entitable needs of a storage: conditional atomic batches.
 *
 * Implement {@link PageStorage} to keep an account anywhere else. `docs/guides/storage-adapter.md`
 * explains how, and `entitable/storage/contract` has the checks for every adapter.
 *
 * @module
 */

import type { StorageRoom } from '../base/errors.js';

/**
 * The key of a value. The `log` has its checkpoint and its records, numbered from 1; `pages` has
 * the manifest, the pages, also numbered from 1, and under 0 copies of some of them. Numbers stay
 * below 2^53, and their order is numeric.
 */
export type StorageKey = 'log/base' | `log/${number}` | 'pages/root' | `pages/${number}`;

/** The values to read. */
export interface ReadRequest {
  readonly keys: readonly StorageKey[];

  /** If set: also every log record with a number above it. */
  readonly recordsAfter?: number | undefined;
}

/** The values of one moment. */
export interface Snapshot {
  /** In the order of {@link ReadRequest.keys}; undefined if there is no value. */
  readonly values: readonly (Uint8Array | undefined)[];

  /** Ascending. Empty if no records were requested. */
  readonly records: readonly (readonly [number: number, value: Uint8Array])[];
}

/**
 * The storage stores all of it or nothing, and nothing if an expectation fails. Deletes come first.
 */
export interface Batch {
  /** The value that a key must have; undefined: it must have none. */
  readonly expect: readonly (readonly [StorageKey, Uint8Array | undefined])[];
  readonly puts: readonly (readonly [StorageKey, Uint8Array])[];
  readonly deletes: readonly StorageKey[];

  /**
   * Optimistic. If true, a storage may store the batch before it compares the expected values, as
   * long as no key has a value that must have none. If a value then differs, the outcome is
   * `unknown`. A storage may also compare first.
   */
  readonly optimistic?: boolean | undefined;

  /**
   * If true, the batch makes room, now or later: it adds only deletions, or writes again what was
   * stored before. A storage that may run out of room can keep a reserve. It uses the reserve for
   * such a batch, and takes no other batch until the reserve is restored. Optional.
   */
  readonly frees?: boolean | undefined;
}

/**
 * - `ok`: stored, as durably as the caller asked.
 * - `moved`: an expectation failed; nothing is stored.
 * - `quota`: no room; nothing is stored.
 * - `refused`: not begun, or failed for another reason; nothing is stored.
 * - `unknown`: it may be stored or not, now or later. The account reads the store to find out.
 */
export type CommitOutcome = 'ok' | 'moved' | 'quota' | 'refused' | 'unknown';

/** The result of a batch. */
export interface CommitResult {
  readonly outcome: CommitOutcome;

  /** Why it was not stored. It becomes the `cause` of the error of the caller. */
  readonly cause?: unknown;

  /** The sizes of `quota`, if they are known. They become part of the `details` of that error. */
  readonly room?: StorageRoom | undefined;
}

/**
 * `relaxed` survives the death of the process. `strict` also survives a power cut, and takes
 * longer.
 */
export type Durability = 'relaxed' | 'strict';

/**
 * - `lost`: the connection to the store has ended, or has been silent for long. Acknowledged
 *   commits are safe. The account checks the others when it is connected again.
 * - `reconnected`: there is a connection again.
 * - `blocked`: to open or delete the store takes long, because another tab uses it, say. The call
 *   still waits.
 * - `resumed`: the page was hidden or frozen, and is back.
 * - `quota`: a commit or a step of background work had no room.
 * - `evicted`: the store was deleted, or replaced by another. Data in the memory of the account can
 *   still be read; everything else fails with `StorageEvicted`.
 * - `destroyed`: the browser found its files of the store damaged, and removed them. The account is
 *   new and empty.
 * - `torn`: a crash interrupted the last write to the file of the store, and its bytes were cut
 *   off. They are in a file beside it. No write that was acknowledged with `strict` durability was
 *   among them.
 */
export type StoreStatus =
  'lost' | 'reconnected' | 'blocked' | 'resumed' | 'quota' | 'evicted' | 'destroyed' | 'torn';

/** Called with events that no call caused. */
export type StatusListener = (status: StoreStatus) => void;

/** Options of a commit. */
export interface CommitOptions {
  /** By default that of the storage. */
  readonly durability?: Durability | undefined;
}

/**
 * Stores values under keys, and does not interpret them.
 *
 * A storage copies values on the way in, before the call returns, and on the way out. So a caller
 * may reuse its buffers and change the values that it got. Calls may overlap. Commits are compared
 * in the order of the calls. Several accounts, tabs or processes may use a store at the same time;
 * `expect` keeps them from overwriting each other's commits.
 */
export interface PageStorage {
  /**
   * Reads all values at one moment. A read without keys shows whether the storage can be used at
   * all. Rejects with the reason.
   */
  read(request: ReadRequest): Promise<Snapshot>;

  /** Never rejects: a failure is an outcome with a cause. */
  commit(batch: Batch, options?: CommitOptions): Promise<CommitResult>;

  /**
   * Reads, and stores the batch that `decide` returns, while no other account can write. So the
   * outcome is never `moved`. If `decide` returns undefined, nothing is stored, and the result is
   * undefined. It rejects only before it calls `decide`, and calls `decide` once.
   *
   * Optional. It is for storages that several tabs or processes write to: without it, a slow
   * account would lose every race.
   */
  exclusively?(
    request: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    options?: CommitOptions,
  ): Promise<CommitResult | undefined>;

  /**
   * The name of a `BroadcastChannel`: accounts hint to one another that they have committed. All
   * users of the values have the same name, and no one else has it. It is read after the first use.
   * Without it, live queries refresh every few seconds.
   */
  readonly channel?: string | undefined;

  /**
   * The keys of all values, each once, in any order. Optional: it is for repairs, when no value
   * says any more which pages there are. Rejects with the reason.
   */
  list?(): Promise<readonly StorageKey[]>;

  /**
   * Reports events that no call caused. Optional.
   *
   * @returns a function that removes the listener.
   */
  onStatus?(listener: StatusListener): () => void;

  /**
   * Waits for calls that have begun, and releases connections and locks. The next call acquires
   * them again.
   */
  close(): Promise<void>;

  /** Removes every value and the store. The next call creates an empty store. */
  destroy(): Promise<void>;
}
