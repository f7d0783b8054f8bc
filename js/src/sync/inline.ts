/**
 * `entitable/sync` with its WebAssembly module inside, as text: it only loads scripts. It is for
 * bundlers that do not copy the file of the module.
 *
 * @module
 */

import { loadValidatorWith, loadWarnings, MODULE } from '../client/shared.js';
import type { EntryModule } from '../core/load-module.js';
import { moduleOfText } from '../core/module-text.js';
import type { DeclaredTables, Validator, ValidatorOptions } from '../index.js';
import {
  openSynced,
  type SyncedAccount,
  type SyncedAccountOptions,
  type SyncOption,
} from './open-synced.js';

export { ERROR_CODES } from '../base/error-codes.js';
export { TableError } from '../base/errors.js';
export { deleteAccount } from '../client/shared.js';
export { TableTransaction } from '../client/transaction.js';
export {
  avg,
  count,
  countDistinct,
  histogram,
  max,
  min,
  quantile,
  sum,
} from '../entity/aggregates.js';
export { odata } from '../entity/odata.js';
export type * from '../sync.js';
export { syncTables } from './sync.js';

const MODULE_INSIDE: EntryModule = {
  kind: MODULE,
  source: moduleOfText(() => import('#entitable-sync-text')),
  startWorker: () =>
    new Worker(new URL('../account-worker.js', import.meta.url), { type: 'module' }),
};

/** `openAccount` of `entitable/sync`, with the module of this entry. */
export function openAccount<
  const Tables extends DeclaredTables = Record<never, never>,
  const Sync extends SyncOption<Tables> = SyncOption<Tables>,
>(options: SyncedAccountOptions<Tables, Sync>): Promise<SyncedAccount<Tables, Sync>> {
  return openSynced(MODULE_INSIDE, options, loadWarnings);
}

/** `loadValidator` of `entitable`, with the module of this entry. */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return loadValidatorWith(MODULE_INSIDE, options);
}
