/**
 * What the entries `entitable/http` and `entitable/http/inline` have in common: all but the place of
 * the module. It is one file of the package.
 *
 * @module
 */

import createModule from '#entitable-http-core';

import type { ModuleKind } from '../core/load-module.js';

export { generateAccountSas, generateTableSas } from './auth/sas.js';
export { parseConnectionString } from './connection-string.js';
export { DEVELOPMENT_ACCOUNT } from './development-account.js';
export { createTableExchange } from './exchange.js';
export { createTableHandler } from './handler.js';
export { inProcessHttpClient } from './in-process-client.js';

/** @internal */
export { openWith } from '../client/open-account.js';
/** @internal */
export { optionsOf } from './connection-string.js';

/** @internal */
export const MODULE: ModuleKind = { createModule, file: 'entitable-http.wasm', hasHttp: true };
