/**
 * The main entry for an app whose tables are in sync with a storage account in the cloud. It is the
 * same as `entitable` with another WebAssembly module, so import nothing of `entitable` beside it.
 *
 * @module
 */

import { loadValidatorWith, loadWarnings, MODULE } from './client/shared.js';
import type { EntryModule } from './core/load-module.js';
import { RestOfModule } from './core/rest-of-module.js';
import type { DeclaredTables, Validator, ValidatorOptions } from './index.js';
import {
  openSynced,
  type SyncedAccount,
  type SyncedAccountOptions,
  type SyncOption,
} from './sync/open-synced.js';

export { ERROR_CODES } from './base/error-codes.js';
export { TableError } from './base/errors.js';
export { deleteAccount } from './client/shared.js';
export { TableTransaction } from './client/transaction.js';
export {
  avg,
  count,
  countDistinct,
  histogram,
  max,
  min,
  quantile,
  sum,
} from './entity/aggregates.js';
export { odata } from './entity/odata.js';
export type * from './index.js';
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
export type { SyncedAccount, SyncedAccountOptions, SyncOption } from './sync/open-synced.js';
export { syncTables } from './sync/sync.js';
export type { AccountSync } from './sync/sync.js';

const MODULE_WITH_SYNC: EntryModule = {
  kind: MODULE,
  // Bundlers find the files by exactly these expressions.
  source: () => new URL('./entitable-sync-first.wasm', import.meta.url),
  rest: () => new RestOfModule(() => new URL('./entitable-sync-rest.wasm', import.meta.url)),
  inlineEntry: 'entitable/sync/inline',
  startWorker: () =>
    new Worker(new URL('./account-worker.js', import.meta.url), { type: 'module' }),
};

/**
 * Opens an account on the module with sync, and syncs its tables if it gets the options of
 * `syncTables`.
 *
 * @example
 * ```ts
 * const account = await openAccount({
 *   storage: indexedDbStorage('app'),
 *   tables: { tasks },
 *   sync: {
 *     remote: { url: 'https://contoso.table.core.windows.net', sas: () => fetchSas() },
 *     tables: { tasks: { partitions: [userId] } },
 *   },
 * });
 * account.sync.start();
 * ```
 * @throws {@link TableError} as `openAccount` of `entitable`, and `syncTables`.
 */
export function openAccount<
  const Tables extends DeclaredTables = Record<never, never>,
  const Sync extends SyncOption<Tables> = SyncOption<Tables>,
>(options: SyncedAccountOptions<Tables, Sync>): Promise<SyncedAccount<Tables, Sync>> {
  return openSynced(MODULE_WITH_SYNC, options, loadWarnings);
}

/** `loadValidator` of `entitable`, with the module of this entry. */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return loadValidatorWith(MODULE_WITH_SYNC, options);
}
