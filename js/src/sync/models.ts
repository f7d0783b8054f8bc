/**
 * What `syncTables()` takes, and what it tells.
 *
 * @module
 */

import type { TableError } from '../base/errors.js';
import type { RemoteAccountOptions } from '../remote/models.js';

/**
 * A stored entity as `tableClient` reads it, without etag and timestamp. That of a declared table
 * has `partitionKey` and `rowKey`, and arrays and JSON as texts.
 */
export type SyncedEntity = Record<string, unknown> & {
  readonly partitionKey: string;
  readonly rowKey: string;
};

/** A row that was changed here and in the remote account since both were equal. */
export interface SyncConflict {
  /** The name of the local table. */
  readonly table: string;
  readonly partitionKey: string;
  readonly rowKey: string;
  /** What both sides had last; undefined: there was no such row. */
  readonly base: SyncedEntity | undefined;
  /** What this account has; undefined: the row was deleted here. */
  readonly local: SyncedEntity | undefined;
  /** What the remote account has; undefined: the row was deleted there. */
  readonly remote: SyncedEntity | undefined;
  /** All rows that were written in the same transaction, this one included. */
  readonly group: readonly Omit<SyncConflict, 'group'>[];
}

/** A conflict that was resolved. It is kept until `confirm()` is called with its id. */
export interface ResolvedConflict extends Omit<SyncConflict, 'group'> {
  readonly id: string;
  /** What the row became; undefined: it was deleted. */
  readonly result: SyncedEntity | undefined;
}

/**
 * Returns what a row is to be: an entity with the same keys, or null to delete the row. If the
 * function throws, or returns anything else, the row stays as it is, and the conflict comes again.
 */
export type ConflictResolver = (conflict: SyncConflict) => object | null | Promise<object | null>;

/** How one table is synced. */
export interface SyncTableOptions {
  /** The name of the table in the remote account. By default, it is the same. */
  readonly remoteTable?: string | undefined;

  /** Only these partitions. By default, the whole table. */
  readonly partitions?: readonly string[] | undefined;

  /** `pull`: the local table is a copy, which only sync changes. Default: `both`. */
  readonly direction?: 'both' | 'pull' | undefined;

  /**
   * Who wins when a row was changed on both sides. `merge` takes each property from the side that
   * changed it, and prefers the remote one; an edit beats a deletion. Default: `merge`.
   */
  readonly conflict?: 'merge' | 'remote' | 'local' | ConflictResolver | undefined;

  /**
   * How often sync looks for rows that were deleted in the remote account, which leave no trace
   * there: `poll`, with each round; `daily`, when sync starts and every 24 hours; `never`. By
   * default, `poll` up to 1,000 rows and `daily` beyond.
   */
  readonly reconcile?: 'poll' | 'daily' | 'never' | undefined;

  /**
   * For a table that was restored from an archive of a synced account, with the direction `pull`:
   * the time before the last round of that account. Only what changed since is fetched. The account
   * must have had no pending rows.
   */
  readonly archivedAt?: Date | undefined;
}

/** The options of `syncTables()`. */
export interface SyncOptions {
  /** The remote account, as for `remoteAccount()`. */
  readonly remote: Omit<RemoteAccountOptions, 'retries' | 'validator'>;

  /** Declared tables by the names that the app has for them, and others by their local names. */
  readonly tables: Readonly<Record<string, SyncTableOptions>>;

  /** The time between two rounds, in milliseconds, at least 1,000. Default: 30,000. */
  readonly interval?: number | undefined;
}

/** What sync is doing. */
export interface SyncStatus {
  /**
   * `stopped`, before the first round and after `stop()`; `idle`; `syncing`; `settling`: rows wait
   * until an earlier request without an answer can take no effect any more, for two minutes, and
   * then for the next round;
   * `offline`: the remote account does not answer, and sync tries again; `paused`: see `error`;
   * `waiting`: another tab syncs.
   */
  readonly state: 'stopped' | 'idle' | 'syncing' | 'settling' | 'offline' | 'paused' | 'waiting';
  /** Rows that the remote account does not have yet. */
  readonly pending: number;
  /** Rows that the remote account refuses. */
  readonly rejected: number;
  /** Rows outside the partitions that are synced. They are never pushed. */
  readonly outside: number;
  /** When the last round ended that reached the remote account. */
  readonly lastPull: Date | undefined;
  /**
   * Rows of a table that were fetched, or deleted because they are gone there, and rows that were
   * sent, so far in the round that is under way.
   */
  readonly progress:
    { readonly table: string; readonly rows: number; readonly sent: number } | undefined;
  /** Why the last round did not succeed. */
  readonly error: TableError | undefined;
}

/** A row that is not in the remote account yet. */
export interface PendingRow {
  readonly partitionKey: string;
  readonly rowKey: string;
  /** What the remote account said, if it has refused the row. */
  readonly rejection: string | undefined;
}

/** Rows that sync had to leave out, or that tell of a loss in the remote account. */
export interface SyncWarning {
  readonly table: string;
  readonly partitionKey: string;
  readonly rowKey: string;
  readonly reason: string;
}
