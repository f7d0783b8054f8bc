/**
 * Accounts that can be served.
 *
 * @module
 */

import { loadHttpModule } from '../core/load-http.js';
import { openWith, type AccountOptions } from '../open.js';
import type { TableServiceClient } from '../table-service-client.js';

/**
 * Opens an account that a handler can serve. It is an account as any other, but its module is
 * `entitable-http.wasm`, which understands HTTP, too.
 *
 * @example
 * ```ts
 * const account = await openAccount({ storage: indexedDbStorage('my-app') });
 * const handler = createTableHandler(account, { authentication: 'anonymous' });
 * ```
 * @throws {@link TableError} `InvalidInput`, if an option is unknown or has a value of another kind;
 * `StorageUnavailable`, if the storage cannot be used here; `ModuleAborted`, if the WebAssembly
 * module cannot be loaded; each with its cause.
 */
export function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  return openWith(loadHttpModule, options);
}
