/**
 * `entitable/http` with the WebAssembly module inside, as text.
 *
 * @module
 */

import type { AccountOptions } from '../open.js';
import type { TableServiceClient } from '../table-service-client.js';
import type { ConnectionOptions } from './connection-string.js';
import { loadInlineHttpModule } from './load-inline.js';
import { openWith, optionsOf } from './shared.js';

export type * from '../http.js';
export {
  createTableExchange,
  createTableHandler,
  DEVELOPMENT_ACCOUNT,
  generateAccountSas,
  generateTableSas,
  inProcessHttpClient,
  parseConnectionString,
} from './shared.js';

/** `openAccount` of `entitable/http`, with the module of this entry. */
export function openAccount(options: AccountOptions): Promise<TableServiceClient> {
  return openWith(loadInlineHttpModule, options);
}

/** `fromConnectionString` of `entitable/http`, with the module of this entry. */
export async function fromConnectionString(
  text: string,
  options: ConnectionOptions,
): Promise<TableServiceClient> {
  return openAccount(optionsOf(text, options));
}
