/**
 * The main entry with the WebAssembly module inside, as text: it only loads scripts. It is for
 * bundlers that do not copy the file of the module.
 *
 * @module
 */

import { loadValidatorWith, loadWarnings, MODULE, openWith } from './client/shared.js';
import type { EntryModule } from './core/load-module.js';
import { moduleOfText } from './core/module-text.js';
import type {
  AccountOptions,
  DeclaredTables,
  TableServiceClient,
  Validator,
  ValidatorOptions,
  WorkerAccountOptions,
} from './index.js';

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

const MODULE_INSIDE: EntryModule = {
  kind: MODULE,
  source: moduleOfText(() => import('#entitable-text')),
  startWorker: () =>
    new Worker(new URL('./account-worker.js', import.meta.url), { type: 'module' }),
};

/** `openAccount` of `entitable`, with the module of this entry. */
export function openAccount<const Tables extends DeclaredTables = Record<never, never>>(
  options: AccountOptions<Tables> | WorkerAccountOptions<Tables>,
): Promise<TableServiceClient<Tables>> {
  return openWith(MODULE_INSIDE, options, loadWarnings);
}

/** `loadValidator` of `entitable`, with the module of this entry. */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return loadValidatorWith(MODULE_INSIDE, options);
}
