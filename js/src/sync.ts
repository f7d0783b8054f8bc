/**
 * Keeps tables of an account and of a storage account in the cloud in sync, offline included. An
 * app that does not import it does not have it.
 *
 * @module
 */

import type { UrlLike } from './base/platform.js';

/**
 * The WebAssembly module of an account that is synced: `openAccount({ wasm: syncModule, … })`. It
 * is the usual one, and sync. With the usual one, an account opens a synced store, but refuses to
 * write to synced tables.
 */
export const syncModule: UrlLike = new URL('./entitable-sync.wasm', import.meta.url);

export { TableError } from './base/errors.js';
export type {
  ConflictResolver,
  PendingRow,
  ResolvedConflict,
  SyncConflict,
  SyncedEntity,
  SyncOptions,
  SyncStatus,
  SyncTableOptions,
  SyncWarning,
} from './sync/models.js';
export { syncTables } from './sync/sync.js';
export type { AccountSync } from './sync/sync.js';
