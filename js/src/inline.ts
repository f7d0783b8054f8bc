/**
 * The main entry with the WebAssembly module inside, as text: nothing but scripts is loaded. It is
 * for bundlers that do not copy the module's file.
 *
 * @module
 */

import { loadInlineModule } from './load-inline.js';
import type { AccountOptions, TableServiceClient, ValidatorOptions } from './index.js';
import { openWith, validatorWith } from './shared.js';
import type { Validator } from './validator.js';

export type * from './index.js';
export { ERROR_CODES, TableError } from './errors.js';
export { deleteAccount, odata, TableTransaction } from './shared.js';

/** `openAccount` of `entitable`, with the module of this entry. */
export function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  return openWith(loadInlineModule, options);
}

/** `loadValidator` of `entitable`, with the module of this entry. */
export function loadValidator(options?: ValidatorOptions): Promise<Validator> {
  return validatorWith(loadInlineModule, options);
}
