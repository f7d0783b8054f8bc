/**
 * The main entry with the WebAssembly module inside, as text: it only loads scripts. It is for
 * bundlers that do not copy the file of the module.
 *
 * @module
 */

import { loadValidatorWith, MODULE, openWith } from './client/shared.js';
import type { EntryModule } from './core/load-module.js';
import { moduleOfText } from './core/module-text.js';
import type { AccountOptions, TableServiceClient, Validator, ValidatorOptions } from './index.js';

export { ERROR_CODES, TableError } from './base/errors.js';
export { deleteAccount, odata, TableTransaction } from './client/shared.js';
export type * from './index.js';

const MODULE_INSIDE: EntryModule = {
  kind: MODULE,
  source: moduleOfText(() => import('#entitable-text')),
};

/** `openAccount` of `entitable`, with the module of this entry. */
export function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  return openWith(MODULE_INSIDE, options);
}

/** `loadValidator` of `entitable`, with the module of this entry. */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return loadValidatorWith(MODULE_INSIDE, options);
}
