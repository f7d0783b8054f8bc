/**
 * The REST API of the service, over HTTP: a `fetch` handler over an account.
 *
 * @module
 */

import type { AccountOptions } from './client/open-account.js';
import type { TableServiceClient } from './client/table-service-client.js';
import type { EntryModule } from './core/load-module.js';
import type { ConnectionOptions } from './http/connection-string.js';
import { MODULE, openWith, optionsOf } from './http/shared.js';

export type { CorsRule } from './client/models.js';
export type { AccountKeys } from './http/auth/authenticate.js';
export type { AccountSasOptions, SasOptions, TableSasOptions } from './http/auth/sas.js';
export type { Origin } from './http/auth/shared-access.js';
export type { HmacSha256 } from './http/auth/signature.js';
export type { Connection, ConnectionOptions } from './http/connection-string.js';
export type { IncomingRequest, TableExchange, TableHandlerOptions } from './http/exchange.js';
export type { HttpAnswer, RequestHeaders } from './http/frames.js';
export type { TableHandler } from './http/handler.js';
export type {
  InProcessHttpClient,
  PipelineHeaders,
  PipelineRequestLike,
  PipelineResponseLike,
} from './http/in-process-client.js';
export {
  createTableExchange,
  createTableHandler,
  DEVELOPMENT_ACCOUNT,
  generateAccountSas,
  generateTableSas,
  inProcessHttpClient,
  parseConnectionString,
} from './http/shared.js';

const MODULE_BESIDE: EntryModule = {
  kind: MODULE,
  // Bundlers find the file by this very expression.
  source: () => new URL('./entitable-http.wasm', import.meta.url),
  inlineEntry: 'entitable/http/inline',
};

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
  return openWith(MODULE_BESIDE, options);
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
