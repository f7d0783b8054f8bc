/**
 * The REST API of the service, over HTTP: a `fetch` handler for an account.
 *
 * @module
 */

import type { TableServiceClient } from './client/table-service-client.js';
import { optionsOf, type ConnectionOptions } from './http/connection-string.js';
import { openAccount } from './index.js';

export type { CorsRule } from './client/models.js';
export type { AccountKeys } from './http/auth/authenticate.js';
export type { AccountSasOptions, SasOptions, TableSasOptions } from './http/auth/sas.js';
export { generateAccountSas, generateTableSas } from './http/auth/sas.js';
export type { Origin } from './http/auth/shared-access.js';
export type { HmacSha256 } from './http/auth/signature.js';
export type { Connection, ConnectionOptions } from './http/connection-string.js';
export { parseConnectionString } from './http/connection-string.js';
export { DEVELOPMENT_ACCOUNT } from './http/development-account.js';
export type { HttpAnswer, RequestHeaders } from './http/frames.js';
export type { TableHandler } from './http/handler.js';
export { createTableHandler } from './http/handler.js';
export type {
  InProcessHttpClient,
  PipelineHeaders,
  PipelineRequestLike,
  PipelineResponseLike,
} from './http/in-process-client.js';
export { inProcessHttpClient } from './http/in-process-client.js';
export type { IncomingRequest, RawTableHandler, TableHandlerOptions } from './http/raw-handler.js';
export { createRawTableHandler } from './http/raw-handler.js';

/**
 * Opens the account of a connection string on a storage of yours. Payloads show its name and its
 * address. A handler with its keys accepts clients with the same string.
 *
 * @example
 * ```ts
 * const account = await fromConnectionString('UseDevelopmentStorage=true', { storage });
 * ```
 * @throws a `TypeError` of `parseConnectionString()`; and the errors of `openAccount()`.
 */
export async function fromConnectionString(
  text: string,
  options: ConnectionOptions,
): Promise<TableServiceClient> {
  return openAccount(optionsOf(text, options));
}
