/**
 * What the entries `entitable` and `entitable/inline` have in common: all but the place of the
 * module. It is one file of the package.
 *
 * @module
 */

export { loadFrom } from './load-from.js';
export { deleteAccount } from './delete-account.js';
export { odata } from './odata.js';
export { openWith, type AccountOptions } from './open.js';
export type { TableServiceClient } from './table-service-client.js';
export { TableTransaction } from './transaction.js';
export { validatorWith, type ValidatorOptions } from './validate.js';
