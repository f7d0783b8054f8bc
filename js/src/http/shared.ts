/**
 * What the entries `entitable/http` and `entitable/http/inline` have in common: all but the place of
 * the module. It is one file of the package.
 *
 * @module
 */

export { generateAccountSas, generateTableSas } from './auth/sas.js';
export { parseConnectionString } from './connection-string.js';
export { DEVELOPMENT_ACCOUNT } from './development-account.js';
export { createTableExchange } from './exchange.js';
export { createTableHandler } from './handler.js';
export { inProcessHttpClient } from './in-process-client.js';

/** @internal */
export { openWith } from '../open.js';
/** @internal */
export { optionsOf } from './connection-string.js';
/** @internal */
export { loadFrom } from './load-from.js';
