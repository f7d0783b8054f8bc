/**
 * The one thing that Entitable asks of a storage: a conditional atomic batch.
 *
 * Implement {@link PageStorage} to keep an account somewhere else.
 * `docs/guides/storage-adapter.md` says how, and `entitable/storage/contract` has the checks that every
 * adapter has to pass.
 *
 * @module
 */

import type { StorageRoom } from '../base/errors.js';

/**
 * Under what a value is kept. The `log` holds its base and its records, numbered
 * from 1; `pages` holds the root and the pages. Numbers stay below 2^53 and order
 * by size, not as text.
 */
export type StorageKey = 'log/base' | `log/${number}` | 'pages/root' | `pages/${number}`;

/** What to read. */
export interface ReadRequest {
  readonly keys: readonly StorageKey[];

  /** If set: every record of the log with a number above it, too. */
  readonly recordsAfter?: number | undefined;
}

/** What was there, at one moment. */
export interface Snapshot {
  /** In the order of {@link ReadRequest.keys}; undefined: nothing is there. */
  readonly values: readonly (Uint8Array | undefined)[];

  /** Ascending. Empty if none was asked for. */
  readonly records: readonly (readonly [number: number, value: Uint8Array])[];
}

/** All of it, or nothing; and nothing unless every expectation holds. Deletes come first. */
export interface Batch {
  /** What must stand under a key; undefined: nothing may be there. */
  readonly expect: readonly (readonly [StorageKey, Uint8Array | undefined])[];
  readonly puts: readonly (readonly [StorageKey, Uint8Array])[];
  readonly deletes: readonly StorageKey[];

  /**
   * If true, a storage may store the batch before it has looked at the values that are
   * expected, as long as it finds no value under a key that must have none. Where it finds another value
   * then, the outcome is `unknown`. To wait for the look is right, too.
   */
  readonly optimistic?: boolean | undefined;

  /**
   * If true, the batch makes room, soon or later: it adds nothing but deletions, moves what
   * is there, or puts back what the storage has lost. A storage that may run out of room and keeps
   * a reserve gives it for such a batch, and takes no other one until the reserve is back. Optional.
   */
  readonly frees?: boolean | undefined;
}

/**
 * - `ok`: stored, as durably as was asked for.
 * - `moved`: an expectation did not hold; nothing was stored.
 * - `quota`: no room; nothing was stored.
 * - `refused`: not begun, or failed for another reason; nothing was stored.
 * - `unknown`: it may be stored or not, now or later. The account finds out by reading.
 */
export type CommitOutcome = 'ok' | 'moved' | 'quota' | 'refused' | 'unknown';

/** What became of a batch. */
export interface CommitResult {
  readonly outcome: CommitOutcome;

  /** Why it was not stored; it becomes the `cause` of the error that a caller sees. */
  readonly cause?: unknown;

  /** Of `quota`, if it is known: it goes into the `details` of that error. */
  readonly room?: StorageRoom | undefined;
}

/**
 * `relaxed` outlives the death of the process, `strict` the loss of power, too, and
 * takes longer.
 */
export type Durability = 'relaxed' | 'strict';

/**
 * - `lost`: the connection to the store has ended, or nothing was heard of it for long. What was
 *   acknowledged is safe, and what was under way is looked up once there is a connection again.
 * - `healed`: there is one again.
 * - `blocked`: opening or deleting the store takes long, because another tab holds on to it, say;
 *   it waits on.
 * - `resumed`: the page was hidden or frozen, and is back.
 * - `quota`: there was no room for a commit, or for a step of keeping the store in shape.
 * - `evicted`: the store was deleted, or replaced by another. What the account still has in memory
 *   can be read; all else fails with `StorageEvicted`.
 * - `destroyed`: the browser took its files of the store for damaged when it opened them, and removed
 *   them. The account is a new one, and empty.
 * - `torn`: a crash had interrupted the last write into the store's file, and it was cut off. What was
 *   cut is in a file beside it. No write that was acknowledged with `strict` durability was in it.
 */
export type StoreStatus =
  'lost' | 'healed' | 'blocked' | 'resumed' | 'quota' | 'evicted' | 'destroyed' | 'torn';

/** Is called with events that no call caused. */
export type StatusListener = (status: StoreStatus) => void;

/** How to commit. */
export interface CommitOptions {
  /** By default the storage's own. */
  readonly durability?: Durability | undefined;
}

/**
 * Keeps values under keys, and knows nothing of what is in them.
 *
 * Values are copied on the way in, before the call returns, and on the way out: a
 * caller may reuse its buffers and change what it was given. Calls may overlap; commits
 * are judged in the order of the calls. Several accounts, tabs or processes may use one
 * store at a time: `expect` is what keeps them from harming one another.
 */
export interface PageStorage {
  /**
   * Reads everything at one moment. A read of no keys shows whether the storage can
   * be used at all. Rejects with what happened.
   */
  read(request: ReadRequest): Promise<Snapshot>;

  /** Never rejects: what went wrong is an outcome, and its cause. */
  commit(batch: Batch, options?: CommitOptions): Promise<CommitResult>;

  /**
   * Reads, and stores the batch that `decide` at once makes of it, while nobody else can
   * write. So it cannot be `moved`. Where `decide` returns undefined, nothing is stored, and
   * the result is undefined. Rejects only before `decide` is called; it is called once.
   *
   * A storage need not have this. It is for those that several tabs or processes write to:
   * without it, who needs longer than the others loses every race.
   */
  exclusively?(
    request: ReadRequest,
    decide: (snapshot: Snapshot) => Batch | undefined,
    options?: CommitOptions,
  ): Promise<CommitResult | undefined>;

  /**
   * The name of the `BroadcastChannel` on which accounts hint to one another that they have
   * committed something: the same for all who share the values, and for nobody else. It is looked at
   * after the first use. Without it, accounts that are followed look every few seconds.
   */
  readonly channel?: string | undefined;

  /**
   * The keys of all values that are there, each once, in any order. A storage need not have
   * this: it is for stores that are repaired, where nobody else knows any more which pages there
   * are. Rejects with what happened.
   */
  list?(): Promise<readonly StorageKey[]>;

  /**
   * Reports events that no call caused. Optional.
   *
   * @returns a function that takes it back.
   */
  onStatus?(listener: StatusListener): () => void;

  /** Lets go of connections and locks when what is under way has ended. The next call takes them up again. */
  close(): Promise<void>;

  /** Removes every value, and the store with them. The next call makes it again, empty. */
  destroy(): Promise<void>;
}
