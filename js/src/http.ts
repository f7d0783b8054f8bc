/**
 * The REST API of the service, over HTTP: a `fetch` handler over an account.
 *
 * @module
 */

import type { TableServiceClient } from './client/table-service-client.js';
import { optionsOf, type ConnectionOptions } from './http/connection-string.js';
import { openAccount } from './index.js';

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
export { generateAccountSas, generateTableSas } from './http/auth/sas.js';
export { parseConnectionString } from './http/connection-string.js';
export { DEVELOPMENT_ACCOUNT } from './http/development-account.js';
export { createTableExchange } from './http/exchange.js';
export { createTableHandler } from './http/handler.js';
export { inProcessHttpClient } from './http/in-process-client.js';

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
