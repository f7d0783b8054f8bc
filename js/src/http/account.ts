/**
 * Accounts that can be served.
 *
 * @module
 */

import type { AccountOptions } from '../open.js';
import type { TableServiceClient } from '../table-service-client.js';
import type { ConnectionOptions } from './connection-string.js';
import { loadHttpModule } from './load.js';
import { openWith, optionsOf } from './shared.js';

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

/**
 * Opens the account that a connection string names, on a storage of one's own: payloads show its
 * name and its address, and a handler with its keys lets in who uses the same string.
 *
 * @example
 * ```ts
 * const account = await fromConnectionString('UseDevelopmentStorage=true', { storage });
 * ```
 * @throws a `TypeError`, as `parseConnectionString()` does; and what `openAccount()` throws.
 */
export async function fromConnectionString(
  text: string,
  options: ConnectionOptions,
): Promise<TableServiceClient> {
  return openAccount(optionsOf(text, options));
}
