/**
 * What the entries `entitable` and `entitable/inline` have in common: all but the place of the
 * module. It is one file of the package.
 *
 * @module
 */

export { deleteAccount } from './delete-account.js';
export { odata } from './odata.js';
export type { AccountOptions } from './open.js';
export type { TableServiceClient } from './table-service-client.js';
export { TableTransaction } from './transaction.js';
export type { ValidatorOptions } from './validate.js';

/** @internal */
export { loadFrom } from './load-from.js';
/** @internal */
export { openWith } from './open.js';
/** @internal */
export { validatorWith } from './validate.js';
