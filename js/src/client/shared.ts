/**
 * All that the entries `entitable` and `entitable/inline` share; they differ in the place of the
 * module. It is one file of the package.
 *
 * @module
 */

import createModule from '#entitable-core';

import type { ModuleKind } from '../core/load-module.js';

export { odata } from '../entity/odata.js';
export { deleteAccount } from './delete-account.js';
export { TableTransaction } from './transaction.js';

/** @internal */
export { loadValidatorWith } from '../validation/validator.js';
/** @internal */
export { openWith } from './open-account.js';

/** @internal */
export const MODULE: ModuleKind = { createModule, file: 'entitable.wasm' };
