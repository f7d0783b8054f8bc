/**
 * All that the entries `entitable` and `entitable/inline` need at once; they differ in the place of
 * the module. It is one script of the package.
 *
 * @module
 */

import createModule from '#entitable-core';

import type { ModuleKind } from '../core/load-module.js';

export { deleteAccount } from './delete-account.js';

/** @internal */
export { loadValidatorWith } from '../validation/load-validator.js';
/** @internal */
export { loadWarnings } from './load-warnings.js';
/** @internal */
export { openWith } from './open-account.js';

/** @internal */
export const MODULE: ModuleKind = { createModule, file: 'entitable.wasm' };
