/**
 * The REST API of the service, over HTTP: a `fetch` handler over an account.
 *
 * @module
 */

export { fromConnectionString, openAccount } from './http/account.js';
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
export type { CorsRule } from './models.js';
