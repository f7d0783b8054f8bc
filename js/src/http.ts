/**
 * The REST API of the service, over HTTP: a `fetch` handler over an account.
 *
 * @module
 */

export { openAccount } from './http/account.js';
export {
  fromConnectionString,
  parseConnectionString,
  type Connection,
} from './http/connection-string.js';
export { DEVELOPMENT_ACCOUNT } from './http/development-account.js';
export type { AccountKeys } from './http/auth/authenticate.js';
export type { HmacSha256 } from './http/auth/signature.js';
export type { Origin } from './http/auth/shared-access.js';
export {
  createTableExchange,
  type IncomingRequest,
  type TableExchange,
  type TableHandlerOptions,
} from './http/exchange.js';
export type { CorsRule } from './models.js';
export type { HttpAnswer, RequestHeaders } from './http/frames.js';
export { createTableHandler, type TableHandler } from './http/handler.js';
export {
  inProcessHttpClient,
  type InProcessHttpClient,
  type PipelineHeaders,
  type PipelineRequestLike,
  type PipelineResponseLike,
} from './http/in-process-client.js';
export {
  generateAccountSas,
  generateTableSas,
  type AccountSasOptions,
  type SasOptions,
  type TableSasOptions,
} from './http/auth/sas.js';
